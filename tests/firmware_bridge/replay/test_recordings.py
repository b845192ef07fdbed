"""Recordings: what can be read and written, and what is said of all that cannot."""

import io
import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.cli import main
from firmware_bridge.messages import Answer, Call, Declare, Tick
from firmware_bridge.recordings.format import BadRecording, Header, Recording, read, write

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DISCS = str(rules.load("reality-check").start())
HEADER = {
    "format": "firmware-bridge-recording",
    "version": 1,
    "game": "reversi",
    "options": {},
    "position": START,
    "tier": "occupancy",
    "clock": True,
}
LIFT = {"t": 1.0, "cell": "e2", "reading": None}

times = st.floats(0, 1e5).map(lambda t: round(t, 3))
cells = st.sampled_from(["a1", "e4", "h9", "hw1", "hb12"])
readings = st.none() | st.just(True) | st.text("0123456789ABCDEF", min_size=8, max_size=14)
sides = st.none() | st.sampled_from(["white", "black"])
events = st.one_of(
    st.builds(CellEvent, times, cells, readings),
    st.builds(ButtonEvent, times, st.sampled_from(["white", "black", "pause"])),
    st.builds(Answer, times, st.text(min_size=1), sides),
    st.builds(Declare, times, st.just("reality-check"), sides),
    st.builds(Call, times, st.just("distrust"), st.none(), st.just({"cell": "e4"})),
    st.builds(Call, times, st.just("resign"), st.sampled_from(["white", "black"])),
    st.builds(Snapshot, times, st.dictionaries(cells, readings)),
    st.builds(Tick, times),
)


@settings(deadline=None)
@given(st.lists(events), st.sampled_from([None, {"e2": "04AA", "hw1": True}]))
def test_what_is_written_is_read_again(happened, on):
    happened = tuple(sorted(happened, key=lambda event: event.t))
    tags = {"04AA": "wP"} if on else {}
    header = Header("reversi", START, "identity", True, tags=tags, on=on, settings={"grace": 1})
    recording = Recording(header, happened)
    assert read(write(recording)) == recording


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"format": "other"}, "format"),
        ({"version": 2}, "version 2"),
        ({"game": "go"}, "no game 'go'"),
        ({"game": 5}, "'game' must be a text"),
        ({"options": {"power": True}}, "no option 'power'"),
        ({"position": "nonsense"}, "position"),
        ({"tier": "magic"}, "tier"),
        ({"clock": "yes"}, "'clock' must be true or false"),
        ({"tier": None}, "occupancy, identity, face, not null"),
        ({"game": "reality-check"}, "position"),
        ({"game": "reality-check", "position": DISCS}, 'needs a board of the tier "face"'),
        ({"tags": {"04": "queen"}}, "'tags 04' must be a piece"),
        ({"tags": {"04": "wPN"}}, "wPN:N"),
        ({"on": {"j1": True}}, "a cell: a1"),
        ({"on": {"a1": 7}}, "'on a1' must be null"),
        ({"settings": {"grce": 1}}, "grace"),
        ({"computers": {"black": 9}}, "'computers black' must be a level, 1 to 7, not 9"),
        ({"computers": {"red": 1}}, "'computers' must be one of white, black"),
        ({"puzzle": "chess-9999"}, "has no puzzle 'chess-9999' here"),
        ({"puzzle": "chess960-1"}, "has no puzzle 'chess960-1' here"),
        ({"moves": []}, "'moves'; it knows format, version, game, position, tier, clock, options"),
    ],
)
def test_a_header_that_is_wrong_is_said_to_be_so(change, part):
    with pytest.raises(BadRecording, match=r"game\.jsonl, line 1") as bad:
        read([json.dumps({**HEADER, **change})], "game.jsonl")
    assert part in str(bad.value)


def test_what_comes_after_a_line_that_is_wrong_is_not_read():
    lines = iter([json.dumps(HEADER), "", "{", "never"])
    with pytest.raises(BadRecording, match="line 3"):
        read(lines)
    assert list(lines) == ["never"]


@pytest.mark.parametrize("key", [*HEADER, "more"])
@pytest.mark.parametrize("wrong", ["x" * 100_000, ["x" * 100_000], {"x" * 100_000: "x"}])
def test_what_is_wrong_is_not_said_at_the_length_of_the_file(key, wrong):
    with pytest.raises(BadRecording, match=r"^game\.jsonl, line 1: .{1,605}$"):
        read([json.dumps({**HEADER, key: wrong})], "game.jsonl")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[1]", "JSON object"),
        ('{"t": -1, "end": true}', "seconds"),
        ('{"t": true, "end": true}', "seconds"),
        ('{"t": NaN, "end": true}', "seconds"),
        ('{"cell": "e2", "reading": null}', "seconds"),
        ('{"t": 2, "cell": "e2"}', "reading"),
        ('{"t": 2, "cell": "z9", "reading": null}', "a cell: a1"),
        ('{"t": 2, "cell": "e2", "reading": false}', "'reading' must be null"),
        ('{"t": 2, "cell": "e2", "reading": ""}', "'reading' must be null"),
        ('{"t": 1e300, "end": true}', "seconds"),
        ('{"t": 2, "button": 4}', "'button' must be one of white, black"),
        ('{"t": 2, "button": "White"}', "'button' must be one of white, black"),
        ('{"t": 2, "declare": "check"}', "'declare' must be one of reality-check"),
        ('{"t": 2, "answer": null}', "'answer' must be a text"),
        ('{"t": 2, "call": "shout"}', "'call' must be one of"),
        ('{"t": 2, "call": "resign", "by": "red"}', "'by' must be one of white, black"),
        ('{"t": 2, "call": "distrust", "data": {"cell": 4}}', "'data cell' must be a text"),
        ('{"t": 2, "button": "white", "data": {}}', "an event has"),
        ('{"t": 2, "chosen": "e7e5"}', 'an event with "chosen" has its "number"'),
        ('{"t": 2, "chosen": "e7e5", "number": -1}', "'number' must be how many turns"),
        ('{"t": 2, "snapshot": []}', "'snapshot' must be a JSON object"),
        ('{"t": 2, "jump": 4}', "an event has"),
        ('{"t": 2, "button": "white", "answer": "e2e4"}', "an event has"),
    ],
)
def test_a_line_that_is_wrong_is_said_to_be_so(line, part):
    with pytest.raises(BadRecording, match="line 3") as bad:
        read([json.dumps(HEADER), json.dumps(LIFT), line])
    assert part in str(bad.value)


def test_the_mark_that_some_editors_write_first_is_passed_over():
    lines = list(map(json.dumps, [HEADER, LIFT]))
    assert read([f"\ufeff{lines[0]}", lines[1]]) == read(lines)


def test_events_that_come_late_are_put_in_the_order_of_their_times():
    late = [{"t": 2, "cell": "e4", "reading": True}, {"t": 1.5, "cell": "e2", "reading": None}]
    recording = read(map(json.dumps, [HEADER, *late, {"t": 2, "button": "white"}]))
    assert recording.events == (
        CellEvent(1.5, "e2", None), CellEvent(2.0, "e4", True), ButtonEvent(2.0, "white"),
    )  # fmt: skip


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_reserve_cells_alone_leave_the_board_as_the_position_says(tier):
    header = {**HEADER, "tier": tier, "on": {"hw1": True}}
    standing = read([json.dumps(header)]).header.standing()
    assert standing.keys() - rules.load("reversi").start().placement.keys() == {"hw1"}
    assert len(standing) == 33


@settings(deadline=None)
@given(st.lists(st.text() | st.binary().map(lambda raw: raw.decode("latin-1"))))
def test_nothing_else_than_a_plain_message_comes_of_garbage(lines):
    with pytest.raises(BadRecording):
        read(lines)


def test_the_command_says_what_is_wrong_and_where(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(HEADER) + "\n" + '{"t": 1}\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", str(path)])
    assert result.exit_code == 2
    assert "game.jsonl, line 2" in result.output
    assert "Traceback" not in result.output
    path.write_bytes(b"\xff\xfe\x00")
    assert "no text file" in CliRunner().invoke(main, ["replay", str(path)]).output


def test_the_last_line_tells_how_long_events_took(tmp_path):
    path = tmp_path / "game.jsonl"
    lines = [HEADER, LIFT, {"t": 2, "cell": "e4", "reading": True}, {"t": 3, "button": "white"}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    output = CliRunner().invoke(main, ["replay", str(path), "--referee"]).output
    *told, last = map(json.loads, io.StringIO(output))
    assert last.keys() == {"events", "per_event_us"}
    assert last["events"] == 3
    assert set(last["per_event_us"]) == {"median", "p99", "max"}
    taken = next(line for line in told if "taken" in line)
    assert taken["t"] == 3
    assert taken["position"].endswith("b KQkq e3 0 1")


def test_the_same_recording_gives_the_same_output(tmp_path):
    path = tmp_path / "game.jsonl"
    lines = [HEADER, LIFT, {"t": 2, "cell": "e5", "reading": True}, {"t": 9, "end": True}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    outputs = [CliRunner().invoke(main, ["replay", str(path)]).output for _ in range(2)]
    assert outputs[0].splitlines()[:-1] == outputs[1].splitlines()[:-1]


def test_every_verdict_can_be_explained(tmp_path):
    path = tmp_path / "game.jsonl"
    lines = [HEADER, LIFT, {"t": 2, "cell": "e5", "reading": True}, {"t": 9, "end": True}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    output = CliRunner().invoke(main, ["replay", str(path), "--why"]).output
    told = [json.loads(line) for line in output.splitlines()]
    lifted, odd, illegal = (line["why"] for line in told if "verdict" in line)
    assert lifted["possible"] == ["e2e3", "e2e4"]
    assert odd["possible"] == []
    assert odd["tried"] == [{"from": "e2", "to": "e5", "refused": "no-such-move"}]
    assert odd["ruled_out"] == []
    assert illegal["put_down"] == {"e5": True}


def told_why(tmp_path, header, events):
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(map(json.dumps, [header, *events])), encoding="utf-8")
    output = CliRunner().invoke(main, ["replay", str(path), "--why"]).output
    return [line["why"] for line in map(json.loads, output.splitlines()) if "verdict" in line]


def test_what_was_put_back_is_told_and_what_came_too_early_is_ruled_out(tmp_path):
    felt = [("d2", None), ("d2", True), ("e4", True), ("e2", None)]
    events = [{"t": n + 1.0, "cell": cell, "reading": r} for n, (cell, r) in enumerate(felt)]
    last = told_why(tmp_path, HEADER, [*events, {"t": 4.2, "end": True}])[-1]
    assert last["put_back"] == ["d2"]
    assert last["possible"] == []
    (came_first,) = last["ruled_out"]
    assert came_first["told"] == "e2e4"
    assert [one["factor"] for one in came_first["against"]] == ["came-first"]


def test_a_turn_among_very_many_is_named_all_the_same(tmp_path):
    text = "r5nr/5ppp/qP1k4/4p3/3PPPn1/b1NB4/b5PP/4K2R w K - 0 11"
    header = {**HEADER, "game": "realm", "options": {"power": True, "free": True}, "position": text}
    moves = [("d3", "c4"), ("c3", "a4"), ("d4", "d5")]
    events = [
        {"t": 1.0 + n + later, "cell": move[later], "reading": bool(later) or None}
        for n, move in enumerate(moves)
        for later in (0, 1)
    ]
    last = told_why(tmp_path, header, sorted(events, key=lambda event: event["t"]))[-1]
    assert "P-cd34:c3a4,d3c4,d4d5" in last["possible"]


def test_every_explanation_that_is_kept_bears_its_sum_factor_by_factor(tmp_path):
    """A queen in the air may stand, unfelt, on the only square where she takes."""
    header = {**HEADER, "clock": False, "position": "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1"}
    events = [{"t": 1.0, "cell": "d1", "reading": None}, {"t": 5.0, "end": True}]
    lifted, asked = told_why(tmp_path, header, events)
    (air,) = lifted["explanations"]
    assert (air["told"], air["sum"]) == ("pieces are in the air", -0.5)
    (taken,) = asked["explanations"]
    assert taken["told"] == "d1d5"
    assert taken["sum"] == sum(factor["weight"] for factor in taken["against"]) == -3.0
    assert taken["against"][0]["factor"] == "unfelt-victim"
    assert "without its cell opening" in taken["against"][0]["says"]
