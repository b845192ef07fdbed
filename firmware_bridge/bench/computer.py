"""Plays seeded games against the computer at a whole table, with clumsy hands that carry out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from drivers.port import ButtonEvent
from firmware_bridge.bench.clumsiness import STYLES
from firmware_bridge.bench.games import Row, by_hands_alone, choose, styles
from firmware_bridge.bench.step_hands import StepHands
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.config.players import computer
from firmware_bridge.messages import Answer, Call, Chosen, Input, Ruled, Tick
from firmware_bridge.messages.verdict import Step
from firmware_bridge.opponents.levels import level_of
from firmware_bridge.opponents.seat import Seat
from firmware_bridge.reconciler import Sensing
from firmware_bridge.simulation import Change, Pieces, Style, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.simulation.script import Script
from firmware_bridge.table import Agreement, Table
from firmware_bridge.views import Attempted, Told
from rules.interface import Position, Side, Turn
from rules.values import SIDES, opponent

MOST_STEPS = 60
"""Hand movements after which a turn counts as one that hands cannot carry out: the longest turn
takes about twenty, and hands go astray in every third."""
QUICK_LEVELS = (1, 2, 3)
"""Those that think for milliseconds: what hands carry out knows no level."""
ASTRAY = 0.3
"""How often hands do something else than what is shown."""
CLUMSY = 0.3
"""How often hands are clumsy in some style while they make what is shown."""
CUTS = 0.03
"""How often the power fails while hands carry out."""
ASKED = 4.0
"""Seconds after which the board has asked what it has to ask, also about a piece in the air
(`Settings.hovering`)."""
SENSORS: tuple[Style, ...] = ("bounce", "late-tag", "nudge")


@dataclass(slots=True)
class Figures:
    """What came of some games.

    Attributes:
        games: how many were played.
        over: of these, played to their end.
        carried: turns that hands carried out for the computer.
        answered: turns that hands made themselves.
        steps: hand movements that were made as shown.
        astray: hand movements that were not.
        cuts: times that the power failed meanwhile.
        penalties: offences that were found while hands carried out.
        wrong: positions other than the turn leads to, after carrying out.
        stuck: turns that could not be carried out.
        misjudged: turns of the person that were not taken as made, or were found an offence.
        failures: what went wrong, in words.
    """

    games: int = 0
    over: int = 0
    carried: int = 0
    answered: int = 0
    steps: int = 0
    astray: int = 0
    cuts: int = 0
    penalties: int = 0
    wrong: int = 0
    stuck: int = 0
    misjudged: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether hands had no harm of the computer."""
        return not (self.penalties or self.wrong or self.stuck or self.misjudged)


def run(
    row: Row, games: int, plies: int, seed: int, levels: Sequence[int] = QUICK_LEVELS
) -> Figures:
    """Play games against these levels in turn, each colour in turn, and return the figures."""
    figures = Figures()
    for number in range(games):
        dice = Random(f"{seed}/{row.name}/{row.tier}/{number}")  # noqa: S311 - a game of chance
        side, level = SIDES[number % 2], levels[number % len(levels)]
        game = _Game(row, side, level, f"{seed} {number}", dice, figures)
        figures.games += 1
        try:
            figures.over += game.play(plies)
        except _NothingToPlay:
            continue
        except _Failed as failed:
            told = f"{row.name} {row.tier} game {number}, level {level} has {side}: {failed}"
            figures.failures.append(told)
    return figures


class _Failed(Exception):  # noqa: N818 - told, and the next game begins
    """What went wrong; the game cannot go on as it should have."""


class _NothingToPlay(Exception):  # noqa: N818 - the game is cut
    """Hands know no turn that they could make alone."""


class _Game:
    """One game: a table, its computer, the pieces and the hands of whoever sits there."""

    def __init__(
        self, row: Row, side: Side, level: int, seed: str, dice: Random, figures: Figures
    ) -> None:
        game = row.load()
        self.side = side
        self.t = 0.0
        self.mind = Seat(game, level_of(game.id, level), seed)
        self.dice = dice
        self.figures = figures
        men = simulated_pieces(game)
        self.pieces = Pieces(men, game.start().placement, row.tier)
        self._hands = StepHands(men, self.pieces)
        self._told = 0
        self._sensing = Sensing(row.tier, {} if row.tier == "occupancy" else self.pieces.tags)
        conduct = {"sealed": False, "time": "untimed", "press": dice.random() < 0.5}
        agreement = Agreement(
            game.id,
            options=row.options,
            settings=GameSettings.of(conduct),
            buttons=dice.random() < 0.5,
            players={side: computer(level)},
        )
        standing = self.pieces.standing()
        self.table = Table(agreement, self._sensing, now=0.0, standing=standing, begin=True)
        self.table.take_up()
        self.mind.know(self._briefing().start)

    def play(self, plies: int) -> bool:
        """Play; return whether the game came to its end."""
        for _ in range(plies):
            if self.table.state.stage != "playing":
                break
            if self.table.awaits_computer:
                self._computer()
            else:
                self._person()
        return self.table.state.stage == "over"

    @property
    def _position(self) -> Position:
        return self.table.state.position

    def _feed(self, item: Input) -> bool:
        """Feed the table; return whether an offence was ruled upon."""
        batch = self.table.feed(item)
        self.t = max(self.t, item.t)
        return any(isinstance(output, Ruled) for output in batch.outputs)

    def _feel(self, changes: Sequence[Change]) -> bool:
        start = self.t
        ruled = [self._feed(change.event(start)) for change in changes]
        return any(ruled)

    def _wait(self, seconds: float) -> bool:
        return self._feed(Tick(self.t + seconds))

    def _briefing(self) -> Told:
        return self.table.summary().briefing(self.side)

    # the computer's turn

    def _computer(self) -> None:
        events = self._briefing().events
        for event in events[self._told :]:
            if isinstance(event, Attempted):
                self.mind.rule(event.move)
            else:
                self.mind.see(event)
        self._told = len(events)
        before, number = self._position, self.table.state.number
        wanted = str(self.mind.choose().turn)
        self._feed(Chosen(self.t + 0.5, wanted, number))
        if self.table.state.number == number and self._position == before:
            return  # its game's referee ruled on what it tried
        if self.table.view(self.t).phase == "executing":
            self._carry_out(wanted)

    def _carry_out(self, wanted: str) -> None:
        goal, offences = self._position, dict(self.table.state.offences)
        self.figures.carried += 1
        for _ in range(MOST_STEPS):
            if self.table.view(self.t).phase != "executing":
                break
            if self.dice.random() < CUTS:
                self._cut()
            if self.dice.random() < ASTRAY:
                self._go_astray()
            else:
                self._follow()
        else:
            self.figures.stuck += 1
            raise _Failed(f"{wanted} could not be carried out; {self._shown()} is asked for")
        self._put_right()
        if dict(self.table.state.offences) != offences:
            self.figures.penalties += 1
            raise _Failed(f"an offence was found while {wanted} was carried out")
        # Where the computer plays on, what lies astray is led back with its next turn; after the
        # game pieces go where people carry them.
        held = self.table.state.stage != "over" and not self.table.awaits_computer
        if self._position != goal or (held and self._astray()):
            self.figures.wrong += 1
            raise _Failed(f"{wanted} was carried out, but not on {sorted(self._astray())}")

    def _put_right(self) -> None:
        """What a power cut has hidden is led back afterwards, at nobody's cost."""
        for _ in range(MOST_STEPS):
            if not self._astray() and self.table.reconciler.verdict.kind in ("settled", "idle"):
                return
            self._wait(2.0)
            self._follow()

    def _shown(self) -> tuple[Step, ...]:
        if self.table.view(self.t).phase == "executing":
            return self.table.summary().facts.verdict.restore
        return self.table.reconciler.verdict.restore

    def _astray(self) -> set[str]:
        """Return the squares that are full or empty and should not be."""
        position = self._position
        return (self.pieces.on.keys() & position.game.squares) ^ position.placement.keys()

    def _script(self) -> Script:
        return Script(self.pieces, self.dice, frozenset(self.dice.sample(SENSORS, 1)))

    def _follow(self) -> None:
        """Make what is shown, in any order, with one hand or two."""
        line = Timeline(self._position, self.pieces.standing(), self.dice)
        script = self._script()
        self.figures.steps += self._hands.follow(script, self._shown())
        line.follow(script.felt(), at=0.0)
        if self.dice.random() < CLUMSY:
            self.dice.choice(list(STYLES.values()))(line)
        start = self.t
        for act in line.acts:
            self._feed(replace(act, t=start + act.t))
        self._wait(0.3)

    def _go_astray(self) -> None:
        """Do what nobody asked for."""
        self.figures.astray += 1
        match self.dice.choice(("carry", "lift", "take off", "press", "wait")):
            case "press":
                self._feed(ButtonEvent(self.t + 0.1, self.dice.choice(SIDES)))
            case "wait":
                self._wait(self.dice.choice((1.0, 10.0, 100.0)))
            case way:
                script = self._script()
                if way == "carry":
                    self._hands.carry_something(script, self._position.game.squares)
                elif way == "lift":
                    self._hands.lift_something(script)
                else:
                    self._hands.take_something_off(script)
                self._feel(script.felt())

    def _cut(self) -> None:
        """Lose the power, and come back."""
        self.figures.cuts += 1
        self.table = Table.resume(
            self.table.records, self._sensing, now=self.t, standing=self.pieces.standing()
        )
        self.table.take_up()
        self._feed(Call(self.t + 1.0, "resume", opponent(self.side)))

    # the person's turn

    def _person(self) -> None:
        before, turn = self._position, self._chosen()
        if turn is None:
            raise _NothingToPlay
        offences = dict(self.table.state.offences)
        chosen = styles(self.dice)
        self.figures.answered += 1
        if before.deed(turn).physical:
            self._feel(play(before, turn, self.pieces, self.dice, chosen))
            self._confirm(turn, before)
        else:
            self._feed(Answer(self.t + 0.1, str(turn)))
        right = self._position == before.play(turn)
        if not right or dict(self.table.state.offences) != offences:
            self.figures.misjudged += 1
            buttons = "buttons" if self.table.agreement.buttons else "no buttons"
            found = f"{self._position}, {self._verdict()}, {self.table.state.trouble}"
            raise _Failed(f"{before}: {turn} with {sorted(chosen)}, {buttons}: {found}")

    def _chosen(self) -> Turn | None:
        """Return a turn that hands can make alone."""
        position = self._position
        for _ in range(50):
            turn = choose(position, self.dice)
            if by_hands_alone(position, turn, self.side):
                return turn
        return None

    def _confirm(self, turn: Turn, before: Position) -> None:
        """Press the clock, let the turn stand or be changed, or answer what is asked."""
        self._wait(self.dice.uniform(0.2, 0.6))
        if self.table.agreement.buttons and self._position == before:
            self._press_for(before)
            if self._open(before):
                self._set_down_again(turn, before)
                self._press_for(before)
        else:
            self._wait(ASKED)
        if self._open(before) or self._verdict() in ("choice", "extendable"):
            self._feed(Answer(self.t + 0.1, str(turn)))

    def _open(self, before: Position) -> bool:
        return self._position == before and self._verdict() != "choice"

    def _press_for(self, before: Position) -> None:
        if self._open(before):
            self._feed(ButtonEvent(self.t + 0.05, before.side))
            self._wait(ASKED)

    def _set_down_again(self, turn: Turn, before: Position) -> None:
        """Lift what was captured with, and set it down: what a capture that nobody felt wants."""
        script = Script(self.pieces, self.dice, frozenset())
        for _, target in before.deed(turn).moves:
            tag = script.lift(target)
            script.wait(0.3, 0.6)
            script.put(target, tag)
            script.wait(0.3, 0.6)
        self._feel(script.felt())
        self._wait(0.5)

    def _verdict(self) -> str:
        return self.table.reconciler.verdict.kind
