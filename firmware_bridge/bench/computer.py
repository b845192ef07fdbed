"""Plays seeded games against the computer at a whole table, with clumsy hands that carry out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from drivers.port import ButtonEvent
from firmware_bridge.bench.clumsiness import STYLES
from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import Row, by_hands_alone, choose, styles
from firmware_bridge.bench.harness import Harness
from firmware_bridge.bench.step_hands import StepHands
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.config.players import computer
from firmware_bridge.messages import Call, Chosen, Input
from firmware_bridge.messages.verdict import Step
from firmware_bridge.opponents.levels import level_of
from firmware_bridge.opponents.seat import Seat
from firmware_bridge.service.blind_spots import BlindSpots
from firmware_bridge.simulation import Style, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.simulation.script import Script
from firmware_bridge.table import Agreement, Table
from firmware_bridge.views import Attempted, Told
from rules.interface import Side, Turn
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
GAPS = 0.1
"""How often nobody watches the board for a while, before a turn of the player and while hands carry
out; nothing happens there meanwhile."""
QUICK = 0.3
"""How often the person moves before hands have rested."""
SENSORS: tuple[Style, ...] = ("bounce", "late-tag", "nudge")


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
            figures.fail(told)
    return figures


class _Failed(Exception):  # noqa: N818 - told, and the next game begins
    """What went wrong; the game cannot go on as it should have."""


class _NothingToPlay(Exception):  # noqa: N818 - the game is cut
    """Hands know no turn that they could make alone."""


class _Game(Harness):
    """One game: a table, its computer, the pieces and the hands of whoever sits there."""

    def __init__(
        self, row: Row, side: Side, level: int, seed: str, dice: Random, figures: Figures
    ) -> None:
        game = row.load()
        self.side = side
        self.mind = Seat(game, level_of(game.id, level), seed)
        self.dice = dice
        self.figures = figures
        self._told = 0
        self._unwatched = BlindSpots(game.squares)
        conduct = {"sealed": False, "time": "untimed", "press": dice.random() < 0.5}
        agreement = Agreement(
            game.id,
            options=row.options,
            settings=GameSettings.of(conduct),
            buttons=dice.random() < 0.5,
            players={side: computer(level)},
        )
        super().__init__(agreement, row.tier, game.start())
        self._hands = StepHands(simulated_pieces(game), self.pieces)
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
        before, number = self.position, self.table.state.number
        wanted = str(self.mind.choose().turn)
        self.feed(Chosen(self.t + 0.5, wanted, number))
        if self.table.state.number == number and self.position == before:
            return  # its game's referee ruled on what it tried
        if self.table.view(self.t).phase == "executing":
            self._carry_out(wanted)

    def _carry_out(self, wanted: str) -> None:
        goal, offences = self.table.state.played, dict(self.table.state.offences)
        self.figures.carried += 1
        for _ in range(MOST_STEPS):
            if self.table.view(self.t).phase != "executing":
                break
            if self.dice.random() < CUTS:
                self._cut()
            self._look_away()
            if self.dice.random() < ASTRAY:
                self._go_astray()
            else:
                self._follow()
            if self._is_quick():
                break
            self.wait(0.3)
        else:
            self.figures.dead += 1
            raise _Failed(f"{wanted} could not be carried out; {self._shown()} is asked for")
        self._put_right()
        if dict(self.table.state.offences) != offences:
            self.figures.fines += 1
            raise _Failed(f"an offence was found while {wanted} was carried out")
        # Where the computer plays on, what lies astray is led back with its next turn, also where
        # hands have made a turn meanwhile; after the game pieces go where people carry them.
        held = self.table.state.stage != "over" and not self.table.awaits_computer
        stands = self.table.state.played[: len(goal)] == goal
        if not stands or (held and self._astray()):
            self.figures.wrong += 1
            raise _Failed(f"{wanted} was carried out, but not on {sorted(self._astray())}")

    def _is_quick(self) -> bool:
        """Return whether the person moves, sometimes, as soon as the computer's pieces stand.

        Where owners are secret, hands rest before that.
        """
        secret = self.position.game.traits.owners_secret
        stands = not (secret or self._shown() or self.table.awaits_computer)
        return stands and self.dice.random() < QUICK

    def _put_right(self) -> None:
        """What a power cut has hidden is led back afterwards, at nobody's cost."""
        for _ in range(MOST_STEPS):
            if not self._astray() and self.verdict.kind in ("settled", "idle"):
                return
            self.wait(2.0)
            self._follow()

    def _shown(self) -> tuple[Step, ...]:
        if self.table.view(self.t).phase == "executing":
            return self.table.summary().facts.verdict.restore
        return self.verdict.restore

    def _astray(self) -> set[str]:
        """Return the squares that are full or empty and should not be."""
        position = self.position
        return (self.pieces.on.keys() & position.game.squares) ^ position.placement.keys()

    def _script(self) -> Script:
        return Script(self.pieces, self.dice, frozenset(self.dice.sample(SENSORS, 1)))

    def _follow(self) -> None:
        """Make what is shown, in any order, with one hand or two."""
        line = Timeline(self.position, self.pieces.standing(), self.dice)
        script = self._script()
        self.figures.steps += self._hands.follow(script, self._shown())
        line.follow(script.felt(), at=0.0)
        if self.dice.random() < CLUMSY:
            self.dice.choice(list(STYLES.values()))(line)
        self.do(line.acts)

    def _go_astray(self) -> None:
        """Do what nobody asked for."""
        self.figures.astray += 1
        match self.dice.choice(("carry", "lift", "take off", "press", "wait")):
            case "press":
                self.feed(ButtonEvent(self.t + 0.1, self.dice.choice(SIDES)))
            case "wait":
                self.wait(self.dice.choice((1.0, 10.0, 100.0)))
            case way:
                script = self._script()
                if way == "carry":
                    self._hands.carry_something(script, self.position.game.squares)
                elif way == "lift":
                    self._hands.lift_something(script)
                else:
                    self._hands.take_something_off(script)
                self.feel(script.felt())

    def _look_away(self) -> None:
        """Do not watch for a while, sometimes; what is felt next is the first news of it."""
        if self.dice.random() < GAPS:
            self._unwatched.lost()

    def feed(self, item: Input) -> None:
        """Let something happen, and first what the service makes of a gap before it."""
        for first in self._unwatched.first(item, self.table):
            super().feed(first)
        super().feed(item)

    def _cut(self) -> None:
        """Lose the power, and come back."""
        self.figures.cuts += 1
        self.table = Table.resume(
            self.table.records, self.sensing, now=self.t, standing=self.pieces.standing()
        )
        self.table.take_up()
        self.feed(Call(self.t + 1.0, "resume", opponent(self.side)))

    # the person's turn

    def _person(self) -> None:
        before, turn = self.position, self._chosen()
        if turn is None:
            raise _NothingToPlay
        offences = dict(self.table.state.offences)
        chosen = styles(self.dice)
        self.figures.turns += 1
        self.hush()
        self._look_away()
        if before.deed(turn).physical:
            made = play(before, turn, self.pieces, self.dice, chosen)
            quick = self.table.view(self.t).phase == "executing"
            begins = self.dice.uniform(0.04, 0.2) if quick else 0.5
            pause = self.dice.uniform(0.2, 0.6)
            self.make(turn, made, presses=self.agreement.buttons, before=begins, after=pause)
        else:
            self.answer(str(turn), after=0.5)
        right = self.position == before.play(turn)
        right &= dict(self.table.state.offences) == offences
        self.figures.right += right
        if not right:
            buttons = "buttons" if self.table.agreement.buttons else "no buttons"
            found = f"{self.position}, {self.verdict.kind}, {self.table.state.trouble}"
            raise _Failed(f"{before}: {turn} with {sorted(chosen)}, {buttons}: {found}")

    def _chosen(self) -> Turn | None:
        """Return a turn that hands can make alone."""
        position = self.position
        for _ in range(50):
            turn = choose(position, self.dice)
            if by_hands_alone(position, turn, self.side):
                return turn
        return None
