"""From what the board feels to verdicts, turns taken and amended, and the way back."""

from firmware_bridge.reconciler.findings import (
    AnswerRefused,
    Arranged,
    CellDoubted,
    CellSuspected,
    CellTrusted,
    Finding,
    Judged,
    KingsPlaced,
    PressFirst,
    PressRefused,
    Presumed,
    StartShown,
    TagUnknown,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.reconciler import Reconciler
from firmware_bridge.reconciler.reports import Handling
from firmware_bridge.reconciler.settings import Sensing, Settings

__all__ = [
    "AnswerRefused",
    "Arranged",
    "CellDoubted",
    "CellSuspected",
    "CellTrusted",
    "Finding",
    "Handling",
    "Judged",
    "KingsPlaced",
    "PressFirst",
    "PressRefused",
    "Presumed",
    "Reconciler",
    "Sensing",
    "Settings",
    "StartShown",
    "TagUnknown",
    "TurnAmended",
    "TurnTaken",
    "TurnsUndone",
]
