"""A table with tidy hands at it: plays turn texts as cell events, in virtual time."""

import copy
import itertools
import random

import rules
from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Answer, Call, Ended, Said, Tick
from firmware_bridge.messages.outputs import VerdictChanged
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Agreement, Table

TIERS = ("occupancy", "identity", "face")


def carrying(traits):
    """The least tier on which of all that a turn may be at most promotions are asked about."""
    enough = TIERS[TIERS.index(traits.least_tier) :]
    return next(tier for tier in enough if set(traits.asks_below.get(tier, ())) <= {"promotion"})


GAMES = {game.id: carrying(game.traits) for game in rules.games().values()}
"""Each game with a tier that can carry it."""


def knows(game_id, *line):
    """Whether turns of these texts can be made one after the other from the start of a game."""
    position = rules.load(game_id).start()
    try:
        for text in line:
            position = position.play(position.parse_turn(text))
    except rules.IllegalTurn:
        return False
    return True


OPENED_AS_CHESS = [game for game in GAMES if knows(game, "e2e4", "e7e5") and knows(game, "d2d4")]
"""Games in which the first moves of chess can be made."""


class Driven:
    """One table, its outputs and its records.

    Args:
        game: the game's id.
        tier: how much the cells tell.
        position: text of the position to begin with.
        settings: game settings by name.
        begin: whether play starts at once.
        computers: at which level a computer plays, by side.
        away: the side whose player is far away.
        line: names the letters of a game with him.
        puzzle: the id of the puzzle that is to be solved.
        kinds: whether cells that read pieces tell kinds alone, as boards of other makers do.
    """

    def __init__(
        self,
        game,
        *,
        tier=None,
        position=None,
        settings=None,
        options=None,
        buttons=True,
        begin=True,
        dice=None,
        start=None,
        computers=None,
        away=None,
        line="",
        unlit=False,
        puzzle="",
        kinds=False,
    ):
        self.kinds = kinds
        self.tier = tier or GAMES[game]
        self.t = 100.0
        self.agreement = Agreement(
            game,
            options=options or {},
            settings=GameSettings.of({"sealed": False, "press": True, **(settings or {})}),
            position=position,
            buttons=buttons,
            players={side: f"computer {level}" for side, level in (computers or {}).items()},
            away=away,
            line=line,
            puzzle=puzzle,
        )
        loaded = rules.load(game, **(options or {}))
        self.start = start or (loaded.parse(position) if position else loaded.start())
        self.spares = itertools.count()
        tags = {} if self.tier == "occupancy" else piece_set()
        self.sensing = Sensing(self.tier, tags, unlit=unlit)
        self.readings = {cell: self.reading(label) for cell, label in self.start.placement.items()}
        self.dice = dice
        self.outputs, self.records = [], []
        self.table = Table(
            self.agreement,
            self.sensing,
            now=self.t,
            standing=self.readings if begin else {},
            begin=begin,
            dice=dice,
            entropy=random.Random(f"{game} {away}").randbytes,
        )
        self.take(self.table.take_up())

    @property
    def position(self):
        return self.table.state.position

    @property
    def turns(self):
        """The turns that stand, as texts."""
        return [str(played.turn) for played in self.table.state.played]

    @property
    def view(self):
        return self.table.view(self.t)

    def gave(self, kind):
        """Return everything of this kind that it has given out."""
        return [output for output in self.outputs if isinstance(output, kind)]

    @property
    def verdicts(self):
        """The kind of each verdict that it has told."""
        return [told.verdict.kind for told in self.gave(VerdictChanged)]

    @property
    def said(self):
        return [output.key for output in self.gave(Said)]

    @property
    def ends(self):
        """Who won, and why, each time that it has ended."""
        return [(end.outcome.winner, end.outcome.reason) for end in self.gave(Ended)]

    def reading(self, label):
        """Return what a cell reads when a piece with this label comes from beside the board."""
        if self.tier == "occupancy":
            return True
        if self.kinds:
            return f"piece:{label}"
        label = label.rstrip("?")  # a token's face: any chessman that shows it
        return label if ":" in label else f"{label}/{next(self.spares)}"

    def take(self, batch):
        self.outputs += batch.outputs
        self.records += batch.records
        return batch

    def feed(self, item):
        return self.take(self.table.feed(item))

    def wait(self, seconds):
        self.t = round(self.t + seconds, 3)
        return self.feed(Tick(self.t))

    def cell(self, cell, reading, after=0.2):
        self.t = round(self.t + after, 3)
        if reading is None:
            self.readings.pop(cell, None)
        else:
            self.readings[cell] = reading
        return self.feed(CellEvent(self.t, cell, reading))

    def set_up(self, after=0.2):
        """Set every piece down where the game begins."""
        for cell, label in self.start.placement.items():
            self.cell(cell, self.reading(label), after)

    def carry(self, source, target, after=0.2):
        reading = self.readings.get(source, True)
        self.cell(source, None, after)
        self.cell(target, reading, after)

    def press(self, side, after=0.3):
        self.t = round(self.t + after, 3)
        return self.feed(ButtonEvent(self.t, side))

    def say(self, what, by=None, **data):
        self.t = round(self.t + 0.1, 3)
        return self.feed(Call(self.t, what, by, data))

    def answer(self, text, by=None):
        self.t = round(self.t + 0.1, 3)
        return self.feed(Answer(self.t, text, by))

    def play(self, *texts):
        """Play legal turns with tidy hands, and see that each stands."""
        for text in texts:
            self._play(text)

    def _play(self, text):
        before = self.position
        turn = before.parse_turn(text)
        deed, after = before.deed(turn), before.play(turn)
        if not deed.physical:
            self.answer(text)
        else:
            self.hands(deed, before, after)
            self.end_turn(text, before)
        assert str(self.position) == str(after), (text, self.table.reconciler.verdict)

    def hands(self, deed, before, after):
        for square in deed.taken:
            self.cell(square, None)
        lifted = {}
        for source, _ in deed.moves:
            lifted[source] = self.readings.get(source)
            self.cell(source, None)
        for source, target in deed.moves:
            if target in before.placement and target in self.readings:
                self.cell(target, None)
            self.cell(target, lifted[source])
        for square, label in deed.placed:
            self.cell(square, self.reading(label))
        for square, label in deed.flips:
            lying = self.readings[square]
            self.cell(square, None)
            if label[0] in {side[0] for side in before.game.tokens}:  # any other face will do
                self.cell(square, self.reading(other_token(before, square)))
                continue
            # A disc with like faces carries two tags all the same, one on each side.
            self.cell(square, f"{label}/2" if lying == label else label)
        for square, label in deed.becomes:
            self.cell(square, None)
            self.cell(square, self.reading(label))

    def end_turn(self, text, before):
        if self.table.reconciler.verdict.kind == "choice":
            self.answer(text)
        if self.position is before or str(self.position) == str(before):
            if self.agreement.buttons:
                self.press(before.side)
            else:
                self.wait(1.0)
                if self.table.reconciler.verdict.kind == "in-progress":
                    self.wait(10.0)  # what may have been only a touch is asked about in the end
        asked = self.table.reconciler.verdict.kind in ("choice", "extendable")
        if asked or (self.position is before and text.startswith("sacrifice")):
            self.answer(text)  # what only left the board may be in a hand yet

    def random_turns(self, seed, count):
        """Play at most `count` random turns; return their texts."""
        chooser = random.Random(seed)
        played = []
        while len(played) < count and self.table.state.stage == "playing":
            turns = [turn for turn, _ in zip(self.position.turns(), range(100), strict=False)]
            played.append(str(chooser.choice(turns)))
            self.play(played[-1])
        return played

    def resumed(self):
        """Return this table as it would come back after a crash of the service."""
        again = copy.copy(self)
        again.come_back(self.table.records, self.readings)
        return again

    def come_back(self, records, readings):
        """Go on with what was written down, on a board that reads as given."""
        self.t = 7.0  # another boot, another monotonic clock
        self.readings = dict(readings)
        self.outputs, self.records = [], []
        self.table = Table.resume(
            records, self.sensing, now=self.t, standing=self.readings, dice=self.dice
        )
        self.take(self.table.take_up())


def other_token(position, square):
    """Return a chessman that shows another face than the token which is due on a square."""
    shown = position.shown[square]
    return f"{shown.side[0]}{'N' if shown.kind != 'N' else 'R'}"


def illegal(position):
    """Return a movement of the mover's own piece onto an empty square that is no turn's."""
    own = (s for s, label in position.placement.items() if label[0] == position.side[0])
    empty = sorted(position.game.squares - position.placement.keys())
    moves = ((source, target) for source in sorted(own) for target in reversed(empty))
    return next(move for move in moves if position.objection([move]) is not None)


def piece_set():
    """Return tags for all that the games may need: many of every piece, and all discs."""
    pieces = {
        f"{side}{kind}/{number}": f"{side}{kind}"
        for side in "wb"
        for kind in "KQRBNP"
        for number in range(100)
    }
    faces = "PNBR"
    discs = {
        f"{side}{one}{two}:{down}"
        for side in "wb"
        for one, two in itertools.combinations_with_replacement(faces, 2)
        for down in {one, two}
    }
    return pieces | {disc: disc for disc in discs} | {f"{disc}/2": disc for disc in discs}
