# Read by ./run and ./test (`. requirements/prepare.sh`): makes .venv and keeps it as locked.
# shellcheck shell=sh

stop() {
    printf '%s\n' "$@" >&2
    exit 1
}

# The first Python that is new enough; PYTHON, where it is set, is asked before all others.
find_python() {
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    stop "firmware-bridge needs Python 3.11 or newer, and none was found." \
        "Install it (Debian, Raspberry Pi OS: sudo apt install python3 python3-venv) and try again."
}

make_environment() {
    if .venv/bin/python -c 'import pip' 2>/dev/null; then
        return
    fi
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        stop "$python cannot create environments: its venv module is missing." \
            "Install it (Debian, Raspberry Pi OS: sudo apt install python3-venv) and try again."
    printf 'Creating .venv with %s ...\n' "$("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv
}

# twice COMMAND: what is fetched may come at the second attempt.
twice() {
    "$@" || { sleep 5 && "$@"; }
}

install() {
    twice .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@" ||
        stop "Installing failed. The lines above say why; without a network connection nothing" \
            "can be fetched. Nothing outside this folder was changed; simply try again."
}

# prepare NAME: bring .venv to the state that requirements/NAME.lock describes, one at a time.
prepare() {
    if command -v flock >/dev/null 2>&1; then
        exec 9>.prepare.lock
        flock -n 9 || { printf 'Waiting for another one that installs here ...\n' && flock 9; }
    fi
    bring "$1"
    exec 9>&-  # what is started now must not keep others waiting
}

bring() {
    make_environment
    wanted=$(cat pyproject.toml requirements/build.lock "requirements/$1.lock" | cksum)
    stamp=".venv/$1.stamp"
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
        return
    fi
    printf 'Installing what is needed (once, a minute or two) ...\n'
    # Tests use a third of what they have installed, and compile that when they do.
    [ "$1" = test ] && compiled=--no-compile || compiled=--compile
    install "$compiled" --require-hashes --requirement requirements/build.lock
    install "$compiled" --require-hashes --no-build-isolation --requirement "requirements/$1.lock"
    install "$compiled" --no-deps --no-build-isolation --editable .
    printf '%s\n' "$wanted" >"$stamp"
}
