"""The games of one movement a turn, judged from outside: hands in few words, and what must follow.

Steps: `-e2` lifts, `+e4` puts down what was lifted last (`+e4=e2`: what stood on e2, or a spare
such as `S-wQ`), `*e4` lets the sensor there chatter, `!` is the mover's clock, `?e7e8r` an answer.
Steps are 0.4 s apart; `>1` makes the next one follow after 1 s.
"""

import pytest

GAMES = ("indistinguishable", "mockery", "reversi")
TIERS = ("occupancy", "identity")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
OPEN = "r1bqkbnr/pppp1ppp/2n5/4p3/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 3"
LAST_RANK = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1"
PINNED = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1"

LEGAL = (
    ("at ease", START, "-e2 +e4", "e2e4"),
    ("opens very late", START, "+e4=T-e2 >0.3 -e2", "e2e4"),
    ("slide that stops", START, "-e2 +e3 >1.5 -e3 +e4=e3", "e2e4"),
    ("second thoughts, long", START, "-b1 +a3 >1.5 -a3 +c3=a3", "b1c3"),
    ("thinking over the victim", OPEN, "-e5 >3 -f3 >3 +e5=f3", "f3e5"),
    ("second thoughts, taking", OPEN, "-b1 +c3 >1 -c3 +b1=c3 -e5 >1.5 -f3 +e5=f3", "f3e5"),
    ("promotion taking, told", LAST_RANK, "-d8 -e7 +d8=e7 ?e7d8n", "e7d8n"),
)
OFFENCES = (
    ("own piece, no such move", START, "-e2 +e5", "no-such-move", ["e5"], [("e5", "e2")]),
    ("own piece, path blocked", START, "-a1 +a4", "path-blocked", ["a4"], [("a4", "a1")]),
    ("the opponent's piece", START, "-e7 +e5", "not-your-piece", ["e5"], [("e5", "e7")]),
    ("exposes the king", PINNED, "-e2 +g3", "exposes-king", ["g3"], [("g3", "e2")]),
)
OF_SEVERAL = (
    (
        "two turns at once",
        START,
        "-e2 >0.1 -d2 >0.1 +e4=e2 >0.1 +d4=d2",
        "too-many-pieces",
        ["d4", "e4"],
        [("d4", "d2"), ("e4", "e2")],
    ),
    (
        "an own piece stolen besides",
        START,
        "-a2 >0.1 -e2 >0.1 +e4=e2",
        "too-many-pieces",
        ["a2"],
        [("e4", "e2"), (None, "a2")],
    ),
)


def hands(board, steps):
    """Do what the steps say; the mover's clock is `!`."""
    side = "white" if " w " in board.header["position"] else "black"
    after = 0.4
    for step in steps.split():
        sign, what = step[0], step[1:]
        cell, _, piece = what.partition("=")
        if sign == ">":
            after = float(what)
            continue
        if sign == "-":
            board.off(cell, after)
            last = cell
        elif sign == "+":
            name = piece or last
            board.put(cell, True if name == "true" else name, after)
        elif sign == "*":
            _chatter(board, cell, after)
        elif sign == "?":
            board.answer(what, after)
        else:
            board.press(side, after)
        after = 0.4
    return board


def _chatter(board, cell, after):
    """Let a cell say the contrary of what it shows for 8 ms, twice."""
    shows = board.on.get(cell)
    shows = True if shows and board.tier == "occupancy" else shows
    board.wait(after)
    for _ in range(2):
        contrary = None if shows else (True if board.tier == "occupancy" else f"T-{cell}")
        board.read(cell, contrary).read(cell, shows, 0.008)


def at(game, position):
    return f"{position} -" if game == "mockery" else position


def cases(*table):
    return pytest.mark.parametrize("case", [pytest.param(row[1:], id=row[0]) for row in table])


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize("game", GAMES)
class TestLegal:
    @pytest.mark.parametrize("tier", TIERS)
    @cases(*LEGAL)
    def test_is_taken_once_and_without_alarm(self, board, case, game, tier, clock):
        if clock and (game, tier) == ("indistinguishable", "occupancy"):
            # What may tell whose a piece is can be answered once the press has asked for it.
            case = (case[0], case[1].replace("?", "! ?"), case[2])
        self.judge(board(game, at(game, case[0]), tier, clock), case, clock)

    def judge(self, board, case, clock):
        _, steps, turn = case
        told = hands(board, f"{steps} !" if clock and "?" not in steps else steps).end(2).replay()
        assert told.stand == (turn,)
        assert told.quiet
        assert not told.of("ruling")
        assert told.last["verdict"] == "settled"


def offences():
    """Every offence with every game; which of several pieces is whose may be a secret."""
    rows = [(game, row) for game in GAMES for row in OFFENCES]
    rows += [(game, row) for game in GAMES[1:] for row in OF_SEVERAL]
    return pytest.mark.parametrize(
        ("game", "case"), [pytest.param(game, row[1:], id=f"{game}-{row[0]}") for game, row in rows]
    )


@pytest.mark.parametrize("tier", TIERS)
@offences()
class TestIllegal:
    def test_glows_at_once_and_is_illegal_after_the_grace_time(self, board, case, game, tier):
        position, steps, reason, cells, way = case
        hand = hands(board(game, at(game, position), tier, clock=False), steps)
        last = hand.t
        told = hand.end(2).replay()
        odd = [line for line in told.of("verdict") if line["verdict"] == "unexplained"]
        [illegal] = [line for line in told.of("verdict") if line["verdict"] == "illegal"]
        assert odd[-1]["t"] == pytest.approx(last)
        assert illegal["t"] == pytest.approx(last + 0.8)
        self.judge(told, illegal, reason, cells, way)

    def test_is_illegal_at_once_when_the_clock_is_pressed(self, board, case, game, tier):
        position, steps, reason, cells, way = case
        hand = hands(board(game, at(game, position), tier, clock=True), f"{steps} >0.2 !")
        told = hand.end(2).replay()
        [illegal] = [line for line in told.of("verdict") if line["verdict"] == "illegal"]
        assert illegal["t"] == pytest.approx(hand.t - 2)
        self.judge(told, illegal, reason, cells, way)

    def judge(self, told, illegal, reason, cells, way):
        assert told.taken == []
        assert illegal["reason"] == reason
        assert illegal["cells"] == cells
        assert [(step["from"], step["to"]) for step in illegal["restore"]] == way

    def test_is_settled_once_put_back_as_told(self, board, case, game, tier):
        position, steps, *_, way = case
        hand = hands(board(game, at(game, position), tier, clock=True), f"{steps} >0.2 !").wait(1)
        for source, target in way:
            if source:
                hand.off(source)
                hand.put(target, source)
            else:
                hand.put(target, target)
        told = hand.end().replay()
        assert told.taken == []
        assert told.last["verdict"] == "settled"


@pytest.mark.parametrize("tier", TIERS)
class TestIndistinguishable:
    EXPOSED = "Illegal move - exposing your King to Check."
    OWED = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"

    @cases(
        ("the opponent's", START, "-e7 +e5", ["Illegal, opponent's piece."], 300),
        (
            "the opponent's, and it can be captured",
            OWED,
            "-d5 +d4",
            ["Illegal, opponent's piece.", "You must capture this piece."],
            300,
        ),
        (
            "the opponent's, and the king stands in check",
            "4k3/8/8/8/4r3/8/4n3/4K3 w - - 0 1",
            "-e2 +g3",
            ["Illegal, opponent's piece.", EXPOSED],
            600,
        ),
        ("exposed", PINNED, "-e2 +g3", [EXPOSED], 300),
        ("an own one", START, "-e2 +e5", ["Illegal move."], 300),
    )
    @pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
    def test_rules_in_these_words(self, board, case, tier, clock):
        position, steps, words, penalty = case
        hand = board("indistinguishable", position, tier, clock, time="45m")
        told = hands(hand, f"{steps} !" if clock else steps).end().replay()
        [line] = told.of("ruling")
        assert line["ruling"]["side"] == "white"
        assert line["ruling"]["penalty"] == penalty
        assert told.said[: len(words)] == words

    def test_asks_for_the_capture_until_it_is_made(self, board, tier):
        hand = board("indistinguishable", self.OWED, tier, True, time="45m")
        hands(hand, "-d5 +d4 >1 -d4 +d5=d4 >1 -g1 +f3 ! >1 -f3 +g1=f3 >1 -d5 -e4 +d5=e4 !")
        told = hand.end().replay()
        assert told.said.count("Illegal capture. Another capture attempt must be made.") == 1
        assert [line["ruling"].get("obligation") for line in told.of("ruling")] == ["d5", "d5"]
        assert told.stand == ("e4d5",)

    @pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
    @pytest.mark.parametrize("steps", ["-c6 >1 +c6", "-c6 >7 +c6 -e2 +e4", "-d1 -c6 >6 +c6 +d1=d1"])
    def test_shows_the_same_whoever_owns_a_piece(self, board, tier, clock, steps):
        told = [
            hands(
                board(
                    "indistinguishable", f"4k3/8/2{knight}5/8/8/8/4P3/3QK3 w - - 0 1", tier, clock
                ),
                steps,
            )
            .end()
            .replay()
            .lines
            for knight in "Nn"
        ]
        assert told[0] == told[1]


class TestTimes:
    @pytest.mark.parametrize("grace", [0.5, 0.8, 2.0])
    @pytest.mark.parametrize(("late", "alarm"), [(-0.001, False), (0.0, True), (0.001, True)])
    def test_of_grace(self, board, grace, late, alarm):
        hand = hands(board(clock=True, grace=grace), f"-e2 +e5 >{grace + late} -e5 +e4=e5 !")
        told = hand.end().replay()
        assert ("illegal" in told.verdicts) is alarm
        assert told.stand == ("e2e4",)

    @pytest.mark.parametrize("settle", [0.1, 0.3, 1.0])
    @pytest.mark.parametrize(("late", "taken"), [(-0.001, []), (0.0, ["e2e3"]), (0.001, ["e2e3"])])
    def test_of_settling(self, board, settle, late, taken):
        hand = hands(board(settle=settle), f"-e2 +e3 >{settle + late} -e3 +e4=e3")
        told = hand.end(3).replay()
        assert told.taken == (taken or ["e2e4"])
        assert told.amended == (["e2e4"] if taken else [])


@pytest.mark.parametrize("tier", TIERS)
class TestConverting:
    POSITION = "4k3/8/8/8/R2p1n2/4P3/8/4K3 w - - 0 1"

    @cases(
        ("declined", "-f4 -e3 +f4=e3 !", "e3f4"),
        ("anchor touched", "-f4 -e3 +f4=e3 >1 -a4 +a4=a4 !", "e3f4~a4"),
        ("turned over or exchanged", "-f4 -e3 +f4=e3 >1 -d4 +d4=S-wP !", "e3f4~a4"),
        ("told", "-f4 -e3 +f4=e3 ?e3f4~a4", "e3f4~a4"),
    )
    def test_is_what_the_hands_said(self, board, tier, case):
        steps, turn = case
        told = hands(board("reversi", self.POSITION, tier, True), steps).end().replay()
        assert told.stand == (turn,)
        assert told.quiet
        lit = [line["lights"] for line in told.of("lights")]
        assert {"a4": "convertible", "d4": "convertible"} in lit

    @pytest.mark.parametrize("square", ["a4", "d4"])
    @pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
    def test_is_no_chatter(self, board, tier, square, clock):
        steps = f"-f4 -e3 +f4=e3 >1 -{square} >0.02 +{square}"
        hand = hands(board("reversi", self.POSITION, tier, clock), f"{steps} !" if clock else steps)
        told = hand.end().replay()
        assert told.taken == (["e3f4"] if clock else [])


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_blamed_while_a_board_is_put_right_as_told(board, game, tier):
    knocked = {"d2": "e4", "b2": "h5", "g2": "e5", "a7": "g4", "c7": "c4", "h7": "a5", "e7": "g5"}
    hand = board(game, at(game, START), tier, True, time="45m")
    for square in knocked:
        hand.off(square, 0.05)
    for square, there in knocked.items():
        hand.put(there, square, 0.05)
    hand.wait(2)
    for square, there in knocked.items():
        hand.off(there).put(square, there).wait(1.5)
    told = hand.end().replay()
    assert "illegal" not in told.verdicts
    assert not told.of("ruling")
    assert told.last["verdict"] == "settled"


class TestMockery:
    def test_tells_and_lights_what_vanishes(self, board):
        position = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3 -"
        told = hands(board("mockery", position), "-e2 +e4").end().replay()
        assert told.said == [
            f"The {piece} is gone." for piece in ("king on e1", "pawn on g4", "pawn on h2")
        ]
        lights = dict.fromkeys(("e1", "g4", "h2"), "invisible")
        assert told.lights() == {**lights, "e2": "last-turn", "e4": "last-turn"}
