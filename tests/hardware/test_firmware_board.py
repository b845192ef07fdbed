"""The firmware from contact to wire, on emulated chips."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.link import codec
from hardware.tools.electrical import problems
from tests.hardware.board_on_bench import OnBench
from tests.hardware.conftest import stop_the_clock
from tests.hardware.test_netlist import changed

KING = bytes.fromhex("04A1B2C3D4E5F6")
ROOK = bytes.fromhex("DEADBEEF")


@pytest.fixture
def full(clock):
    return OnBench.greeted(clock, "full")


def test_greets_with_what_the_description_says(full):
    hello = full.host.of(codec.Hello)[0]
    assert hello.fingerprint == full.description.fingerprint
    assert (hello.cells, hello.buttons, hello.name) == (92, 4, "full")


def test_a_placed_piece_is_felt_first_and_named_soon_after(full):
    full.put("e2", KING)
    full.run(4)
    assert full.felt() == [("e2", True)]
    full.run(60)
    assert full.felt() == [("e2", True), ("e2", KING)]


def test_a_lifted_piece_is_gone_at_once_even_while_it_is_being_read(full):
    full.put("e2", KING)
    full.run(6)
    assert full.bench.readers[full.number("e2")].field
    full.lift("e2")
    full.run(4)
    for _ in range(40):
        assert not full.bench.readers[full.number("e2")].field
        full.run(2.5)
    assert full.felt() == [("e2", True), ("e2", None)]


def test_every_cell_is_its_own(full):
    cells = full.description.built
    for index, cell in enumerate(cells):
        full.put(cell, bytes((1, 2, 3, index)))
        full.run(40)
    full.run(100)
    named = [(cell, reading) for cell, reading in full.felt() if reading is not True]
    assert named == [(cell, bytes((1, 2, 3, index))) for index, cell in enumerate(cells)]


def test_two_tags_on_one_reader_stay_unnamed_until_one_is_left(full):
    full.put("e4", ROOK, KING)
    full.run(500)
    assert full.felt() == [("e4", True)]
    full.put("e4", KING)
    full.run(500)
    assert full.felt()[-1] == ("e4", KING)


def test_a_tag_read_across_to_the_neighbour_is_not_told_of_it(full):
    full.put("e4", KING)
    full.run(100)
    full.put("f4", KING)  # a piece without a tag, whose reader hears its neighbour's
    full.run(3000)
    assert full.felt() == [("e4", True), ("e4", KING), ("f4", True)]
    full.put("f4", ROOK)  # pushed to the middle of its cell
    full.run(1000)
    assert full.felt()[-1] == ("f4", ROOK)


def test_a_tag_that_moved_without_a_reed_noticing_is_told_of_both_cells(full):
    full.put("e4", KING)
    full.run(100)
    full.put("e4")  # exchanged for a piece without a tag, in one quick movement
    full.put("f4", KING)
    full.run(3000)
    assert full.felt() == [
        ("e4", True),
        ("e4", KING),
        ("f4", True),
        ("e4", True),
        ("f4", KING),
    ]


def test_the_background_check_notices_an_exchange_that_the_reed_missed(full):
    full.put("e4", ROOK)
    full.run(100)
    full.put("e4", KING)
    full.run(400)
    assert full.felt()[-1] == ("e4", KING)


def test_one_field_at_a_time(full):
    for cell in ("a1", "b1", "c1"):
        full.put(cell, ROOK)
    for _ in range(400):
        full.run(1)
        assert sum(reader.field for reader in full.bench.readers) <= 1


@settings(max_examples=25)
@given(phase=st.integers(0, 3999), shift=st.integers(0, 7))
def test_a_contact_is_on_the_wire_after_two_samples_and_one_pass(phase, shift):
    """The longest way from a closing reed to the byte: 2 x 1.7 ms, and two passes of 0.5 ms."""
    with pytest.MonkeyPatch.context() as patch:
        board = OnBench(stop_the_clock(patch), "starter")
        board.host.greet()
        board.run(40 + shift)
        board.clock.now_us += phase
        board.put("e4")
        put_at = board.clock.now_us
        while not board.felt():
            board.run(0.5)
        assert board.clock.now_us - put_at <= 2 * 1667 + 2 * 500


@settings(max_examples=3)
@given(length=st.integers(1, 3))
def test_a_touch_of_less_than_a_sample_is_no_event(length):
    with pytest.MonkeyPatch.context() as patch:
        board = OnBench.greeted(stop_the_clock(patch), "starter")
        board.put("e4")
        board.run(length * 0.5)
        board.lift("e4")
        board.run(40)
        assert board.felt() == []


def test_buttons_bounce_and_count_once(full):
    pin = full.description.buttons[1].pin
    for level in (0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0):
        full.bench.inputs[pin] = level
        full.run(2)
    full.run(100)
    assert [event.button for event in full.host.of(codec.Button)] == [1]
    full.bench.inputs[pin] = 1
    full.run(100)
    full.bench.inputs[pin] = 0
    full.run(50)
    assert len({event.seq for event in full.host.of(codec.Button)}) == 2


def test_a_clocks_lever_is_two_contacts_of_which_one_is_closed(clock):
    board = OnBench(clock, "starter")
    white, black = (button.pin for button in board.description.buttons[:2])
    board.bench.inputs |= {white: 1, black: 0}  # it rests on Black's side when power comes
    board.restart()
    board.host.greet()
    board.run(100)
    assert board.host.of(codec.Button) == []
    for level in (0, 1, 0):  # White, Black, White end their turns
        board.bench.inputs |= {white: level, black: 1 - level}
        board.run(100)
    names = board.description.button_names
    pressed = {event.seq: names[event.button] for event in board.host.of(codec.Button)}
    assert list(pressed.values()) == ["white", "black", "white"]


def test_a_dead_reader_is_named_when_a_host_comes(clock):
    board = OnBench(clock, "full")
    board.bench.readers[board.number("c3")].dead = True
    board.run(600)
    board.host.greet()
    board.run(50)
    notice = board.host.of(codec.Notice)[-1]
    assert codec.NOTICES[notice.code] == "tag-reader-fault"
    assert notice.cells == (board.number("c3"),)


def test_self_test_on_request(full):
    full.host.say(codec.Command(1, codec.SELF_TEST))
    full.run(800)
    assert codec.NOTICES[full.host.of(codec.Notice)[-1].code] == "self-test-passed"
    full.bench.readers[5].dead = True
    full.host.say(codec.Command(2, codec.SELF_TEST))
    full.run(800)
    last = full.host.of(codec.Notice)[-1]
    assert (codec.NOTICES[last.code], last.cells) == ("self-test-failed", (5,))


def test_lights_reach_the_led_of_their_cell(full):
    signals = bytearray(92)
    signals[full.number("a2")] = 6  # must-go-here: red, steady
    full.host.say(codec.SetLights(1, 0, bytes(signals[:55])))
    full.run(80)
    lit = {led: colour for led, colour in enumerate(full.bench.leds.colours) if any(colour)}
    # The chain runs back along the second rank, so a2 is the sixteenth LED.
    assert lit == {15: (50, 0, 0)}  # 0.2 of full power


def test_a_command_sounds(full):
    full.host.say(codec.Command(9, codec.SOUNDS.index("illegal")))
    full.run(700)
    assert full.bench.tones == [330, 262]
    assert full.bench.tone is None


def test_a_host_that_does_not_read_costs_no_event_silently(full):
    full.host.reading = False
    for _ in range(80):
        full.put("e2")
        full.run(6)
        full.lift("e2")
        full.run(6)
    full.host.reading = True
    full.run(400)
    codes = [codec.NOTICES[notice.code] for notice in full.host.of(codec.Notice)]
    assert "overflow" in codes
    last = full.host.of(codec.Part)[-1]
    assert last.next == full.host.expected


def test_the_watchdog_is_fed_every_pass(full):
    before = full.dog.fed
    full.run(10)
    assert full.dog.fed == before + 20


def test_the_board_hangs_on_to_the_program_while_a_host_is_there(full):
    full.host.to_board += b"\r\x03"
    full.run(10)  # a game goes on
    from boardware.board import Maintenance

    full.run(6000)  # the host has been silent: the session is over
    full.host.to_board += b"\r\x03"
    with pytest.raises(Maintenance):
        full.run(300)


@pytest.mark.parametrize("before", [b"", b"half a fr", bytes(range(1, 100))])
@pytest.mark.parametrize("asks", [b"\r\x03", b"\r\x03\r\x01"])
def test_whatever_came_before_a_tool_that_loads_programs_is_heard(clock, before, asks):
    board = OnBench(clock, "starter")
    from boardware.board import Maintenance

    board.host.to_board += before
    board.run(300)
    board.host.to_board += asks
    with pytest.raises(Maintenance):
        board.run(300)


@pytest.mark.parametrize("nonce", [0x0D03, 0x030D, 0x0D0D, 0x0303, 0x0003, 0x0D00])
def test_no_greeting_is_taken_for_a_tool_that_loads_programs(clock, nonce):
    ask = codec.frame(codec.encode(codec.AskHello(codec.VERSION, nonce, 0, 0, 0)))
    for waiting in range(1, 10):
        board = OnBench(clock, "starter")
        board.host.to_board += ask * waiting  # sent while the board was starting
        board.run(300)
        assert {hello.nonce for hello in board.host.of(codec.Hello)} == {nonce}


def test_lights_for_a_board_that_has_just_restarted_do_not_stop_it(clock):
    board = OnBench(clock, "full")
    lights = codec.SetLights(1, 57, bytes([1] * 9 + [0] * 26))
    assert codec.frame(codec.encode(lights)).startswith(b"\r\x03")
    for _ in range(10):
        board.host.say(lights)
        board.run(60)
    board.run(300)


@pytest.mark.parametrize(
    "leds",
    [
        {"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}},
        {"driver": "max7219", "pins": {"clock": 14, "data": 15, "select": 13, "idle": 12}},
    ],
    ids=lambda leds: leds["driver"],
)
def test_a_dim_light_of_a_plain_led_is_half_on(clock, leds):
    board = OnBench.greeted(clock, changed("starter", leds=leds))
    signals = bytearray(64)
    signals[5] = 1  # last-turn: steady and dim
    signals[6] = 8  # invisible: steady
    board.host.say(codec.SetLights(1, 0, bytes(signals[:55])))
    board.run(100)
    dim = steady = 0
    for _ in range(1000):
        board.run(1)
        dim += 5 in board.bench.leds.lit()
        steady += 6 in board.bench.leds.lit()
    assert steady == 1000
    assert 400 <= dim <= 600


def test_a_chase_runs_from_low_places_to_high_ones(full):
    places = {full.number(cell): place for place, cell in enumerate(("a1", "b1", "c1", "d1"))}
    signals = bytearray(92)
    for number, place in places.items():
        signals[number] = 9 | place << 5
    full.host.say(codec.SetLights(1, 0, bytes(signals[:55])))
    full.run(100)
    peaks = []
    for _ in range(1400):
        full.run(1)
        bright = tuple(led for led in range(4) if full.bench.leds.colours[led][2] > 40)
        if bright and (not peaks or bright != peaks[-1]):
            peaks.append(bright)
    leaders = [group for group in peaks if group in {(0, 1), (1, 2), (2, 3), (0, 3)}]
    start = leaders.index((0, 1))
    assert leaders[start : start + 3] == [(0, 1), (1, 2), (2, 3)]


def test_a_board_of_diodes_needs_only_another_description(clock):
    rows = (16, 17, 18, 19, 20, 22, 26, 27)
    pins = {"column0": 0} | {f"row{row}": pin for row, pin in enumerate(rows)}
    description = changed("starter", reeds={"kind": "diode-matrix", "pins": pins})
    assert problems(description) == ()
    board = OnBench.greeted(clock, description)
    corners = ["a1", "h1", "a8"]  # without diodes, h8 would seem occupied
    for cell in corners:
        board.put(cell)
    board.run(20)
    assert sorted(board.felt()) == sorted((cell, True) for cell in corners)
