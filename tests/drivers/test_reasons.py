"""Why a board is there or not: codes that drivers give, and one sentence for each."""

import ast
import string
from pathlib import Path

from drivers.board_reasons import SENTENCES, Reason

ROOT = Path(__file__).parents[2]
CODE = [*(ROOT / "drivers").rglob("*.py"), *(ROOT / "firmware_bridge/recordings").rglob("*.py")]
"""All drivers; that of recordings stands beside what reads them."""


def literals():
    """Return every text that stands in the drivers' code, reasons themselves left out."""
    return {
        node.value
        for path in CODE
        if path.name != "board_reasons.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def given():
    """Yield code and names of the values of each reason that the code gives as it stands."""
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name("Reason"), args=[ast.Constant(code), *rest]):
                    names = rest[0].keys if rest and isinstance(rest[0], ast.Dict) else []
                    yield code, {key.value for key in names}, bool(rest) and not names


def test_every_reason_that_a_driver_gives_has_a_sentence_with_its_values():
    reasons = list(given())
    assert len(reasons) > 20
    for code, names, elsewhere in reasons:
        gaps = {name for _, name, _, _ in string.Formatter().parse(SENTENCES[code]) if name}
        assert elsewhere or names == gaps, code


def test_no_sentence_is_left_that_no_driver_gives():
    texts = literals() | {f"differs-{what}" for what in ("cells", "buttons")}
    assert SENTENCES.keys() - texts == {"told"}  # for drivers of other packages


def test_what_follows_a_reason_is_told_after_it():
    lost = Reason("on-wire", {"wire": "GPIO"}, (Reason("restarted"), Reason("unpowered")))
    assert str(lost) == (
        "GPIO: The board has restarted. The board has gone silent. Is it still powered?"
    )
