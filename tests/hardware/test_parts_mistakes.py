"""Mistakes in the files of parts, pins and builds: each has to be refused by its part's name."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from pydantic import ValidationError

from hardware.tools.agreement import contradictions
from hardware.tools.catalogue import HARDWARE, read_builds, read_parts
from hardware.tools.netlist import read_pinouts
from tests.nightly import NIGHTLY

READERS = {"parts": read_parts, "pinouts": read_pinouts, "builds": read_builds}
MISTAKES = Path(__file__).with_name("parts_mistakes.txt").read_text(encoding="utf-8").splitlines()
"""In which file and which of its sections, what becomes of which words, and what names it then."""


@cache
def read(name, text):
    """One of the three files, read once while nothing is mistaken in it; it has to be TOML."""
    return READERS[name](tomllib.loads(text))


def said(texts):
    """Everything that is wrong with the three files."""
    try:
        return list(contradictions(*(read(name, texts[name]) for name in READERS)))
    except ValidationError as error:
        return [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]


@pytest.fixture(scope="module")
def texts():
    return {name: (HARDWARE / f"{name}.toml").read_text(encoding="utf-8") for name in READERS}


def test_the_files_agree(texts):
    assert said(texts) == []


@pytest.mark.parametrize("line", MISTAKES if NIGHTLY else MISTAKES[::3])
def test_a_mistake_is_refused_by_the_name_of_its_part(line, texts):
    file, section, before, after, named = (word.strip() for word in line.split("|"))
    start = texts[file].index(section)
    head, tail = texts[file][:start], texts[file][start:]
    assert before in tail.partition("\n\n")[0]
    found = said(texts | {file: head + tail.replace(before, after, 1)})
    assert any(re.search(named, one) for one in found), found
