"""The players' pages: every command on them prints what the page says it prints."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import main

PAGES = Path(__file__).parents[2] / "docs" / "rules"
EXAMPLES = [
    (page.name, command, output)
    for page in sorted(PAGES.glob("*.md"))
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("page", "command", "output"), EXAMPLES)
def test_examples_print_what_the_page_says(page, command, output):
    program, *arguments = shlex.split(command)
    assert program == "firmware-bridge", page
    assert CliRunner().invoke(main, arguments).output == output


def test_every_game_has_a_page_with_examples():
    pages = {page for page, _, _ in EXAMPLES}
    import rules

    assert {f"{game_id}.md" for game_id in rules.games()} <= pages


def test_links_lead_somewhere():
    for page in PAGES.glob("*.md"):
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
