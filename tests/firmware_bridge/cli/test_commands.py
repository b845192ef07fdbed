import json
import socket
import subprocess
import sys

import pytest
from click.testing import CliRunner

import rules
from drivers.description import load_description
from drivers.piece_set import PieceSet
from drivers.port import DriverError
from drivers.simulator.serving import HOST, run_simulator
from firmware_bridge.cli import demo, main
from firmware_bridge.journal.small_file import SECRET_FILE


def test_help_lists_every_command_with_a_line_about_it():
    output = CliRunner().invoke(main, ["--help"]).stdout
    for name in ("demo", "doctor", "replay", "rules", "run", "simulate"):
        line = next(line for line in output.splitlines() if line.strip().startswith(name))
        assert len(line.split()) > 3


COMMANDS = """
bench computer|bench latency|bench reconcile|boards|demo|distance doctor|distance forget
distance friends|distance invite|distance join|doctor|firmware build|firmware check
firmware install|firmware update|fit|monitor|opponent best|opponent compile|opponent laboratory
opponent levels|opponent match|opponent tournament|overhear|pose|puzzle|replay|restore|rules check
rules list|rules perft|rules show|rules turns|run|save|setup|simulate|support|wall|words
"""


@pytest.mark.parametrize("command", COMMANDS.strip().replace("\n", "|").split("|"))
def test_what_scripts_of_others_call_is_there(command):
    assert CliRunner().invoke(main, [*command.split(), "--help"]).exit_code == 0


def test_an_unknown_command_is_a_usage_error():
    done = CliRunner().invoke(main, ["rum"])
    assert done.exit_code == 2
    assert "No such command 'rum'" in done.stderr


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        (["pages.prot=1"], 3, ["pages.prot", "did you mean 'port'"]),
        (["game.id=draughts"], 3, ["draughts", "there are"]),
        (["game.settings.tiem=5m"], 3, ["tiem", "'time'"]),
        (["board.driver=telepathy"], 4, ["telepathy", "serial"]),
        (["board.description=nothing"], 4, ["nothing", "starter"]),
        (["board.pieces=none.json"], 4, ["none.json"]),
        (
            ["board.description=starter", "game.id=reality-check"],
            4,
            ["cannot carry", "which face is down", "another game"],
        ),
        (["pages.host=192.0.2.77"], 6, ["192.0.2.77"]),
        (["data=/dev/null/games"], 5, ["/dev/null/games"]),
    ],
)
def test_what_cannot_work_ends_with_one_plain_message(tmp_path, monkeypatch, changes, code, words):
    fine = ["board.settings.port=/dev/none", "pages.port=0", f"data={tmp_path / 'games'}"]
    options = [f"--set={change}" for change in (*fine, *changes)]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["run", *options])
    assert done.exit_code == code
    assert isinstance(done.exception, SystemExit)
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_a_port_that_is_taken_is_named_with_a_way_out(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        changes = ("board.settings.port=/dev/none", f"pages.port={port}", f"data={tmp_path}")
        done = CliRunner().invoke(main, ["run", *(f"--set={change}" for change in changes)])
    assert done.exit_code == 6
    assert "choose another pages.port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_demo_takes_another_port_where_one_is_taken_and_says_so(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        found = demo._free(port, "display")
    assert found != port
    assert f"Port {port} is taken: the display is at port {found}" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["demo", "--port"], ["demo", "--board-port"]])
def test_a_port_that_cannot_be_is_refused(command):
    done = CliRunner().invoke(main, [*command, "99999"])
    assert done.exit_code == 2
    assert "99999 is not in the range" in done.stderr


def test_the_board_alone_refuses_it_too(tmp_path):
    with pytest.raises(DriverError, match="There is no port 99999"):
        run_simulator(load_description("simulated"), PieceSet(), tmp_path / "b", (HOST, 99999))


def test_a_file_named_by_the_environment_is_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[pages]\nport = 'high'\n")
    done = CliRunner().invoke(main, ["run"], env={"FIRMWARE_BRIDGE_CONFIG": str(path)})
    assert done.exit_code == 3
    assert str(path) in done.stderr


def test_the_doctor_tells_a_missing_board_from_the_rest(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware_bridge.diagnostics.checkup.PATIENCE", 1.0)
    changes = ("board.settings.port=/dev/none", "pages.port=0", f"data={tmp_path}")
    done = CliRunner().invoke(main, ["doctor", *(f"--set={change}" for change in changes)])
    assert done.exit_code == 4
    assert "WRONG board: No board within" in done.stdout
    assert "/dev/none" in done.stdout
    assert "ok    storage" in done.stdout


def test_the_doctor_speaks_to_machines_too(tmp_path):
    changes = ("board.driver=telepathy", f"data={tmp_path}", "pages.port=0")
    done = CliRunner().invoke(main, ["doctor", "--json", *(f"--set={one}" for one in changes)])
    findings = json.loads(done.stdout)
    assert done.exit_code == 4
    assert {finding["state"] for finding in findings} <= {"good", "note", "bad"}
    assert any(f["about"] == "board" and "telepathy" in f["text"] for f in findings)


def test_the_doctor_sees_a_folder_that_cannot_be_used():
    changes = ("data=/proc/games", "board.driver=none", "pages.port=0")
    done = CliRunner().invoke(main, ["doctor", *(f"--set={one}" for one in changes)])
    assert "Games cannot be kept in /proc/games" in done.stdout
    assert done.exit_code == 5


def test_the_doctor_writes_where_games_are_to_be_kept(tmp_path):
    changes = (f"data={tmp_path}", "board.driver=none", "pages.port=0")
    command = [sys.executable, "-m", "firmware_bridge", "doctor", *(f"-s{one}" for one in changes)]
    done = subprocess.run(["prlimit", "--fsize=0", *command], check=False, capture_output=True)
    assert f"WRONG storage: Games cannot be kept in {tmp_path}" in done.stdout.decode()
    assert b"(File too large)" in done.stdout


def test_a_secret_that_cannot_be_read_is_a_sentence(tmp_path):
    (tmp_path / SECRET_FILE).mkdir()
    changes = ("board.description=simulated", f"data={tmp_path}", "pages.port=0")
    done = CliRunner().invoke(main, ["run", *(f"--set={one}" for one in changes)])
    assert done.exit_code == 5
    assert f"The journal in {tmp_path} cannot be used: Is a directory." in done.stderr


FOR_A_BOARD = (
    ["monitor", "--seconds=1"],
    ["pose", "dgt"],
    ["setup"],
    ["run"],
)


@pytest.mark.parametrize("command", FOR_A_BOARD, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ("pages.prot=1", 3, "did you mean 'port'"),
        ("board.driver=telepathy", 4, 'no board driver "telepathy"'),
        ("board.description=nothing", 4, 'no board description "nothing"'),
    ],
)
def test_commands_for_a_board_end_alike(tmp_path, monkeypatch, command, change, code, words):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, [*command, f"--set=data={tmp_path}", f"--set={change}"])
    assert done.exit_code == code
    assert words in done.stderr
    assert isinstance(done.exception, SystemExit)


@pytest.mark.parametrize(
    "arguments",
    [
        ["setup", "--game", "draughts"],
        ["simulate", "--game", "draughts"],
        ["rules", "show", "draughts"],
    ],
)
def test_an_unknown_game_on_the_command_line_is_a_usage_error(arguments):
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert f"no game 'draughts'; there are {', '.join(rules.games())} (" in done.stderr
    assert "rules list" in done.stderr


def test_a_piece_set_that_is_no_json_is_told_as_a_sentence(tmp_path):
    pieces = tmp_path / "pieces.json"
    pieces.write_text("wK", encoding="utf-8")
    done = CliRunner().invoke(main, ["simulate", "--pieces", str(pieces)])
    assert done.exit_code == 4
    assert f"{pieces} cannot be used:\n  Invalid JSON" in done.stderr


def test_a_piece_set_that_cannot_begin_the_game_is_a_usage_error(tmp_path):
    pieces = tmp_path / "pieces.json"
    pieces.write_text('{"pieces": []}', encoding="utf-8")
    done = CliRunner().invoke(main, ["simulate", "--pieces", str(pieces), "--moves", "e2e4"])
    assert done.exit_code == 2
    assert "cannot begin Indistinguishable Chess: " in done.stderr


@pytest.mark.parametrize("arguments", [["support", "FILE"], ["firmware", "build", "--out", "FILE"]])
def test_a_place_that_cannot_be_written_is_named(tmp_path, arguments, monkeypatch):
    monkeypatch.setattr("firmware_bridge.diagnostics.checkup.PATIENCE", 0.1)
    place = tmp_path / "file" / "below"
    place.parent.write_text("no folder")
    done = CliRunner().invoke(main, [str(place) if word == "FILE" else word for word in arguments])
    assert done.exit_code == 5
    assert f"{place} cannot be written: Not a directory." in done.stderr


def test_the_firmwares_help_explains_itself():
    result = CliRunner().invoke(main, ["firmware", "--help"])
    assert result.exit_code == 0
    assert {"build", "install", "check"} <= set(result.output.split())
