"""The guides point to what is there, and to commands that exist."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import main

HARDWARE = Path(__file__).parents[2] / "hardware"
PAGES = sorted(path for path in HARDWARE.rglob("*.md") if "node_modules" not in path.parts)
LINK = re.compile(r"\[[^\]]*\]\(([^)#]*)(#[^)]*)?\)")


def anchors(path):
    titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(HARDWARE)))
def test_links_lead_somewhere(page):
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        place = (page.parent / target).resolve() if target else page
        assert place.exists(), target
        if anchor:
            assert anchor[1:] in anchors(place), anchor


def test_named_commands_exist():
    known = set(main.list_commands(None))
    used = {
        name
        for page in PAGES
        for name in re.findall(r"firmware-bridge ([a-z]+)", page.read_text(encoding="utf-8"))
        if name not in {"pull", "runs"}
    }
    assert used >= {"firmware", "monitor", "setup", "doctor", "run"}
    missing = used - known
    assert not missing, f"the guides name commands that do not exist: {sorted(missing)}"


def test_firmware_help_explains_itself():
    result = CliRunner().invoke(main, ["firmware", "--help"])
    assert result.exit_code == 0
    assert {"build", "install", "check"} <= set(result.output.split())
