"""What the documents name exists: links, files, commands with their options, settings, modules."""

import re
import runpy
import shlex
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from drivers.claims import broken_claims
from drivers.description import load_description
from firmware_bridge.cli import main
from firmware_bridge.config import Config
from firmware_bridge.config.game_settings import GameSettings

ROOT = Path(__file__).parent.parent
PAGES = [
    page
    for place in ("*.md", "docs/**/*.md", "examples/**/*.md", "hardware/**/*.md")
    for page in sorted(ROOT.glob(place))
    if "node_modules" not in page.parts
]
LINK = re.compile(r"\[[^\]]*\]\(([^)#]*)(#[^)]*)?\)")
FOLDERS = ("docs", "drivers", "firmware_bridge", "hardware", "requirements", "rules", "tests")
NAMED_PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./*-]*)`")
IN_A_BLOCK = re.compile(r"^(?:    |\$ |sudo )*(firmware-bridge .*)$", re.MULTILINE)
IN_A_LINE = re.compile(r"`(firmware-bridge [^`]+)`")


def anchors(page):
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def found_on_pages(find):
    """Return what is found in the text of each page, with the page."""
    return [(page, found) for page in PAGES for found in find(page.read_text(encoding="utf-8"))]


def test_links_lead_somewhere():
    for page, (target, anchor) in found_on_pages(LINK.findall):
        if target.startswith("http"):
            continue
        place = (page.parent / target).resolve() if target else page
        assert place.exists(), (page, target)
        assert not anchor or anchor[1:] in anchors(place), (page, anchor)


def test_files_that_are_named_exist():
    for page, named in found_on_pages(NAMED_PATH.findall):
        assert [*ROOT.glob(named), *page.parent.glob(named)], (page, named)


def commands(text):
    blocks = "\n".join(
        re.findall(r"^```(?:sh|console)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    )
    indented = "\n".join(re.findall(r"^    .*$", text, re.MULTILINE))
    return IN_A_LINE.findall(text) + IN_A_BLOCK.findall(blocks) + IN_A_BLOCK.findall(indented)


def test_commands_exist_with_the_options_that_are_named():
    for page, text in found_on_pages(commands):
        words = shlex.split(re.split(r"\s#|\s>", text)[0].replace("[", "").replace("]", ""))[1:]
        command = main
        while words and isinstance(command, click.Group) and not words[0].startswith("-"):
            name = words.pop(0)
            command = command.get_command(click.Context(command), name)
            assert command is not None, (page, text, name)
        known = {"-h", "--help", *(o for p in command.params for o in (*p.opts, *p.secondary_opts))}
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert options <= known, (page, text)


REFERENCE = runpy.run_path(str(ROOT / "docs" / "reference_tables.py"))["pages"]()


@pytest.mark.parametrize(
    "name", sorted({*REFERENCE} - {"reasons.md"})
)  # with a game more it is longer
def test_made_pages_are_those_of_the_code(name):
    told = (ROOT / "docs" / "tables" / name).read_text(encoding="utf-8")
    assert told == REFERENCE[name], "make them anew: .venv/bin/python docs/reference_tables.py"


IN_TOML = re.compile(r"^ *```toml\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def test_every_example_of_a_configuration_is_one():
    examples = [(page, tomllib.loads(block)) for page, block in found_on_pages(IN_TOML.findall)]
    tried = [(page, made) for page, made in examples if made.keys() <= Config.model_fields.keys()]
    assert len(tried) > 6
    for page, example in tried:
        config = Config.model_validate(example)
        assert config.model_fields_set == example.keys(), page
        GameSettings.of(example.get("game", {}).get("settings", {}))


def test_the_examples_for_programs_run():
    told = (ROOT / "docs" / "rules" / "library.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", told, re.DOTALL)
    assert len(programs) == 2
    names = {}
    for program in programs:
        exec(program, names)
    assert str(names["turn"]) == "b3b4"
    assert names["belief"].count > 1


def test_the_example_of_a_board_keeps_its_promises(tmp_path):
    told = (ROOT / "docs" / "drivers.md").read_text(encoding="utf-8")
    board = tmp_path / "attic.toml"
    board.write_text(IN_TOML.search(told)[1], encoding="utf-8")
    assert not [*broken_claims(load_description(board))]


def test_pages_of_the_interface_are_made_from_its_docstrings(tmp_path):
    doors = ("drivers.port", "drivers.testing", "firmware_bridge.extensions", "rules")
    made = subprocess.run(
        ["pdoc", "--docformat", "google", "-o", str(tmp_path), *doors, "!rules.games"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert "Warn" not in made.stderr
    for name in doors:
        page = tmp_path / f"{name.replace('.', '/')}.html"
        assert "docstring" in page.read_text(encoding="utf-8"), name
