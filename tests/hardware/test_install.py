"""Units, udev rules, scripts and backup, as far as they can be checked without booting a Pi."""

import importlib.util
import os
import re
import shutil
import sqlite3
import subprocess
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.config import load_config

INSTALL = Path(__file__).parents[2] / "hardware" / "install"
UNITS = sorted([*INSTALL.rglob("*.service"), *INSTALL.rglob("*.timer")])
SCRIPTS = sorted(
    path for path in INSTALL.glob("*") if path.is_file() and path.read_bytes()[:9] == b"#!/bin/sh"
)
IN_CI = bool(os.environ.get("CI"))


def needs(program):
    return pytest.mark.skipif(not IN_CI and not shutil.which(program), reason=f"needs {program}")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.fixture(scope="module")
def backup():
    spec = importlib.util.spec_from_file_location("backup", INSTALL / "backup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs("systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path):
    for unit in UNITS:
        text = re.sub(
            r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.MULTILINE
        )
        (tmp_path / unit.name).write_text(text.replace("firmware-bridge-display\n", "root\n"))
    done = run("systemd-analyze", "verify", *(tmp_path / unit.name for unit in UNITS))
    ours = [line for line in done.stderr.splitlines() if "firmware-bridge" in line]
    assert (done.returncode, ours) == (0, [])


@needs("systemd-analyze")
@pytest.mark.parametrize(
    "unit",
    [
        "firmware-bridge.service",
        "firmware-bridge-backup.service",
        "firmware-bridge-fetch.service",
    ],
)
def test_the_services_are_hardened(unit):
    done = run("systemd-analyze", "security", "--offline=true", "--threshold=25", INSTALL / unit)
    assert done.returncode == 0, done.stdout[-500:]


@needs("systemd-analyze")
def test_the_display_is_hardened_as_far_as_a_browser_allows():
    unit = INSTALL / "firmware-bridge-display.service"
    done = run("systemd-analyze", "security", "--offline=true", "--threshold=45", unit)
    assert done.returncode == 0, done.stdout[-500:]
    # Its compiler, its sandbox and its screen are what is left open.
    assert "MemoryDenyWriteExecute" not in unit.read_text()


def test_nobody_but_the_service_and_root_reads_the_configuration():
    text = (INSTALL / "install").read_text()
    assert "chown $service:$service /etc/firmware-bridge/config.toml" in text
    assert "chmod 640 /etc/firmware-bridge/config.toml" in text
    assert 'install -D -m 640 "$here/config.toml"' in text


@pytest.mark.parametrize(("lock", "without"), [("pi", {"testing"}), ("boards", {"testing", "pi"})])
def test_what_is_installed_has_every_extra_that_a_board_may_need(lock, without):
    root = INSTALL.parents[1]
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    locked = re.findall(
        r"^([\w.-]+)==", (root / f"requirements/{lock}.lock").read_text(), re.MULTILINE
    )
    for extra in extras.keys() - without:
        assert {re.match(r"[\w.-]+", each)[0] for each in extras[extra]} <= {*locked}, extra


def test_the_service_is_watched_and_told_apart_from_a_dead_one():
    text = (INSTALL / "firmware-bridge.service").read_text()
    assert {"Type=notify", "WatchdogSec=10", "Restart=on-failure"} <= set(text.splitlines())
    assert "LimitCORE=0" in text.splitlines(), "what it has in mind is secret, and would be on disk"


DRIVER_OF = {  # the name in /proc/devices -> the module that registers it; None: in every kernel
    "ttyACM": "cdc_acm",
    "ttyUSB": "usbserial",
    "hidraw": "hid",
    "spi": "spidev",
    "i2c": "i2c-dev",
    "alsa": "snd",
    "ttyAMA": None,
    "gpiochip": None,
}


def test_drivers_of_boards_plugged_in_later_are_loaded_before_the_service_starts():
    unit = (INSTALL / "firmware-bridge.service").read_text()
    allowed = re.findall(r"^DeviceAllow=char-(\S+) rw$", unit, flags=re.MULTILINE)
    loaded = [
        line
        for line in (INSTALL / "modules-load.conf").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert sorted(allowed) == sorted(DRIVER_OF)
    assert sorted(loaded) == sorted(filter(None, (DRIVER_OF[name] for name in allowed)))


@needs("systemd-analyze")
@pytest.mark.parametrize("unit", ["apt-daily", "apt-daily-upgrade"])
def test_debians_updates_come_at_night_and_never_in_a_game(tmp_path, unit):
    for kind, added in {"timer": "at-night", "service": "no-game"}.items():
        drop_in = tmp_path / f"{unit}.{kind}.d/firmware-bridge.conf"
        drop_in.parent.mkdir()
        shutil.copy(INSTALL / f"security/{added}.conf", drop_in)
    (tmp_path / f"{unit}.timer").write_text("[Timer]\nOnCalendar=*-*-* 6,18:00\n")
    (tmp_path / f"{unit}.service").write_text("[Service]\nType=oneshot\nExecStart=/bin/true\n")
    looked = {**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    for kind in ("timer", "service"):
        done = run("systemd-analyze", "verify", f"{unit}.{kind}", env=looked)
        assert "firmware-bridge.conf" not in done.stderr, done.stderr
    timer = (INSTALL / "security/at-night.conf").read_text()
    assert "OnCalendar=\nOnCalendar=*-*-* 03:00\n" in timer, "the day's times are taken away first"
    assert "updater.quiet" in (INSTALL / "security/no-game.conf").read_text()


def test_nothing_is_given_up_where_nobody_is_near():
    service = (INSTALL / "firmware-bridge.service").read_text().splitlines()
    assert {"StartLimitIntervalSec=0", "RestartPreventExitStatus=2 3"} <= set(service)
    display = (INSTALL / "firmware-bridge-display.service").read_text().splitlines()
    # The Lite image, which has no desktop, never reaches graphical.target.
    assert {"Restart=always", "WantedBy=multi-user.target"} <= set(display)


def test_the_first_configuration_is_one_that_the_service_accepts():
    config = load_config(INSTALL / "config.toml")
    assert config.pages.host == "127.0.0.1"
    assert config.board.driver == "serial"
    assert config.board.settings == {}, "the service looks for the one board there is"


@needs("shellcheck")
def test_the_scripts_are_sound():
    done = run("shellcheck", "--external-sources", *SCRIPTS)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_are_posix_and_executable(script):
    assert run("sh", "-n", script).returncode == 0
    assert os.access(script, os.X_OK)


def test_an_unknown_argument_shows_how_to_use_the_installer():
    done = run("sh", INSTALL / "install", "--what")
    assert done.returncode == 2
    assert "--rollback" in done.stdout


def test_everything_the_installer_copies_is_there():
    text = (INSTALL / "install").read_text().replace("$service", "firmware-bridge")
    for name in re.findall(r'"\$here/([\w.-]+)"', text.replace("$unit", "firmware-bridge.service")):
        assert (INSTALL / name).exists(), name


class Machine:
    """A place where the installer believes to be root on a Pi; every program it calls is noted."""

    def __init__(self, folder):
        self.home, self.bin = folder / "opt", folder / "bin"
        self.log = folder / "log"
        self.bin.mkdir(parents=True)
        for program in ("apt-get", "udevadm", "systemctl"):
            self.stub(program, "exit 0")
        self.stub("id", "echo 0")

    def stub(self, program, script):
        path = self.bin / program
        path.write_text(f'#!/bin/sh\necho "{program} $*" >>{self.log}\n{script}\n')
        path.chmod(0o755)

    def release(self, name):
        (self.home / "releases" / name).mkdir(parents=True)

    def switch(self, name):
        (self.home / "current").symlink_to(self.home / "releases" / name)

    @property
    def current(self):
        return (self.home / "current").readlink().name

    def install(self, *arguments):
        return self.run("install", *arguments, FIRMWARE_BRIDGE_HOME=str(self.home))

    def display(self, *arguments):
        return self.run("show-display", *arguments, XDG_RUNTIME_DIR="/run/user/9")

    def run(self, script, *arguments, **more):
        path = f"{self.bin}:{os.environ['PATH']}"
        return run("sh", INSTALL / script, *arguments, env={"PATH": path, **more})


@pytest.fixture
def machine(tmp_path):
    machine = Machine(tmp_path)
    for name in ("20260101000000-0.1.0", "20260201000000-0.2.0", "20260301000000-0.3.0"):
        machine.release(name)
    machine.switch("20260301000000-0.3.0")
    return machine


def test_rolling_back_runs_the_version_before(machine):
    done = machine.install("--rollback")
    assert done.returncode == 0, done.stderr
    assert machine.current == "20260201000000-0.2.0"
    assert "systemctl restart firmware-bridge.service" in machine.log.read_text()


def test_a_version_that_does_not_start_is_taken_back(machine):
    machine.stub("systemctl", 'case "$*" in "restart firmware-bridge.service") exit 1 ;; esac')
    done = machine.install("--rollback")
    assert done.returncode == 1
    assert machine.current == "20260301000000-0.3.0"
    assert "going back to 20260301000000-0.3.0" in done.stdout
    assert "journalctl" in done.stderr


def test_there_is_nothing_before_the_first_version(machine):
    for _ in range(2):
        machine.install("--rollback")
    done = machine.install("--rollback")
    assert (done.returncode, machine.current) == (1, "20260101000000-0.1.0")
    assert "no version before" in done.stderr


def test_without_root_the_installer_says_so(machine):
    machine.stub("id", "echo 1000")
    done = machine.install()
    assert done.returncode == 1
    assert "sudo" in done.stderr


def test_a_32_bit_system_is_refused_before_anything_is_touched(machine):
    machine.stub("getconf", "echo 32")
    done = machine.install()
    assert done.returncode == 1
    assert "64-bit" in done.stderr
    assert "apt-get" not in machine.log.read_text()


def test_the_display_waits_for_the_service_and_leaves_the_card_alone(tmp_path):
    machine = Machine(tmp_path)
    tries = tmp_path / "tries"
    machine.stub("curl", f'echo x >>{tries}; [ "$(wc -l <{tries})" -ge 2 ]')
    machine.stub("chromium", "exit 0")
    assert machine.display().returncode == 0
    shown = [line for line in machine.log.read_text().splitlines() if line.startswith("chromium")]
    assert len(shown) == 1
    assert shown[0].startswith("chromium --kiosk")
    assert shown[0].endswith(
        "--user-data-dir=/run/user/9/firmware-bridge-display http://127.0.0.1:8321/"
    )


def test_the_display_ends_when_the_kiosk_is_left(tmp_path):
    machine = Machine(tmp_path)
    machine.stub("curl", """echo '{"kiosk":false,"left":true}'""")
    machine.stub("chromium", "exec sleep 60")
    assert machine.display().returncode == 0
    assert machine.display("--left").returncode == 0
    machine.stub("curl", "exit 7")
    assert machine.display("--left").returncode != 0


def test_udev_rules_name_boards_and_keep_modemmanager_away():
    (place,) = INSTALL.glob("*-firmware-bridge.rules")
    # What a drive is, is known from the one on; the other is asked what is no telephone.
    assert "60-persistent-storage.rules" < place.name < "77-mm-usb-device-blacklist.rules"
    text = place.read_text()
    rules = [line for line in text.replace("\\\n", "").splitlines() if line and line[0] != "#"]
    assert len(rules) == 8
    for rule in rules:
        for part in rule.split(","):
            assert re.fullmatch(r'\s*[A-Z]+(\{\w+\})?(==|!=|=|\+=)"[^"]+"', part), part
    assert 'ATTRS{idVendor}=="2e8a"' in rules[0]
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in rules[0]
    groups = {group for rule in rules for group in re.findall('GROUP="([^"]+)"', rule)}
    joined = re.findall(r"for group in ([\w ]+);", (INSTALL / "install").read_text())
    assert groups <= {group for line in joined for group in line.split()}


def test_a_backup_in_the_middle_of_a_write_is_whole(tmp_path, backup):
    data, target = tmp_path / "data", tmp_path / "backups"
    data.mkdir()
    (data / "pieces.toml").write_text("kept = true\n")
    (data / "pieces.toml").chmod(0o600)
    with closing(sqlite3.connect(data / "journal.sqlite")) as games:
        games.execute("PRAGMA journal_mode = WAL")
        games.execute("CREATE TABLE records (t INTEGER)")
        games.execute("INSERT INTO records VALUES (1)")
        games.commit()
        games.execute("INSERT INTO records VALUES (2)")  # begun, not committed
        archive = backup.back_up(data, tmp_path / "none", target)
    assert archive.stat().st_mode & 0o077 == 0
    (tmp_path / "restored").mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path / "restored"], check=True)
    restored = tmp_path / "restored" / str(data).lstrip("/")
    assert {path.name for path in restored.iterdir()} == {"journal.sqlite", "pieces.toml"}
    assert (restored / "pieces.toml").stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(restored / "journal.sqlite")) as games:
        assert games.execute("SELECT t FROM records").fetchall() == [(1,)]
        assert games.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_only_the_newest_backups_are_kept(tmp_path, backup):
    target = tmp_path / "backups"
    target.mkdir()
    for day in range(10, 30):
        (target / f"games-202601{day}T000000.tar.gz").touch()
    backup.back_up(tmp_path / "nothing", tmp_path / "none", target)
    kept = sorted(path.name for path in target.iterdir())
    assert len(kept) == backup.KEPT
    assert kept[0] == "games-20260117T000000.tar.gz"


@pytest.mark.timeout(3000)
@pytest.mark.skipif(
    "FIRMWARE_BRIDGE_CLEAN_ROOT" not in os.environ,
    reason="makes a Debian of 400 MB as root; set FIRMWARE_BRIDGE_CLEAN_ROOT=bookworm or trixie",
)
def test_the_installer_in_a_clean_debian():
    done = run(INSTALL / "try-in-clean-root", os.environ["FIRMWARE_BRIDGE_CLEAN_ROOT"])
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
