"""All boards of a hall as the wall knows them: pure, made from messages and nothing else."""

from __future__ import annotations

import json
import unicodedata
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from firmware_bridge.mqtt.discovery import EXPIRES
from firmware_bridge.mqtt.topics import ONLINE
from firmware_bridge.views import Phase
from rules.interface import Side
from rules.values import SIDES

LARGEST = 16 * 1024
"""Bytes of a state; a real one has some two thousand."""
MOST = 20_000
"""Boards on one wall; more are not taken in."""
RESULTS = 20
"""Results that the wall goes on telling."""
OLDEST = 70.0
"""Seconds that a kept state can be old: boards repeat theirs every minute."""

LONGEST = 200
"""Letters of a name or sentence; of a longer one the beginning is shown."""


def _shown(text: str) -> str:
    """Return a text without what breaks lines or is not written at all, and not too long."""
    written = [letter for letter in text if unicodedata.category(letter) not in _NOT_WRITTEN]
    return "".join(written[:LONGEST])


_NOT_WRITTEN = {"Cc", "Zl", "Zp"}
"""Unicode's control characters, and ends of lines and paragraphs."""
Text = Annotated[str, AfterValidator(_shown)]
Cell = Annotated[str, Field(pattern=r"^[a-h][1-9]$|^h[wb][0-9]{1,2}$")]
Squares = Annotated[str, Field(pattern=r"^[a-h][1-9]( [a-h][1-9])*$", max_length=300)]
Presence = Literal["unheard", "online", "offline", "silent"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Clock(_Part):
    """One clock, as it stood at `as_of`."""

    left_ms: int | None
    running: bool
    fallen: bool = False
    delay_ms: int = 0


class BoardState(_Part):
    """What a board says of itself; see `firmware_bridge.mqtt.published_state`. More is left out."""

    board: Text
    shared: Text = ""
    away: Side | None = None
    as_of: AwareDatetime
    game: Text
    title: Text
    options: Text = ""
    phase: Phase
    to_act: Side | None = None
    turns: int = 0
    clocks: dict[Side, Clock]
    players: dict[Side, Text]
    headline: Text = ""
    urgent: bool = False
    result: Literal["1-0", "0-1", "1/2-1/2"] | None = None
    reason: Text | None = None
    squares: Squares
    regions: Annotated[list[Squares], Field(max_length=72)] = []
    ground: Literal["chequered", "uniform"] = "chequered"
    discs: bool = False
    pieces: dict[Cell, Annotated[str, Field(pattern=r"^[wb-][KQRBNP](:[a-z]+)*$", max_length=60)]]
    lights: dict[Cell, Annotated[str, Field(pattern=r"^[a-z-]+$", max_length=20)]] = {}
    faults: list[Cell] = []
    link: Text = ""


@dataclass(slots=True)
class Card:
    """One board on the wall.

    Attributes:
        presence: whether its service is there; `unheard` until that has been told, `silent` when
            it should have said something.
        text: its state as JSON, empty until it has told one.
        heard: when it said something last, in the wall's monotonic seconds.
        age: how old the state was then, in seconds.
        number: rises with every change anywhere on the wall.
        unreadable: why its newest state could not be read, as the key of a text and the place in
            the state; empty if it could.
        result: the result in the state.
    """

    presence: Presence = "unheard"
    text: str = ""
    heard: float = 0.0
    age: float = 0.0
    number: int = 0
    unreadable: tuple[str, str] | None = None
    result: str | None = None


class Hall:
    """The boards below one base topic.

    Attributes:
        number: rises with every change.
        results: games that ended while the wall looked, the newest first.
        strange: messages that could not be understood.
    """

    def __init__(self, base: str) -> None:
        self.base = base
        self.number = 0
        self.results: deque[dict[str, str]] = deque(maxlen=RESULTS)
        self.strange = 0
        # In the order of their last change, so that what changed is found without a search.
        self._cards: OrderedDict[str, Card] = OrderedDict()

    def __len__(self) -> int:
        return len(self._cards)

    def take(self, topic: str, payload: bytes, now: float, wall_clock: float) -> None:
        """Take in a message, at so many monotonic seconds, and so many since 1970."""
        board, _, what = topic.removeprefix(f"{self.base}/").partition("/")
        if board not in self._cards and (not payload or len(self._cards) >= MOST):
            return
        if what == "availability":
            self._present(board, "online" if payload == ONLINE.encode() else "offline", now)
        elif what == "state" and not payload:
            self._cards.pop(board, None)
            self.number += 1
        elif what == "state":
            told = _understood(payload)
            if isinstance(told, BoardState):
                self._state(board, told, now, wall_clock)
            else:
                self._unreadable(board, told, now)

    def silence(self, now: float) -> None:
        """Mark the boards that should have been heard."""
        overdue = [
            board
            for board, card in self._cards.items()
            if card.presence == "online" and now - card.heard > EXPIRES
        ]
        for board in overdue:
            self._changed(board, self._cards[board]).presence = "silent"

    def totals(self) -> dict[str, int]:
        """Return how many boards there are, and of these online."""
        online = sum(card.presence == "online" for card in self._cards.values())
        return {"boards": len(self._cards), "online": online}

    def changed_since(self, number: int, now: float) -> Iterator[str]:
        """Yield each card that changed after `number` as JSON, the newest change first."""
        for board, card in reversed(self._cards.items()):
            if card.number <= number:
                return
            age = round(1000 * (now - card.heard + card.age))
            head = f'{{"id":{json.dumps(board)},"presence":"{card.presence}","age_ms":{age}'
            unreadable = json.dumps(card.unreadable)
            yield f'{head},"unreadable":{unreadable},"state":{card.text or "null"}}}'

    def _present(self, board: str, presence: Presence, now: float) -> None:
        card = self._cards.get(board) or Card()
        if card.presence != presence:
            self._changed(board, card).presence = presence
        card.heard = max(card.heard, now) if presence == "online" else card.heard

    def _unreadable(self, board: str, why: tuple[str, str], now: float) -> None:
        self.strange += 1
        card = self._changed(board, self._cards.get(board) or Card())
        card.unreadable = why
        self._heard(card, now)

    def _state(self, board: str, told: BoardState, now: float, wall_clock: float) -> None:
        card = self._changed(board, self._cards.get(board) or Card())
        known = told.shared and any(told.shared == each["shared"] for each in self.results)
        if told.result and card.result is None and card.text and not known:
            self.results.appendleft(
                {
                    "board": told.board,
                    "title": told.title,
                    "players": " - ".join(told.players.get(side, "") for side in SIDES),
                    "result": told.result,
                    "shared": told.shared,
                }
            )
        self._heard(card, now)
        card.unreadable = None
        card.text = told.model_dump_json()
        card.result = told.result
        card.age = min(max(0.0, wall_clock - told.as_of.timestamp()), OLDEST)

    @staticmethod
    def _heard(card: Card, now: float) -> None:
        card.heard = now
        if card.presence == "silent":
            card.presence = "online"

    def _changed(self, board: str, card: Card) -> Card:
        self.number += 1
        card.number = self.number
        self._cards[board] = card
        self._cards.move_to_end(board)
        return card


def _understood(payload: bytes) -> BoardState | tuple[str, str]:
    """Return what a board says, or why it cannot be read: the key of a text, and the place."""
    if len(payload) > LARGEST:
        return "wall-unreadable-size", ""
    try:
        return BoardState.model_validate_json(payload)
    except ValidationError as error:
        detail = error.errors(include_input=False, include_url=False, include_context=False)[0]
        if detail["type"] == "json_invalid":
            return "wall-unreadable-text", ""
        return "wall-unreadable-part", _shown(".".join(map(str, detail["loc"])))
