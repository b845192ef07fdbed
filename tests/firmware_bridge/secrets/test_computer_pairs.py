"""Reality Check: a computer is told no secret of the person, and nobody one of the computer."""

import pytest

from firmware_bridge.messages import Chosen
from firmware_bridge.referee import remarks
from firmware_bridge.referee.transition import say
from firmware_bridge.service.seat_process import lines
from firmware_bridge.table.computer_turns import STILL
from firmware_bridge.table.tokens import Tokens
from firmware_bridge.views.lights import lights
from rules.belief import Knowledge
from rules.games.reality_check.game import RealityCheckPosition
from tests.firmware_bridge.secrets import test_reality_check_pairs as discs
from tests.firmware_bridge.secrets.anything import kill
from tests.firmware_bridge.secrets.test_any_hands import Anytime, Parted
from tests.firmware_bridge.secrets.test_reality_check_pairs import same_turns, set_token, worlds
from tests.firmware_bridge.secrets.worlds import Pair, chooser, table
from tests.nightly import NIGHTLY

OPTIONS = [
    {},
    {"memory": True, "retreat": True, "flexible": True},
    {"dice": 1, "memory": True},
    {"dice": 2, "board": "advanced"},
]
PAIRS = 100 if NIGHTLY else 2
TURNS = 20 if NIGHTLY else 6
PERSON, COMPUTER = "white", "black"


def pair_of(random, options, hidden, seats, *, buttons=True, press=True):
    """Return two games that differ in what one side hides; the tokens on both tables are alike."""
    starts = worlds(random, options, hidden=(hidden,))
    tables = []
    for start in starts:
        stands = {s: x for s, x in start.placement.items() if x[0] == "w"}
        tokens = {s: x for s, x in starts[0].placement.items() if x[0] == "b"}
        conduct = {"press": press, "buttons": buttons, "computers": {COMPUTER: 1}, **options}
        tables.append(table("reality-check", start, tokens={**stands, **tokens}, **conduct))
    return Pair(*tables, seats=seats), starts[0].placement != starts[1].placement


def exchange_some(pair, random):
    """Set tokens of any faces where others stand, or nothing, think it over, put all back."""
    position, held = pair.positions[0], {}
    for _ in range(random.randint(1, 3)):
        own = [s for s, x in position.placement.items() if x[0] == COMPUTER[0]]
        square = random.choice(sorted(own) + sorted(position.game.squares.difference(own))[:3])
        if square not in held:
            held[square] = None
            if square in pair.worlds[0].readings:
                held[square] = pair.lift(square)
        elif square in pair.worlds[0].readings:
            pair.lift(square)
        set_token(pair, square, COMPUTER[0] + random.choice("PNBR"))
        if random.random() < 0.3:
            pair.press(random.choice([PERSON, COMPUTER]))
        pair.pass_time(random.choice([0.1, 0.5, 5.0]))
    for square, readings in held.items():
        pair.lift(square)
        if readings is not None:
            pair.cell(square, readings)
    pair.pass_time(1.0)


def carry_out(pair, *, haste=False):
    """Do on both tables what is shown, which must be the same: a turn, or the way back.

    In `haste` hands do not rest after the last movement: what comes next may be a turn.
    """
    for _ in range(20):
        if pair.worlds[0].view.phase not in ("executing", "restoring"):
            return
        left, alike = (w.table.summary().facts.verdict.restore for w in pair.worlds)
        assert [step[:2] for step in left] == [step[:2] for step in alike]
        if haste and not left:
            return
        # A lift counts once it has lasted, and after an adjustment.
        if not left or left[0].source not in {None, *pair.worlds[0].readings}:
            pair.pass_time(2 * STILL)
            continue
        step, like = left[0], alike[0]
        lying = pair.lift(step.source) if step.source else None
        if step.target is None:
            continue
        if step.source not in (None, step.target):
            pair.cell(step.target, lying)
        elif step.label.endswith("?"):
            assert step.label == like.label
            set_token(pair, step.target, step.label)
        else:
            pair.cell(step.target, [step.label, like.label])


def told(pair):
    return [lines(world.table.summary().briefing(COMPUTER)) for world in pair.worlds]


def choose(pair, texts):
    pair.later(0.3)
    numbers = [world.table.state.number for world in pair.worlds]
    pair.inputs(lambda world, i: Chosen(world.t, texts[i], numbers[i]))


def against_it(options, seed):
    """Play with other secrets of the person; return whether they differ, and what was told."""
    random = chooser(seed, sorted(options.items()))
    pair, differed = pair_of(random, options, PERSON, seats=(COMPUTER,))
    play(pair, random)
    heard = told(pair)
    assert heard[0] == heard[1]
    return differed, heard


def play(pair, random):
    """Play a person's turns and the computer's, until their difference shows."""
    for _ in range(TURNS):
        turns = None if pair.over else same_turns(random, pair.positions, pair.seats)
        if turns is None:
            break
        if pair.positions[0].side == COMPUTER:
            heard = told(pair)
            assert heard[0] == heard[1]
            if shows(pair, turns):
                break
            choose(pair, [str(turn) for turn in turns])
        else:
            discs.play(pair, turns)
        carry_out(pair)


def shows(pair, turns):
    """Return whether a turn of the computer shows it what the person hides."""
    after = [p.play(turn) for p, turn in zip(pair.positions, turns, strict=True)]
    return after[0].knowledge(COMPUTER) != after[1].knowledge(COMPUTER)


def of_its_own(options, seed):
    """Play with different secrets of the computer: what the person sees is the same."""
    random = chooser(seed, sorted(options.items()))
    tables, differed = pair_of(random, options, COMPUTER, seats=(PERSON,))
    pair = Anytime(*tables.worlds, seats=tables.seats)
    # A press beside tokens turned over may have been a look at them.
    return kept_secret(pair, against_secrets, random) and differed


def kept_secret(pair, play, random):
    """Play so; return whether no rule has made public what differs, see that nothing shows it."""
    try:
        play(pair, random)
    except Parted:
        return False
    pair.same()
    return True


def against_secrets(pair, random):
    for _ in range(TURNS):
        if pair.over:
            break
        if random.random() < 0.3:
            pair.lift_some(random, 3)
        if random.random() < 0.5:
            exchange_some(pair, random)
        turns = same_turns(random, pair.positions, pair.seats)
        if turns is None:
            break
        if pair.positions[0].side == COMPUTER:
            choose(pair, [str(turn) for turn in turns])
        else:
            discs.play(pair, turns)
        carry_out(pair)


def resumed_in_mid_turn(options, seed):
    """Let the power fail while a person's turn is half made, and tokens off or exchanged."""
    random = chooser("mid-turn", seed, sorted(options.items()))
    buttons = random.random() < 0.5
    tables, differed = pair_of(random, options, COMPUTER, seats=(PERSON,), buttons=buttons)
    pair = Anytime(*tables.worlds, seats=tables.seats)
    # A token turned over shows the other face of its piece.
    return kept_secret(pair, half_made, random) and differed


def half_made(pair, random):
    """Begin a person's turn and exchange a token, let the power fail, and put both back."""
    game, placement = pair.positions[0].game, pair.positions[0].placement
    source = random.choice(sorted(s for s, x in placement.items() if x[0] == PERSON[0]))
    target = random.choice(sorted(game.squares - placement.keys()))
    tokens = sorted(s for s, x in placement.items() if x[0] == COMPUTER[0])
    for exchanged in random.sample(tokens, 3):
        pair.cell(target, pair.lift(source))
        lying = pair.lift(exchanged)
        if random.random() < 0.7:
            set_token(pair, exchanged, COMPUTER[0] + random.choice("PNBR"))
        kill(pair)
        pair.pass_time(random.choice([0.5, 5.0]))
        pair.press(PERSON)
        if exchanged in pair.worlds[0].readings:
            pair.lift(exchanged)
        pair.cell(exchanged, lying)
        pair.cell(source, pair.lift(target))
        pair.pass_time(1.0)


@pytest.mark.parametrize("options", [*OPTIONS, {"board": "advanced"}], ids=str)
def test_a_table_resumed_in_mid_turn_tells_nothing_of_the_tokens(options):
    differed = [resumed_in_mid_turn(options, seed) for seed in range(PAIRS)]
    assert any(differed)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_it_is_told_and_says_the_same_whatever_the_person_hides(options):
    differed = [against_it(options, seed)[0] for seed in range(PAIRS)]
    assert any(differed)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_nobody_is_told_what_it_hides(options):
    differed = [of_its_own(options, seed) for seed in range(PAIRS)]
    assert any(differed)


def test_a_token_with_another_face_is_odd_wherever_it_stands():
    """Also where a disc that shows the same on both sides may lie, and so may not."""
    pair, differed = pair_of(chooser("odd"), {}, COMPUTER, seats=(PERSON,))
    assert differed
    game, placement = pair.positions[0].game, pair.positions[0].placement
    for number, square in enumerate(s for s, x in sorted(placement.items()) if x[0] == "b"):
        others = sorted({f"b{kind}" for kind in "PNBR"} - {game.face(placement[square])[:2]})
        lying = pair.lift(square)
        set_token(pair, square, others[number % len(others)])
        assert pair.worlds[0].view.judged.kind == "unexplained"
        assert lights(pair.worlds[0].view)[square] == "unexplained"
        pair.lift(square)
        pair.cell(square, lying)
    pair.same()


def test_a_leak_to_the_computer_is_found(monkeypatch):
    def leaking(position, side):
        told = known(position, side)
        return Knowledge(side, f"{told.text} {position}") if side == COMPUTER else told

    known = RealityCheckPosition.knowledge
    monkeypatch.setattr(RealityCheckPosition, "knowledge", leaking)
    with pytest.raises(AssertionError):
        assert [against_it({}, seed) for seed in range(2)]


def test_a_leak_after_a_crash_is_found(monkeypatch):
    monkeypatch.setattr(Tokens, "world", lambda _self, position, *_: position)
    with pytest.raises(AssertionError):
        assert [resumed_in_mid_turn({"flexible": True}, seed) for seed in range(4)]


def test_a_leak_from_the_computer_is_found(monkeypatch):
    def leaking(_, position, t_ms):
        true = [s for s, x in position.placement.items() if x[0] == "b" and x[1] == x[2]]
        return (say(t_ms, "want-off", **{"from": min(true, default="a4")}),)

    monkeypatch.setattr(remarks, "of_position", leaking)
    with pytest.raises(AssertionError):
        assert [of_its_own({}, seed) for seed in range(2)]
