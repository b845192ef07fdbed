"""What a person can send when something went wrong: enough to find it, and no game given away.

Of a game with secrets only the kinds and times of its records are told, of any other all but the
names; of the configuration everything but names, keys and passwords; of a crash where it happened
and not what was said. The bundle is a zip of short texts, to be read before it is sent.
"""

from __future__ import annotations

import json
import platform
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from firmware_bridge.config import Config
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.loading import SECRET
from firmware_bridge.diagnostics.checkup import check_up
from firmware_bridge.diagnostics.logs import bare_trace
from firmware_bridge.journal import StorageFailed, newest
from firmware_bridge.messages.records import Record

CRASHES = "crashes"
"""The folder, beside the journal, in which crashes are kept."""
KEPT = 5
"""Crashes kept; of more the oldest are forgotten."""
HIDDEN = "(hidden)"
MODEL = Path("/proc/device-tree/model")
_PERSONAL = SECRET | {"players", "username", "address"}
_README = """\
This bundle was made by `firmware-bridge support`. Please look through it before you send it.

machine.json        versions of the system, of Python and of the libraries
configuration.json  what is configured; names, keys and passwords are hidden
checkup.json        what `firmware-bridge doctor` found, the board aside
last-game.jsonl     what was written down of the newest game; of a game with secrets only the
                    kinds and times of what happened
crashes/            where in the program it went wrong, if it did
"""


def keep_crash(folder: Path, error: BaseException) -> str:
    """Write down where an unexpected error came from; return a sentence that says where it is."""
    trace = bare_trace(error)
    kept = folder / CRASHES
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    path = kept / f"{stamp}.txt"
    try:
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(f"{trace}\n", encoding="utf-8")
        for old in sorted(kept.glob("*.txt"))[:-KEPT]:
            old.unlink()
    except OSError:
        return f"It came from here:\n{trace}\n"
    return f"Where it came from is written in {path}."


def write_bundle(config: Config, path: Path) -> list[str]:
    """Write the bundle; return the names of what is in it.

    Raises:
        OSError: when it cannot be written.
    """
    crashes = sorted((config.data / CRASHES).glob("*.txt"))
    texts = {
        "README.txt": _README,
        "machine.json": _json(_machine()),
        "configuration.json": _json(hidden(config.model_dump(mode="json"))),
        "checkup.json": _json(_checkup(config)),
        "last-game.jsonl": _last_game(config.data),
        **{f"crashes/{crash.name}": crash.read_text(encoding="utf-8") for crash in crashes},
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in texts.items():
            bundle.writestr(name, text)
    return list(texts)


def hidden(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with everything personal or secret hidden, however deep it lies."""
    return {
        key: HIDDEN
        if key in _PERSONAL and value
        else hidden(value)
        if isinstance(value, dict)
        else value
        for key, value in values.items()
    }


def told(records: Sequence[Record]) -> Iterable[dict[str, Any]]:
    """Yield what may be told of a game's records, as JSON values."""
    if not records or records[0].kind != "begun":
        return
    agreement = Agreement.from_data(records[0].data)
    secret = agreement.terms().secret
    options = dict(agreement.options)
    yield {"game": agreement.game, "options": options, "secret": secret}
    for record in records:
        line: dict[str, Any] = {"t_ms": record.t_ms, "kind": record.kind}
        if not secret:
            line["data"] = hidden(record.data)
        yield line


def _last_game(folder: Path) -> str:
    try:
        lines = list(told(newest(folder)))
    except (StorageFailed, ValueError) as error:
        lines = [{"unreadable": type(error).__name__}]
    return "".join(f"{json.dumps(line, sort_keys=True)}\n" for line in lines)


def _machine() -> dict[str, Any]:
    packages = sorted((found.name, found.version) for found in distributions())
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "model": MODEL.read_text(encoding="utf-8").strip("\0\n") if MODEL.exists() else "",
        "packages": dict(packages),
    }


def _checkup(config: Config) -> list[dict[str, str]]:
    """Return what the check-up says before it comes to the board, which the service may hold."""
    findings = []
    for finding in check_up(config):
        if finding.about == "board":
            break
        findings.append({"about": finding.about, "state": finding.state, "text": finding.text})
    return findings


def _json(value: object) -> str:
    return json.dumps(value, indent=2, sort_keys=True) + "\n"
