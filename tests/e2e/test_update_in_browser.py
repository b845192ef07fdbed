"""Who knows the page and the PIN updates in three taps, goes back, and takes everything home."""

import json
import os
import re
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from hardware.install.updater import __main__ as program
from hardware.install.updater.__main__ import Updater
from hardware.install.updater.service import Service
from hardware.install.updater.status import tell
from hardware.tools.emulated_machine import PIN
from tests.nightly import at_night
from tests.patience import PATIENCE

pytestmark = pytest.mark.browser


def pressed(page, pin):
    page.fill("[name=key]", pin)
    page.click("button.main")


def wish(page, pin, button):
    page.get_by_label("PIN").fill(pin)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_text("It begins within a minute")).to_be_visible()


def test_who_reads_the_page_alone_updates_in_three_taps_and_goes_back(demo, window, tmp_path):
    updater = Updater(tmp_path)
    updater.wishes.mkdir(parents=True)
    offer = updater.offered / "offer.json"
    tell(updater.status, "done", version="1.0.0", ran="0.9.0", before="0.9.0")
    tell(offer, "offered", version="2.0.0", notes={"en": "Tea is hot.", "de": "Tee ist heiß."})
    places = {"status": updater.status, "wishes": updater.wishes, "offered": offer}
    settings = [f"--set=updates.{name}={place}" for name, place in places.items()]
    with demo("--game", "reversi", *settings) as running:
        page = window(f"{running.display}setup")
        page.get_by_role("link", name="Version and updates").click()
        expect(page.get_by_text("Tea is hot.")).to_be_visible()
        expect(
            page.get_by_text(re.compile("some minutes, in which the board can be"))
        ).to_be_visible()
        wish(page, running.pin, "Put version 2.0.0 in place")
        assert [wish.name for wish in updater.wishes.iterdir()] == ["install"]
        # From here on nobody touches anything: the page follows.
        updater.granted("install")
        offer.unlink()
        for state in ("building", "trying"):
            tell(updater.status, state, version="2.0.0")
            expect(
                page.get_by_text(re.compile(r"Version 2\.0\.0 (is being|starts)"))
            ).to_be_visible()
        tell(updater.status, "done", version="2.0.0", ran="1.0.0", before="1.0.0")
        expect(page.get_by_text("Version 2.0.0 runs")).to_be_visible()
        wish(page, running.pin, "Back to version 1.0.0")
        assert [wish.name for wish in updater.wishes.iterdir()] == ["back"]


@at_night("who reads the page alone presses most of these by day")
def test_buttons_reach_the_updater_and_everything_is_saved(demo, window, tmp_path, monkeypatch):
    updater = Updater(tmp_path)
    updater.wishes.mkdir(parents=True)
    (updater.releases.home / "releases").mkdir(parents=True)
    (updater.releases.home / "current").symlink_to(updater.releases.home / "releases/1.0.0")
    monkeypatch.setattr(program, "_POLL", 0.05)
    monkeypatch.setattr(Service, "playing", lambda _: True)
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
        tell(updater.status, "done", version="2.0.0", ran="1.0.0", before="1.0.0")
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


@pytest.mark.timeout(7200)
@pytest.mark.skipif(
    not os.environ.get("FIRMWARE_BRIDGE_UPDATES"),
    reason="needs a card and a kernel, as root; set FIRMWARE_BRIDGE_UPDATES=FOLDER,BUNDLE",
)
def test_who_reads_the_page_alone_updates_a_machine_in_mid_game_and_goes_back(window):
    folder, bundle = os.environ["FIRMWARE_BRIDGE_UPDATES"].split(",")
    command = [sys.executable, "-m", "hardware.tools.update_trial", folder, "--bundle", bundle]
    with subprocess.Popen(
        [*command, "--page"], cwd=Path(__file__).parents[2], stdin=-1, stdout=-1, text=True
    ) as machine:
        try:
            seen = map(json.loads, machine.stdout)
            address = next(line["address"] for line in seen if "address" in line)
            page = window(address)

            def tells(*texts):
                for text in texts:
                    expect(page.get_by_text(text).first).to_be_visible(timeout=1_200_000)

            page.get_by_role("link", name="New game").click()
            page.get_by_role("link", name="Version and updates").click()
            new = Path(bundle).stem.rpartition("-")[2]
            tells("What is new", what_runs := re.compile(r"Version (\S+) runs"))
            old = what_runs.search(page.get_by_text(what_runs).first.text_content())[1]
            wish(page, PIN, f"Put version {new} in place")
            for running, runs, before in (
                ("in place. The board can be played meanwhile", new, old),
                (f"Version {old} is ready", old, new),
            ):
                tells(running, "waits until the game has ended")
                page.get_by_label("PIN").fill(PIN)
                page.get_by_role("button", name="Start the update now").click()
                tells("on trial", f"Version {runs} runs. Before it, {before} did.")
                if runs == new:
                    wish(page, PIN, f"Back to version {old}")
            page.goto(address)
            tells("Paused. Press a clock button to go on.")
        finally:
            machine.stdin.close()
    assert machine.returncode == 0
