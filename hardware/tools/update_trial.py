"""Cut the power over the course of an update: `python -m hardware.tools.update_trial --help`.

A card is started in a machine whose kernel is a process (`hardware.tools.user_mode`), or for arm64
in one that QEMU emulates; a game is played there, and a bundle becomes the release that runs, in
mid-game, as it is wished on the page. Every write is logged. Then the power fails as often in each
of its phases, and of what the card had not been told to keep about half is lost. Each card that
this leaves is started: the old release or the new one runs, whole, with the game, and no turn is
missing. A course that the folder holds already is cut once more, with another seed elsewhere.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from firmware_bridge.journal import Journal
from hardware.tools.card import ROOT, Card, run
from hardware.tools.emulated_disk import DiskError, copy_disk
from hardware.tools.emulated_machine import PIN, Machine, Running, TrialError, within
from hardware.tools.trial import BOOT, CHECKOUT, report
from hardware.tools.update_player import ONLY_PLUG, PLUGGED, SAYS, SPOOL, STICK, URL
from hardware.tools.user_mode import INITRD, UserModeMachine

GAMES = 2
"""Its place in the table of partitions."""
ANSWERS = f'board = "simulated"\nuse = "home"\npin = "{PIN}"\n'
PROTECTED = f'board = "simulated"\nuse = "kiosk"\npin = "{PIN}"\nprotected = true\n'
COURSE = "course.json"
"""What was said, each with the number of writes until then."""
PHASES = ("begun", "found", "wished", "not to wait", "resumed", "done")
"""What begins a phase of an update: playing, taking it in, changing over, being on trial, kept."""
SETTLES = 8
"""Seconds after which the machine has written down what it does not ask to be kept at once."""
WATCHED = 60
"""Seconds for which the release is on trial here; on a card ten minutes."""
READY = 900
"""Seconds for a release to be ready here; on a card 90."""
UNITS = {
    "firmware-bridge-update": f"""[Service]
ExecStart=
ExecStart=/usr/bin/python3 -c "from pathlib import Path; from updater import service; \
from updater.__main__ import Updater; service.READY_WITHIN = {READY}; \
Updater(Path('/'), watched_for={WATCHED}).run()"
""",
    "firmware-bridge": f"[Service]\nTimeoutStartSec={READY}\nWatchdogSec=120\n",
}
"""How units differ here: a processor that is emulated on a busy computer is slower than any Pi."""
RULES = "etc/udev/rules.d/60-trial.rules"
DRIVES = f"""SUBSYSTEM=="block", KERNEL=="vda", ATTR{{cache_type}}="write back"
SUBSYSTEM=="block", KERNEL=="{STICK.name}", TEST=="{PLUGGED}", ENV{{ID_BUS}}="usb"
"""
"""Has the machine demand that its writes be kept, which the storage daemon says it need not, and
take the other drive for a stick."""
TAP, CARD, HERE, THERE = "trial", "vec0", "10.9.8.1", "10.9.8.2"
"""The network between this computer and the machine, where there is one."""
UNMANAGED = "etc/NetworkManager/conf.d/trial.conf"
HANDS = """[Unit]
After=firmware-bridge.service
ConditionPathExists=!/boot/firmware/first-start.toml
[Service]
Environment=PYTHONPATH=/srv/trial
ExecStart=/bin/sh /srv/trial/hands {}
[Install]
WantedBy=multi-user.target
"""
LOOK = f"""ip link set {CARD} up && ip address add {THERE}/24 dev {CARD}
until state=$(curl -sf {URL}api/v1/state); do sleep 1; done
case $state in
*'"phase":"paused"'*)
    echo "{SAYS}found $(basename "$(readlink /opt/firmware-bridge/current)")" >/dev/kmsg
    touch {SPOOL}/wishes/now
    ;;
*) exec /opt/firmware-bridge/current/bin/python -m hardware.tools.update_player $1 ;;
esac
"""
"""Says at once which release runs with the game that was found, for which no update has to wait; a
machine without a game gets hands."""


def main() -> None:
    """Record one update, then cut, look, and start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds card.img, and gets all else")
    parser.add_argument("--bundle", type=Path, required=True, help="signed for that card")
    parser.add_argument("--architecture", choices=("amd64", "arm64"), default="amd64")
    parser.add_argument("--kernel", type=Path, default=Path("/usr/bin/linux.uml"))
    parser.add_argument("--modules", type=Path, default=Path("/usr/lib/uml/modules"))
    parser.add_argument("--cuts", type=int, default=200, help="moments at which the power fails")
    parser.add_argument("--protected", action="store_true", help="a kiosk, by a file on BOOT")
    parser.add_argument("--page", action="store_true", help="only say where its page is, and wait")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    card = Card(wanted.folder.resolve(), wanted.architecture)
    user_mode = partial(UserModeMachine, kernel=wanted.kernel)
    wanted.switched_on = Machine if card.architecture == "arm64" else user_mode
    try:
        if wanted.protected:
            protect(card, wanted)
        elif wanted.page:
            serve(card, wanted)
        else:
            if not (card.folder / COURSE).exists():
                update(card, wanted)
            look(card, wanted)
    except (TrialError, DiskError) as failed:
        sys.exit(f"Failed: {failed}")


def update(card: Card, wanted: argparse.Namespace) -> None:
    """Record how a stick updates a card in mid-game."""
    stick = prepare(card, wanted, ANSWERS)
    told = record(card, wanted, lambda machine: "done" in machine.said(SAYS), stick)
    (card.folder / COURSE).write_text(json.dumps(told))


def serve(card: Card, wanted: argparse.Namespace) -> None:
    """Plug the bundle into a machine in mid-game, and leave all else to whoever is at its page."""
    stick = prepare(card, wanted, ANSWERS)
    with network():
        machine = UserModeMachine(card, stick, kernel=wanted.kernel, network=TAP)
        try:
            within(BOOT, "the game", lambda: "played" in machine.said(SAYS))
            report("its page", address=URL.replace("127.0.0.1", THERE))
            sys.stdin.read()
        finally:
            machine.cut()


@contextlib.contextmanager
def network() -> Iterator[None]:
    """Join this computer to the machine that is started meanwhile."""
    run("ip", "tuntap", "add", "dev", TAP, "mode", "tap")
    try:
        run("ip", "address", "add", f"{HERE}/24", "dev", TAP)
        run("ip", "link", "set", TAP, "up")
        yield
    finally:
        run("ip", "link", "delete", TAP)  # though what is left of the machine may still hold it


def prepare(card: Card, wanted: argparse.Namespace, answers: str) -> Path:
    """Put a card in for the first time, with hands, and let its file answer; return a stick."""
    card.insert(card.folder / "card.img")
    with mounted(card.path, ROOT) as root:
        if card.architecture == "amd64":
            lend_modules(card, root, wanted.modules)
        for package in ("hardware/__init__.py", "hardware/tools"):
            target = root / "srv/trial" / package
            target.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (CHECKOUT / package).is_dir() else shutil.copy
            copy(CHECKOUT / package, target)
        (root / RULES).write_text(DRIVES)
        (root / "srv/trial/hands").write_text(LOOK)
        hands = HANDS.format(ONLY_PLUG if wanted.page else "")
        (root / "etc/systemd/system/hands.service").write_text(hands)
        (root / UNMANAGED).write_text(f"[keyfile]\nunmanaged-devices=interface-name:{CARD}\n")
        run("systemctl", "--root", root, "enable", "hands.service")
        for unit, text in UNITS.items():
            folder = root / f"etc/systemd/system/{unit}.service.d"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "trial.conf").write_text(text)
        configuration = root / "etc/firmware-bridge/config.toml"
        port = '\nsettings = { port = "/run/board/port" }\n'
        configuration.write_text(configuration.read_text().replace("[board]\n", f"[board]{port}"))
    card.put("first-start.toml", answers)
    record(card, wanted, lambda _: not card.has("first-start.toml"))
    stick = card.folder / "stick.img"
    run("truncate", "--size=64M", stick)
    run("mkfs.vfat", stick)
    run("mcopy", "-o", "-i", stick, wanted.bundle, "::")
    return stick


def lend_modules(card: Card, root: Path, modules: Path) -> None:
    """Give a card the modules of the kernel that is a process, and make what that starts from."""
    (kernel,) = modules.iterdir()
    shutil.copytree(kernel, root / "lib/modules" / kernel.name, symlinks=True)
    if not (card.folder / INITRD).exists():
        run("chroot", root, "/usr/sbin/mkinitramfs", "-o", "/initrd", kernel.name)
        shutil.move(root / "initrd", card.folder / INITRD)


def record(
    card: Card,
    wanted: argparse.Namespace,
    over: Callable[[Running], bool],
    stick: Path | None = None,
) -> list[tuple[int, str]]:
    """Switch a card on until something is over; keep its writes.

    Returns:
        What was said, each with the number of writes until then.
    """
    copy_disk(card.path, card.before)
    machine = wanted.switched_on(card, stick)
    told: list[tuple[int, str]] = []
    begun = time.monotonic()
    try:
        while not over(machine):
            time.sleep(0.1)
            for line in [] if machine.restarts else machine.said(SAYS)[len(told) :]:
                told.append((card.writes, line))
                report(line, seconds=round(time.monotonic() - begun), writes=told[-1][0])
            if time.monotonic() - begun > BOOT:
                raise TrialError(f"No end of the update after {told}")
        time.sleep(SETTLES)
    finally:
        machine.cut()
    report("over", seconds=round(time.monotonic() - begun), writes=card.writes)
    return told


def protect(card: Card, wanted: argparse.Namespace) -> None:
    """Let a protected kiosk be updated by a file on its boot drive, as any PC can write it."""
    prepare(card, wanted, PROTECTED)
    record(card, wanted, lambda machine: "played" in machine.said(SAYS))
    unchanged(card, wanted)
    run("mcopy", "-i", f"{card.path}@@1M", wanted.bundle, "::")
    for over in (
        lambda machine: machine.restarts,
        lambda _: not card.has(wanted.bundle.name),
    ):
        told = record(card, wanted, over)
        (card.folder / COURSE).write_text(json.dumps(told))
        look(card, wanted)
    unchanged(card, wanted)


def unchanged(card: Card, wanted: argparse.Namespace) -> None:
    """See that a protected card on which there is nothing to do is as it was after a start."""
    start(card, wanted)
    before = card.fingerprint()
    found = start(card, wanted)
    if card.fingerprint() != before:
        raise TrialError("A protected card changed although there was nothing to do.")
    report("protected: no byte of the root changes", runs=found, sha256=before)


def look(card: Card, wanted: argparse.Namespace) -> None:
    """Let the power fail at moments over all of the update, and start what each leaves."""
    told = [(at, said) for at, said in json.loads((card.folder / COURSE).read_text())]
    dice = Random(wanted.seed)  # noqa: S311 - moments and losses, no secrets
    whole, before = whole_releases(card), turns_of(card.before)
    played = [(0, turn) for turn in before] + [
        (at, said[5:]) for at, said in told if said.startswith("turn ")
    ]
    cuts = moments(told, card.writes, wanted.cuts, dice)
    left = Card(card.folder / "left", card.architecture)
    left.folder.mkdir(exist_ok=True)
    for name in (INITRD, "vmlinuz", "initrd", "cmdline.txt"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy(card.folder / name, left.folder / name)
    seen: Counter[str] = Counter()
    for number, (phase, moment) in enumerate(cuts, 1):
        lost = card.after_cut(left.path, dice, 0.5, writes=moment)
        found = start(left, wanted)
        with mounted(left.path, ROOT) as root:
            runs = which(root, whole)
        turns = turns_of(left.path)
        shown = [turn for at, turn in played if at <= moment]
        if turns[: len(shown)] != shown or turns != [turn for _, turn in played][: len(turns)]:
            raise TrialError(f"After write {moment} there is {turns}, not {shown}.")
        if not found.endswith(f"-{runs}"):
            raise TrialError(f"{found} ran, and then {runs}.")
        seen[f"{phase}: {runs}"] += 1
        kept = {"lost": lost.lost, "of": lost.writes, "turns": len(turns)}
        report(f"cut {number}", after=phase, write=moment, **kept)
    report("all cuts", last=card.writes, **seen)


def moments(
    told: list[tuple[int, str]], last: int, cuts: int, dice: Random
) -> list[tuple[str, int]]:
    """Choose when the power fails: in each phase in turn, for one may write a hundredth of all.

    Where a game is found it was there from the first write on.
    """
    begun = [
        (0 if phase == "found" else at, phase)
        for at, said in told
        for phase in PHASES
        if said.startswith(phase)
    ]
    ends = [at for at, _ in begun[1:]] + [last]
    phases = [(phase, range(at, end + 1)) for (at, phase), end in zip(begun, ends, strict=True)]
    return [
        (phase, dice.choice(writes))
        for phase, writes in (phases[number % len(phases)] for number in range(cuts))
    ]


def start(card: Card, wanted: argparse.Namespace) -> str:
    """Switch a card on, see that its service runs with the game there was; return its release."""
    begun = time.monotonic()
    machine = wanted.switched_on(card)
    try:
        (found,) = within(BOOT, "the service with the game", lambda: machine.said(SAYS))
    finally:
        machine.cut()
    if not found.startswith("found "):
        raise TrialError(f"No game was found, but: {found}")
    report("started", found=found[6:], seconds=round(time.monotonic() - begun))
    return str(found[6:])


def whole_releases(card: Card) -> dict[str, str]:
    """Return the fingerprints of the old release and the new one, as the update left them."""
    with mounted(card.path, ROOT) as root:
        home = root / "opt/firmware-bridge/releases"
        return {fingerprint(release): release.name for release in home.iterdir()}


def which(root: Path, whole: dict[str, str]) -> str:
    """Return the version that would run, which must be whole.

    Raises:
        TrialError: it is not.
    """
    home = root / "opt/firmware-bridge"
    current = (home / "current").readlink()
    release = home / "releases" / current.name
    if whole.get(fingerprint(release)) != current.name:
        raise TrialError(f"{current} is not whole.")
    return current.name.rpartition("-")[2]


def fingerprint(release: Path) -> str:
    """Return a hash over all names and contents of a release that Python does not make itself."""
    total = hashlib.sha256()
    for path in sorted(release.rglob("*")):
        if "__pycache__" in path.parts or path.name == "unproven" or path.is_dir():
            continue
        total.update(str(path.relative_to(release)).encode())
        total.update(str(path.readlink()).encode() if path.is_symlink() else path.read_bytes())
    return total.hexdigest()


def turns_of(disk: Path) -> list[str]:
    """Return the turns of the game that is found on a card, as the service reads them."""
    with mounted(disk, GAMES) as games:
        copy = disk.parent / "games"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(games, copy)
    journal = Journal(copy)
    found = journal.last_game()
    journal.close()
    if found is None:
        return []
    return [str(record.data["turn"]) for record in found[1] if record.kind == "taken"]


@contextlib.contextmanager
def mounted(disk: Path, place: int) -> Iterator[Path]:
    """Mount a partition of a card, as a start does: what its own journal holds is carried out."""
    table = json.loads(run("sfdisk", "--json", disk))["partitiontable"]["partitions"][place - 1]
    start, size = table["start"] * 512, table["size"] * 512
    where = disk.parent / f"mounted-{place}"
    where.mkdir(exist_ok=True)
    run("mount", "-o", f"loop,offset={start},sizelimit={size}", disk, where)
    try:
        yield where
    finally:
        run("umount", where)


if __name__ == "__main__":
    main()
