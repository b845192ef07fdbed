from importlib.metadata import EntryPoint

import pytest

from drivers import registry
from drivers.description import load_description
from drivers.port import DriverError
from drivers.serial_board import SerialBoard

FULL = load_description("full")


def test_the_projects_own_drivers_are_installed():
    assert {"serial", "simulated", "replay"} <= set(registry.names())


def test_a_driver_is_made_by_name():
    driver = registry.create("serial", FULL, {"port": "/dev/ttyACM0"})
    assert isinstance(driver, SerialBoard)
    assert driver.description is FULL
    assert isinstance(registry.create("simulated", FULL, {}), SerialBoard)


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("seriel", {}, 'no board driver "seriel". Installed: '),
        ("serial", {}, 'needs the setting "port"'),
        ("serial", {"port": "x", "speed": 3}, 'knows no setting "speed". It takes: baudrate, port'),
    ],
)
def test_what_cannot_be_made_is_explained(name, settings, words):
    with pytest.raises(DriverError) as caught:
        registry.create(name, FULL, settings)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("value", "words"),
    [("no.such.module:Board", "needs a library"), ("builtins:dict", "it is none")],
)
def test_broken_drivers_of_other_packages_are_explained(value, words, monkeypatch):
    broken = EntryPoint(name="broken", value=value, group=registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [broken])
    with pytest.raises(DriverError, match=words):
        registry.create("broken", FULL, {})
