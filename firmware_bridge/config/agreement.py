"""What is agreed before a game, and what of it holds throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self, cast

import rules
from firmware_bridge.clock import control
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.config.players import computer, computers
from firmware_bridge.games import metadata
from firmware_bridge.messages.records import PhoneSeat
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.puzzles import Puzzle, find
from firmware_bridge.referee.game_state import Terms
from firmware_bridge.words.catalogue import hold_said
from rules.interface import OptionValue, Outcome, Side, Tier
from rules.values import SIDES, opponent

FAR_AWAY = {"time", "penalty"}
"""Settings that both hosts of a game must have alike; all others are each board's own affair."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What was agreed before the game.

    Attributes:
        options: its options; those not named have their defaults.
        settings: time control and the like.
        players: names by side, `computer LEVEL` for a computer.
        position: canonical text of another start than the game's own, or `None`.
        buttons: whether the board or the phones have clock buttons.
        chosen: whether people chose this game; otherwise the configuration did.
        rematch_of: the id of the game that the same players have played before, with the colours
            exchanged; empty if this is no rematch.
        seats: in a rematch, with which claim the phone that has a side's seat had the other one.
        joined: whether this is no rematch, colours are kept: a computer took a seat of that game,
            which goes on from its position if it had one, or a person took a computer's.
        puzzle: the id of the puzzle that is to be solved instead of a game; empty if none is.
        score: what each side has won in the games before of this row of rematches, half a point
            for a draw.
        away: the side whose player sits at a board far away, if one does.
        line: names the letters that are exchanged about a game with him; empty in other games.
    """

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    settings: GameSettings = field(default_factory=GameSettings)
    players: Mapping[Side, str] = field(default_factory=dict)
    position: str | None = None
    buttons: bool = True
    chosen: bool = False
    rematch_of: str = ""
    seats: Mapping[Side, int] = field(default_factory=dict)
    joined: bool = False
    puzzle: str = ""
    score: Mapping[Side, float] = field(default_factory=dict)
    away: Side | None = None
    line: str = ""

    @classmethod
    def to_solve(cls, puzzle: Puzzle, settings: GameSettings, *, buttons: bool) -> Self:
        """Return what is agreed where a puzzle is to be solved: a computer plays all answers.

        A lesson has none.
        """
        side = rules.load(puzzle.game).parse(puzzle.position).side
        return cls(
            puzzle.game,
            settings=settings,
            players={} if puzzle.lesson else {opponent(side): computer(LEVELS[-1])},
            position=puzzle.position,
            buttons=buttons,
            chosen=True,
            puzzle=puzzle.id,
        )

    @property
    def computers(self) -> Mapping[Side, int]:
        """At which level a computer plays, by side.

        With somebody far away both are people: what each is called is his own affair.

        Raises:
            BadSetting: when there is no such level.
        """
        return {} if self.away else computers(self.players)

    @property
    def elsewhere(self) -> frozenset[Side]:
        """The sides without a player at this board: of computers, and of somebody far away."""
        return frozenset((*self.computers, *((self.away,) if self.away else ())))

    def scored(self, ending: Outcome | None) -> Mapping[Side, float]:
        """Return the score with this game added, if it has ended."""
        if ending is None:
            return self.score
        won = dict.fromkeys(SIDES, 0.5) if ending.winner is None else {ending.winner: 1}
        return {side: self.score.get(side, 0) + won.get(side, 0) for side in SIDES}

    def rematch(
        self,
        of: str,
        seats: Mapping[Side, PhoneSeat] | None = None,
        ending: Outcome | None = None,
    ) -> Agreement:
        """Return the same for another game of the same players, colours and time odds exchanged.

        `of` is the id of the game that is over, `seats` tell who has played it with a phone.
        """
        if self.puzzle:
            return replace(self, rematch_of=of)
        time = self.settings.time and str(control.parse(self.settings.time).exchanged())
        return replace(
            self,
            players={opponent(side): name for side, name in self.players.items()},
            settings=self.settings.model_copy(update={"time": time}),
            chosen=True,
            position=None if self.joined else self.position,
            rematch_of=of,
            seats={
                opponent(side): seat.claims for side, seat in (seats or {}).items() if seat.taken
            },
            joined=False,
            score={opponent(side): points for side, points in self.scored(ending).items()},
            away=None,  # whoever is far away is asked first
            line="",
        )

    def with_opponent(
        self, side: Side, level: int, of: str, position: str | None, seats: Mapping[Side, PhoneSeat]
    ) -> Agreement:
        """Return the same with a computer in a seat, or with a person instead of one.

        Args:
            side: the seat's.
            level: how strong the computer is; 0 for a person.
            of: the id of the game on the table, whose other player stays where he is.
            position: where that game stands and goes on; `None` to begin anew.
            seats: who has sat down at it with a phone.
        """
        players = {other: name for other, name in self.players.items() if other != side}
        if level:
            players[side] = computer(level)
        return replace(
            self,
            players=players,
            position=position or (None if self.joined else self.position),
            chosen=True,
            rematch_of=of,
            seats={other: seat.claims for other, seat in seats.items() if seat.taken},
            joined=True,
            score={},
        )

    def terms(self, tier: Tier = "identity") -> Terms:
        """Return what holds throughout the game.

        Raises:
            UnknownGame: when there is no such game or option, or the game cannot be used.
        """
        hold_said(self.game)
        game = rules.load(self.game, **self.options).with_tokens(self.elsewhere)
        defaults = metadata.of(game.id).defaults
        secret = game.traits.records_forbidden or game.traits.owners_secret
        memory = game.traits.records_forbidden and not game.traits.owners_secret
        blind = game.traits.owners_secret and tier == "occupancy"
        hides = blind if self.settings.sealed is None else self.settings.sealed
        sealed = hides and secret and self.buttons
        coach = self.settings.coach and not secret and self.buttons
        control = self.settings.time_control(defaults.time)
        press = self.settings.press
        awaited = not control.untimed if press is None else press
        far = self.away is not None
        return Terms(
            game=game,
            control=control,
            penalties=self.settings.penalty_table(defaults.penalty),
            buttons=self.buttons,
            waits_for_press=far or (self.buttons and (awaited or sealed or coach)),
            take_backs=self.settings.take_backs and not (secret or far),
            forgets=game.traits.owners_secret and not self.settings.touch_move,
            sealed=sealed,
            blind=blind,
            computers=self.computers,
            record=self.settings.record and memory,
            practice=self.settings.practice and not far,
            coach=coach and not far,
            puzzle=find(self.puzzle) if self.puzzle else None,
            lift_for_hint=self.settings.lift_for_hint and not self.settings.touch_move,
            away=self.away,
        )

    def to_data(self) -> dict[str, object]:
        """Return the agreement as JSON values, for the journal."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        plain = {name: dict(v) if isinstance(v, Mapping) else v for name, v in values.items()}
        return {**plain, "settings": self.settings.model_dump(exclude_defaults=True)}

    def agreed_far_away(self) -> dict[str, object]:
        """Return what both hosts of a game with somebody far away know alike, as JSON values."""
        settings = self.settings.model_dump(include=FAR_AWAY, exclude_defaults=True)
        data = {**self.to_data(), "settings": settings}
        return {name: data[name] for name in ("game", "options", "settings", "players", "line")}

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Agreement:
        """Return the agreement that `to_data` wrote."""
        values = cast("dict[str, Any]", data)
        settings = GameSettings.of(values["settings"])
        return cls(**{**values, "settings": settings})
