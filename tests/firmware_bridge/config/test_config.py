import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivers.description import load_description
from drivers.port import DriverError
from firmware_bridge.config import Config, ConfigError, load_config
from firmware_bridge.config.loading import told_in_full
from firmware_bridge.service.assembly import agreement_of, board_of, friends_of, indicators


@pytest.fixture
def write(tmp_path):
    path = tmp_path / "board.toml"

    def _write(text):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return _write


def test_without_a_file_everything_has_a_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FIRMWARE_BRIDGE_CONFIG", raising=False)
    monkeypatch.setattr("firmware_bridge.config.loading.PLACES", ())
    config = load_config()
    assert config == Config()
    assert config.pages.host == "127.0.0.1"


def test_every_section_is_read(write):
    config = load_config(
        write(
            """
            language = "de"
            data = "/srv/games"
            [board]
            settings = { port = "/dev/serial/by-id/board" }
            [game]
            id = "realm"
            options = { power = true }
            settings = { time = "30m+10s", grace = 1.2 }
            [players]
            white = "Ada"
            [pages]
            names = ["board.local"]
            referee_pin = "4711"
            idle_minutes = 5
            [sound]
            speech = false
            """
        )
    )
    assert str(config.data) == "/srv/games"
    assert config.game.options == {"power": True}
    assert config.game.settings == {"time": "30m+10s", "grace": 1.2}
    assert config.pages.names == ("board.local",)
    assert config.pages.idle_minutes == 5
    assert not config.sound.speech


def test_relative_paths_are_looked_up_beside_the_file(write, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    file = write(
        """
        data = "games"
        [board]
        pieces = "sets/pieces.json"
        description = "mine.toml"
        [mqtt]
        password_file = "secret"
        ca = "/etc/ca.pem"
        """
    )
    config = load_config(file, ["mqtt.certificate=mine.pem"])
    assert config.data == tmp_path / "games"
    assert config.board.pieces == tmp_path / "sets" / "pieces.json"
    assert config.board.description == str(tmp_path / "mine.toml")
    assert config.mqtt.password_file == tmp_path / "secret"
    assert config.mqtt.ca == Path("/etc/ca.pem")
    assert config.mqtt.certificate == Path("mine.pem"), "where the command runs"
    monkeypatch.chdir(tmp_path)
    assert load_config(Path(file.name)).data == tmp_path / "games"


@pytest.mark.parametrize(
    ("changes", "board"),
    [
        ([], "full"),
        (["board.driver=serial"], "full"),
        (["board.driver=chessnut-move"], "chessnut-move"),
        (["board.driver=chessnut-bluetooth"], "chessnut"),
        (["board.driver=chessnut-move", "board.description=dgt"], "dgt"),
        (["board.driver=telepathy"], "full"),
    ],
)
def test_a_driver_for_one_board_brings_it_where_none_is_named(changes, board):
    assert load_config(None, changes).board.description == board


@pytest.mark.parametrize("name", ["full", "starter"])
def test_a_shipped_boards_name_is_no_path(write, name):
    assert load_config(write(f"board.description = '{name}'")).board.description == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[pages]\nprot = 1", ["pages.prot", "did you mean 'port'?"]),
        ("[pages]\nxyzzy = 1", ["pages.xyzzy", "known are", "referee_pin"]),
        ("langage = 'en'", ["langage", "did you mean 'language'?"]),
        ("[pages]\nport = 99999", ["pages.port = 99999", "65535"]),
        ("[pages]\nport = '80'", ["pages.port = '80'", "a whole number, without quotes"]),
        ('[players]\nwhite = "A\\nB"', ["players.white", "signs that nobody sees"]),
        ('[players]\nwhite = "A\\u202eB"', ["players.white", "signs that nobody sees"]),
        ("[pages]\nreferee_pin = '12'", ["pages.referee_pin", "must be 4 to 12 digits"]),
        ("[pages]\nreferee_pin = 471147", ['write it in quotes, referee_pin = "..."']),
        ("[pages]\nnames = 'a'", ["pages.names = 'a'", 'write names = ["..."]']),
        ("[pages]\nkiosk = 1", ["pages.kiosk = 1", "true or false"]),
        ("[board.settings]\na = [1]", ["board.settings.a = [1]", 'such as true, 5 or "..."']),
        ("data = 3", ["data = 3", 'data = "..."']),
        ("board = 3", ["board = 3", "write [board]"]),
        ("[game.options.power]\nx = 1", ["game.options.power"]),
        ("[mqtt]\nbase = 'a/+/b'", ["mqtt.base", "without + and #"]),
        ("[mqtt]\nid = 'my board'", ["mqtt.id", "letters, digits"]),
        ("language = 'xx'", ["language = 'xx'", "no words in 'xx'; the languages are en, "]),
        ("[pages\n", ["this is not TOML", "line 1"]),
        (b"language = '\xff'", ["UTF-8"]),
    ],
)
def test_mistakes_are_named_with_file_key_and_remedy(write, text, words):
    path = write(text)
    with pytest.raises(ConfigError) as error:
        load_config(path)
    for word in [str(path), *words]:
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (agreement_of, "[game]\nid = 'draughts'"),
        (agreement_of, "[game]\nsettings = { time = 'soon' }"),
        (agreement_of, "[game]\noptions = { power = true }"),
        (board_of, "[board]\ndriver = 'none'"),
        (board_of, "[board]\ndescription = 'none.toml'"),
        (indicators, "[indicators.none]"),
        (friends_of, "[distance]\ncarrier = 'pigeon'"),
    ],
)
def test_what_means_nothing_here_says_where_it_is_written(write, make, text):
    path = write(text)
    rest = {
        agreement_of: (load_description("simulated"),),
        indicators: (None, None, None),
        friends_of: (None,),
    }
    with pytest.raises((ValueError, DriverError)) as error:
        make(load_config(path), *rest.get(make, ()))
    said = told_in_full(error.value).splitlines()
    assert said[0] == str(error.value)
    section = re.match(r"\[(\w+)", text)[1]
    assert said[1:] == [f"See [{section}]: {path}."]


def test_a_value_of_the_command_line_is_said_to_be_there_and_not_repeated():
    changes = ["game.id=draughts", "mqtt.password=secret"]
    with pytest.raises(ValueError, match="draughts") as error:
        agreement_of(load_config(changes=changes), load_description("simulated"))
    assert told_in_full(error.value).endswith("See [game]: --set game.id.")


def test_a_value_of_the_command_line_does_not_hide_that_the_file_is_wrong(write, caplog):
    path = write("[pages]\nport = -1\nreferee_pin = 'x'\n[board.settings]\na = [1]")
    changes = ["pages.port=8000", "board.settings.a=1"]
    with pytest.raises(ConfigError) as error:
        load_config(path, changes)
    for wrong in ("pages.port = -1", "pages.referee_pin", "board.settings.a = [1]"):
        assert str(error.value).count(wrong) == 1
    assert load_config(path, [*changes, "pages.referee_pin=4711"]).pages.port == 8000
    told = caplog.text
    assert str(path) in told
    assert "pages.port = -1" in told
    assert "'x'" not in told, "it is a secret"


def test_what_the_command_line_completes_is_no_mistake_of_the_file(write, caplog):
    load_config(write("[mqtt]\nbase = 'club'"), ["mqtt.host=broker", "pages.port=8000"])
    assert caplog.text == ""


def test_all_mistakes_are_named_at_once(write):
    with pytest.raises(ConfigError) as error:
        load_config(write("langage = 'en'\n[pages]\nport = -1"))
    assert "langage" in str(error.value)
    assert "pages.port" in str(error.value)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="folder"):
        load_config(tmp_path)


@pytest.mark.skipif(
    not Path("/proc/self/mem").exists(), reason="a file that gives nothing but errors"
)
def test_a_file_that_a_bad_card_does_not_give_is_said_to_be_unreadable():
    with pytest.raises(ConfigError, match=r"cannot be read: Input/output error\."):
        load_config(Path("/proc/self/mem"))


def test_single_values_can_be_given_instead_of_the_files(write):
    path = write("language = 'de'\n[pages]\nport = 1")
    changes = [
        "pages.port=2",
        "game.id=realm",
        "game.options.power=true",
        "board.settings.port=/dev/board",
        'game.settings.time="5m+3s"',
    ]
    config = load_config(path, changes)
    assert config.pages.port == 2
    assert config.language == "de"
    assert config.game.id == "realm"
    assert config.game.options == {"power": True}
    assert config.board.settings == {"port": "/dev/board"}
    assert config.game.settings == {"time": "5m+3s"}


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("pages.referee_pin=471147", "471147"),
        ('pages.referee_pin="471147"', "471147"),
        ("players.white=2", "2"),
        ("mqtt.password=true", "true"),
        ("data=2026", Path("2026")),
        ("pages.kiosk=true", True),
        ("pages.port=8000", 8000),
        ("pages.names=['a.local']", ("a.local",)),
        ("game.options.dice=2", 2),
    ],
)
def test_a_text_needs_no_quotes_on_the_command_line(change, value):
    found = load_config(changes=[change])
    for part in change.partition("=")[0].split("."):
        found = found[part] if isinstance(found, dict) else getattr(found, part)
    assert found == value


@pytest.mark.parametrize("change", ["pages.port", "language.x=1", "pages.prot=1"])
def test_changes_that_mean_nothing_are_named(write, change):
    with pytest.raises(ConfigError) as error:
        load_config(write("language = 'de'"), [change])
    assert change.split("=")[0] in str(error.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.one_of(st.binary(max_size=80), st.text(alphabet="[]=.'\"\n abcgpt19{},", max_size=80)))
def test_any_text_is_read_or_refused_with_a_message(write, content):
    path = write(content)
    with contextlib.suppress(ConfigError):
        assert isinstance(load_config(path), Config)
