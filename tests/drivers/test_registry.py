import shutil
import sys
from importlib.metadata import EntryPoint

import pytest

from drivers import commercial, description, driver_registry
from drivers.description import load_description
from drivers.plug_ins import installed
from drivers.port import DriverError
from drivers.serial_board import SerialBoard

FULL = load_description("full")


def test_the_projects_own_drivers_are_installed():
    assert {"serial", "simulated"} <= set(driver_registry.names())


def test_a_driver_is_made_by_name():
    driver = driver_registry.create("serial", FULL, {"port": "/dev/ttyACM0"})
    assert isinstance(driver, SerialBoard)
    assert driver.description is FULL
    assert isinstance(driver_registry.create("simulated", FULL, {}), SerialBoard)


def test_other_makers_boards_are_found_by_their_modules_and_board_files():
    assert {"certabo", "chesslink", "chessnut", "cpp", "dgt"} <= set(driver_registry.names())
    assert {"ble", "session", "lamps", "detect"}.isdisjoint(driver_registry.names())
    dgt = driver_registry.create("dgt", load_description("dgt"), {"port": "/dev/null"})
    assert dgt.description.name == "dgt"


def test_a_new_board_is_one_module_and_one_board_file(tmp_path, monkeypatch):
    boards = shutil.copytree(description.BOARDS, tmp_path / "boards")
    text = (boards / "starter.toml").read_text(encoding="utf-8")
    (boards / "attic-board.toml").write_text(text.replace('"starter"', '"attic-board"'))
    (tmp_path / "attic_board.py").write_text(
        "from drivers.serial_board import SerialBoard as DRIVER\n", encoding="utf-8"
    )
    monkeypatch.setattr(description, "BOARDS", boards)
    monkeypatch.setattr(commercial, "__path__", [*commercial.__path__, str(tmp_path)])
    try:
        made = driver_registry.create(
            "attic-board", load_description("attic-board"), {"port": "/dev/no"}
        )
    finally:
        sys.modules.pop("drivers.commercial.attic_board", None)
    assert isinstance(made, SerialBoard)
    assert made.description.name == "attic-board"
    assert "attic-board" in driver_registry.names()


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("seriel", {}, 'no board driver "seriel". Installed: '),
        ("dgt", {}, 'needs the setting "port"'),
        ("serial", {"port": "x", "speed": 3}, 'knows no setting "speed". It takes: baudrate, port'),
    ],
)
def test_what_cannot_be_made_is_explained(name, settings, words):
    with pytest.raises(DriverError) as caught:
        driver_registry.create(name, FULL, settings)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no.such.module:Board", "needs a library"),
        ("no_python:Board", r"cannot be loaded: no_python:Board \(SyntaxError: "),
        ("json:Board", r"cannot be loaded: json:Board \(AttributeError: "),
        ("json:__name__", "it is none"),
        ("fractions:Fraction", r"does not take these settings \(TypeError: "),
        ("builtins:dict", "it is none"),
        ("drivers.port:Driver", 'driver "broken" cannot be used: drivers.port:Driver lacks __aent'),
    ],
)
def test_broken_drivers_of_other_packages_are_explained(value, words, monkeypatch, tmp_path):
    (tmp_path / "no_python.py").write_text("def board(:\n")
    monkeypatch.syspath_prepend(tmp_path)
    broken = EntryPoint(name="broken", value=value, group=driver_registry.GROUP)
    monkeypatch.setattr(driver_registry, "installed", lambda *_: {"broken": broken})
    with pytest.raises(DriverError, match=words):
        driver_registry.create("broken", FULL, {})
    assert "broken" not in driver_registry.probes()


def test_of_two_with_one_name_ours_counts_and_the_other_is_named(monkeypatch, caplog, tmp_path):
    info = tmp_path / "another-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1\n")
    offers = f"[{driver_registry.GROUP}]\nserial = json:loads\nnew = json:loads\n"
    (info / "entry_points.txt").write_text(offers)
    monkeypatch.syspath_prepend(tmp_path)
    found = installed.__wrapped__(driver_registry.GROUP)
    assert found["serial"].value == "drivers.serial_board:SerialBoard"
    assert found["new"].value == "json:loads"
    told = "json:loads of the package another has the name of drivers.serial_board:SerialBoard of"
    assert f"serial of the group {driver_registry.GROUP} is left out: {told}" in caplog.text


def test_a_board_that_promises_what_its_parts_do_not_do_is_refused_by_name():
    promising = load_description("starter").model_copy(update={"tier": "face"})
    with pytest.raises(DriverError, match=r'board "starter".*tier: face needs a tag reader'):
        driver_registry.create("serial", promising, {"port": "/dev/null"})
