"""`python -m updater.fetch`: asks the address, where one is set, and fetches what is newer there.

For a user with no rights: whatever it brings is looked at by root's updater as a stick's is. What
was fetched of a bundle stays where the connection breaks, and the next time goes on from there.
"""

from __future__ import annotations

import errno
import http.client
import os
import re
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

from .releases import Releases, order, version_of
from .signed import check_room
from .status import RefusedError, read, settle, tell, write

LARGEST = 200_000_000
"""Bytes above which nothing is fetched, so that no address fills the card."""
TRIES = 5
"""As often a day a connection that breaks is taken up again."""
_SILENCE = 60
"""Seconds without a byte after which a connection counts as broken."""
_CARD = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS}
"""What is wrong with the card; every other trouble is the connection's."""
_ADDRESS = re.compile(r"https?://\w[\w.-]*(:\d+)?/\S+")
_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?")
_LENGTH = re.compile(r"[0-9]{1,18}")
_PIECE = 1 << 16
_MB = 1_000_000


class Fetcher:
    """Everything that it touches lies below one root, `/` but in tests.

    Attributes:
        folder: the only folder that it writes to.
        status: the file that says how the fetching stands.
        source: the file that says of what the fetched part is a part.
    """

    def __init__(self, root: Path, pause: float = 60) -> None:
        self.root, self.pause = root, pause
        self.folder = root / "var/spool/firmware-bridge/fetched"
        self.status = self.folder / "fetch.json"
        self.source = self.folder / "source.json"

    def run(self) -> None:
        """Ask the address, and fetch what is newer."""
        setting = self.root / "etc/firmware-bridge/update-address"
        address = setting.read_text(encoding="utf-8").strip() if setting.exists() else ""
        try:
            bundle = self.newer(address) if address else None
            if bundle is not None:
                self.fetch(bundle)
            if not address or bundle is not None:
                self.status.unlink(missing_ok=True)  # from here on the updater tells
        except RefusedError as refused:
            tell(self.status, refused.why, **refused.gaps)

    def newer(self, address: str) -> str | None:
        """Return where a bundle lies that is newer than what runs, if one is to be fetched.

        Raises:
            RefusedError: when the address does not tell, or what it tells of is not to be fetched.
        """
        if not _ADDRESS.fullmatch(address):
            raise RefusedError("address", address=address)
        releases = Releases(self.root / "opt/firmware-bridge")
        running, newest = version_of(releases.current), _told_by(address)
        if order(newest) <= order(running):
            day = time.strftime("%Y-%m-%d")
            tell(self.status, "newest", address=address, running=running, day=day)
            return None
        bundle = urljoin(address, f"firmware-bridge-{newest}.update")
        if (releases.home / "kept" / _name(bundle)).exists():
            raise RefusedError("once", version=newest)
        spool = self.folder.parent
        places = (self.folder, spool, spool / "offered", releases.home / "accepted")
        if any((place / _name(bundle)).exists() for place in places):
            return None
        return bundle

    def fetch(self, bundle: str) -> None:
        """Have the whole bundle in the folder, under its name.

        Raises:
            RefusedError: when it cannot be had today.
        """
        part = self.folder / f"{_name(bundle)}.part"
        for old in self.folder.glob("*.part"):
            if old != part:
                old.unlink()
        for attempt in range(TRIES):
            if attempt:
                time.sleep(self.pause)
            try:
                size = self.go_on(bundle, part)
            except urllib.error.HTTPError as error:
                raise RefusedError("answers", address=bundle, code=error.code) from error
            except (OSError, http.client.HTTPException, ValueError) as error:
                if getattr(error, "errno", None) in _CARD:
                    raise RefusedError("unwritten", name=_name(bundle)) from error
                continue
            if part.stat().st_size == size:
                part.replace(self.folder / _name(bundle))
                settle(self.folder)
                return
        got = part.stat().st_size // _MB if part.exists() else 0
        raise RefusedError("cut", name=_name(bundle), got=got)

    def go_on(self, bundle: str, part: Path) -> int:
        """Add to the fetched part what the connection yields; return how large the whole is."""
        have = part.stat().st_size if part.exists() else 0
        source = read(self.source) or {}
        if have and source == {**source, "of": bundle, "size": have}:
            return have  # cut off right before it got its name
        asked = urllib.request.Request(bundle)  # noqa: S310 # `newer` looked at it
        if have and source.get("of") == bundle and source.get("tag"):
            asked.add_header("Range", f"bytes={have}-")
            asked.add_header("If-Range", source["tag"])
        with urllib.request.urlopen(asked, timeout=_SILENCE) as answer:  # noqa: S310
            goes_on = answer.status == http.HTTPStatus.PARTIAL_CONTENT
            size = _size(bundle, answer, have if goes_on else 0)
            if not goes_on:
                part.unlink(missing_ok=True)
                check_room(_name(bundle), size, self.folder)
                write(self.source, {"of": bundle, "size": size, "tag": _tag(answer)})
            version = _name(bundle).removeprefix("firmware-bridge-").removesuffix(".update")
            tell(self.status, "fetching", version=version, size=size // _MB + 1)
            with part.open("ab") as file:
                try:
                    while piece := answer.read(min(_PIECE, size - file.tell())):
                        file.write(piece)
                finally:
                    file.flush()
                    os.fsync(file.fileno())
        return size


def _told_by(address: str) -> str:
    try:
        with urllib.request.urlopen(address, timeout=_SILENCE) as answer:  # noqa: S310
            told = str(answer.read(100), "ascii", "replace").strip()
    except urllib.error.HTTPError as error:
        raise RefusedError("answers", address=address, code=error.code) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise RefusedError("unreached", address=address) from error
    if not _VERSION.fullmatch(told):
        raise RefusedError("nonsense", address=address)
    return told


def _name(bundle: str) -> str:
    return bundle.rpartition("/")[2]


def _size(bundle: str, answer: http.client.HTTPResponse, have: int) -> int:
    told = answer.headers.get("Content-Length", "")
    if not _LENGTH.fullmatch(told):
        raise RefusedError("nonsense", address=bundle)
    size = have + int(told)
    if size > LARGEST:
        raise RefusedError("large", name=_name(bundle), size=size // _MB, largest=LARGEST // _MB)
    return size


def _tag(answer: http.client.HTTPResponse) -> str:
    """Return what tells this file from another at the same address: a weak tag does not."""
    tag = answer.headers.get("ETag", "W/")
    return str(answer.headers.get("Last-Modified", "") if tag.startswith("W/") else tag)


if __name__ == "__main__":
    Fetcher(Path("/")).run()
