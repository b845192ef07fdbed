"""Who knows the page and the PIN lets an update start, goes back, and takes everything home."""

import threading
import zipfile

import pytest
from playwright.sync_api import expect

from hardware.install.updater import __main__ as program
from hardware.install.updater.__main__ import Updater
from hardware.install.updater.status import tell
from tests.patience import PATIENCE

pytestmark = pytest.mark.browser


def pressed(page, pin):
    page.fill("[name=key]", pin)
    page.click("button.main")


def test_buttons_reach_the_updater_and_everything_is_saved(demo, window, tmp_path, monkeypatch):
    updater = Updater(tmp_path)
    updater.wishes.mkdir(parents=True)
    monkeypatch.setattr(program, "_POLL", 0.05)
    monkeypatch.setattr(Updater, "game_runs", lambda _: True)
    tell(updater.status, "waiting", version="2.0.0")
    waits = threading.Thread(target=updater.wait_for_the_game, args=("2.0.0",), daemon=True)
    places = (f"updates.status={updater.status}", f"updates.wishes={updater.wishes}")
    with demo("--game", "reversi", *(f"--set={place}" for place in places)) as running:
        waits.start()
        page = window(f"{running.display}update")
        expect(page.get_by_text("Version 2.0.0 is ready")).to_be_visible()
        pressed(page, "0" * len(running.pin))
        expect(page.get_by_role("alert")).to_be_visible()
        assert waits.is_alive()
        pressed(page, running.pin)
        waits.join(PATIENCE)
        assert not waits.is_alive()
        tell(updater.status, "done", version="2.0.0", before="1.0.0")
        page = window(f"{running.display}update")
        expect(page.get_by_text("Back to version 1.0.0")).to_be_visible()
        pressed(page, running.pin)
        expect(page.get_by_role("status")).to_contain_text("within a minute")
        assert updater.wished("back")

        page = window(f"{running.display}save")
        pressed(page, "0" * len(running.pin))
        expect(page.get_by_role("alert")).to_be_visible()
        with page.expect_download() as download:
            pressed(page, running.pin)
        with zipfile.ZipFile(download.value.path()) as saved:
            assert "configuration.json" in saved.namelist()
        assert download.value.suggested_filename in page.get_by_role("status").text_content()
