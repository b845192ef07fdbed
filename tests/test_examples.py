"""Examples in docstrings run, and every value that a driver makes has one."""

import ast
import doctest
import importlib
import re

import pytest

from tests.imports import MODULES, SOURCES, parsed

PATHS = {*SOURCES}
WITH_EXAMPLES = sorted(
    name
    for name, path in MODULES.items()
    if path in PATHS and re.search(r"(?m)^ +>>> ", path.read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_run_and_come_to_what_they_say(module):
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert tried
    assert not failed


@pytest.mark.parametrize("module", ["drivers.port", "drivers.board_reasons"])
def test_every_value_that_a_driver_makes_has_an_example(module):
    classes = [node for node in parsed(MODULES[module]).body if isinstance(node, ast.ClassDef)]
    made = [node for node in classes if node.decorator_list]
    assert made
    assert not [node.name for node in made if ">>> " not in (ast.get_docstring(node) or "")]
