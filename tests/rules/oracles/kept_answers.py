"""What the slow twins have answered: by day a twin is asked again only where that is not known.

A line of `kept_answers.txt` is a digest of the twins, of a question and of the answer, so none
holds for other twins; the first is of the twins alone. At night every question is asked again. To
keep the answers anew: `FIRMWARE_BRIDGE_KEEP_ANSWERS=1 pytest -n0 tests/rules`.
"""

import atexit
import hashlib
import json
import os
import textwrap
from pathlib import Path

from tests.nightly import NIGHTLY

HERE = Path(__file__).parent
FILE = HERE / "kept_answers.txt"
ASKED = ("mockery", "orthodox", "reality_check", "realm", "reversi")
SOURCES = (*(f"{name}_oracle.py" for name in ASKED), "reality_check_beliefs.py")
TWINS = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in SOURCES)).hexdigest()
KEEPING = bool(os.environ.get("FIRMWARE_BRIDGE_KEEP_ANSWERS"))
KEPT = frozenset() if KEEPING or NIGHTLY else frozenset(FILE.read_text().split())
ANSWERED = set()


def digest(question, answer):
    told = json.dumps([TWINS, question, answer], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def the_twin_agrees(found, *question, ask):
    """Whether what was found is what a twin answers to a question, asked of it if need be."""
    line = digest(question, found)
    if line not in KEPT:
        assert found == ask(), question
        ANSWERED.add(line)
    return True


def keep():
    """Write down what twins answered in this run."""
    lines = textwrap.wrap(" ".join(sorted(ANSWERED)), 100)
    FILE.write_text("\n".join([TWINS, *lines]) + "\n")


if KEEPING:
    atexit.register(keep)
