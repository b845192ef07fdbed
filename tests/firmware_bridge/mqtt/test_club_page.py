"""A hall set up as docs/club.md says, word for word, on a real Mosquitto.

Changed are only the folders, the port and the name of the machine, which are the test's own; what
needs root (whose files they are, the restart) is left out.
"""

import contextlib
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest

from tests.firmware_bridge.mqtt.broker import PROGRAM, Mosquitto
from tests.patience import PATIENCE, soon, until

pytestmark = pytest.mark.broker

PAGE = Path(__file__).parents[3] / "docs" / "club.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
NOT_HERE = ("chown", "systemctl")
DEBIAN = """\
user root
persistence true
persistence_location {folder}/
include_dir {folder}/conf.d
"""
"""What Debian's own mosquitto.conf says; the user is the test's, who may read its files."""


class Hall(Mosquitto):
    """The broker of the page."""

    def __init__(self, folder):
        super().__init__(folder)
        self.blocks = [
            (kind, self._here(text)) for kind, text in BLOCK.findall(PAGE.read_text("utf-8"))
        ]
        (folder / "conf.d").mkdir()
        self.config.write_text(DEBIAN.format(folder=folder))
        for text in self.all(""):
            path = re.match(r"# (\S+?):?\s", text)[1]
            Path(path).write_text(text)
        (script,) = (text for text in self.all("sh") if "openssl" in text)
        lines = [line for line in script.splitlines() if not line.startswith(NOT_HERE)]
        run = ["sh", "-euc", "\n".join(lines)]
        path = {"PATH": f"/usr/bin:/bin:{Path(PROGRAM).parent}"}
        subprocess.run(run, check=True, capture_output=True, env=path)
        self.words = dict(re.findall(r"mosquitto_passwd .*users (\S+) '(.*)'", script))

    def all(self, kind):
        return [text for its, text in self.blocks if its == kind]

    def _here(self, text):
        for there, here in (
            ("/etc/mosquitto", str(self.folder)),
            ("/etc/firmware-bridge", str(self.folder)),
            ("8883", str(self.port)),
            ("broker.local", "localhost"),
        ):
            text = text.replace(there, here)
        return text

    def board(self):
        """Return the page's configuration of a board, whose password lies where it says."""
        (text,) = self.all("toml")
        config = tomllib.loads(text)["mqtt"]
        Path(config["password_file"]).write_text(self.words[config["username"]])
        return {**config, "port": self.port}

    def wall(self):
        """Return the page's last command for a wall."""
        command = [text for text in self.all("sh") if "firmware-bridge wall " in text][-1]
        (self.folder / "wall-password").write_text(self.words["wall"])
        words = shlex.split(command.replace("\\\n", " ").replace("=8400", "=0"))
        return [sys.executable, "-u", "-m", "firmware_bridge", *words[1:],
                "-s", f"mqtt.port={self.port}"]  # fmt: skip


@pytest.fixture
def hall(tmp_path):
    folder = tmp_path / "broker"
    folder.mkdir()
    with Hall(folder) as broker:
        yield broker


@contextlib.contextmanager
def running_wall(hall):
    """Run the page's wall; give where it is and what it says."""
    output = hall.folder / "wall.log"
    with output.open("w") as file:
        wall = subprocess.Popen(hall.wall(), cwd=hall.folder, stdout=file, stderr=file)
    try:
        yield until(lambda: re.search(r"at (http\S+)", output.read_text()))[1], output
    finally:
        wall.terminate()
        wall.wait(PATIENCE)


def on_the_wall(address):
    scene = httpx.get(f"{address}api/v1/boards", timeout=PATIENCE).json()
    return [card for card in scene["cards"] if card["state"]]


async def test_board_and_wall_of_the_page_find_each_other(tmp_path, hall, house, caplog):
    caplog.set_level("INFO")
    with running_wall(hall) as (address, output):
        async with house(tmp_path, **hall.board()):
            (card,) = await soon(lambda: on_the_wall(address))
            assert (card["id"], card["presence"]) == ("table-1", "online")
            assert card["state"]["board"] == "Table 1"
            assert [line for line in caplog.messages if line.startswith("broker:")] == [
                f"broker: connected to localhost:{hall.port}"
            ]
        assert output.read_text().count("broker:") == 1


async def test_no_board_of_the_page_speaks_for_another(tmp_path, hall, house, caplog):
    with running_wall(hall) as (address, _):
        async with house(tmp_path, **hall.board()):
            await soon(lambda: on_the_wall(address))
        async with house(tmp_path / "2", **{**hall.board(), "id": "table-2"}):
            await soon(lambda: "club/hall-2/table-2/state: Not authorized" in caplog.text)
        assert [card["id"] for card in on_the_wall(address)] == ["table-1"]
