"""`python -m updater`: what systemd starts where a bundle lies, and at each start of the machine.

On a protected card the root is a layer in memory over the card. There all this is done on the card
itself, seen by this process alone, and a release is tried by restarting the machine.

Killed at any moment it leaves the old or the new release whole, and goes on at its next start from
what is on the card: nothing is remembered elsewhere.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from . import status
from .releases import Releases, order, remove, run, version_of
from .service import SERVICE, Service, crashes, load_firmware, systemctl
from .signed import Bundle, check_room, examined, unpack
from .status import RefusedError, read, settle, write

WATCHED_FOR = 600
"""Seconds for which a new release is on trial."""
CRASHES = 3
"""As many in that time, and the release before runs again."""
_POLL = 5
"""Seconds between two looks at a release on trial, or a game."""


class RestartsError(Exception):
    """The machine restarts, and what is on trial is judged then."""


class Updater:
    """Everything that it touches lies below one root, `/` but in tests.

    Args:
        root: that.
        watched_for: how many seconds a release is on trial.
        layer: where the status is told besides, while the card itself is seen below its layer.

    Attributes:
        card: where a protected card itself is mounted; elsewhere there is nothing.
        service: the service, as whoever asks at its address finds it.
        releases: where releases lie.
        status: the file that says how the update stands.
        trial: the file that lies there from before the switch until the new release is kept.
        spool: where bundles from a stick lie; nobody but root writes there.
        fetched: where bundles from an address lie, and whatever else who fetched them may put.
        offered: where a bundle lies that was found good, until somebody with the PIN wishes it.
        accepted: where a bundle lies that is wished, on the card itself.
        wishes: where the service leaves what people ask for on its page: a name, and no more.
        kept: where a bundle lies that was refused or taken back.
    """

    def __init__(
        self, root: Path, watched_for: float = WATCHED_FOR, layer: Path | None = None
    ) -> None:
        self.root, self.watched_for, self.layer = root, watched_for, layer
        self.card = root / "media/root-ro"
        self.service = Service(root / "etc/firmware-bridge/config.toml")
        self.releases = Releases(root / "opt/firmware-bridge")
        self.status = self.releases.home / "update.json"
        self.trial = self.releases.home / "trial.json"
        self.spool = root / "var/spool/firmware-bridge"
        self.fetched = self.spool / "fetched"
        self.offered = self.spool / "offered"
        self.accepted = self.releases.home / "accepted"
        self.wishes = self.spool / "wishes"
        self.kept = self.releases.home / "kept"

    def run(self) -> None:
        """Finish what was begun, then take what lies there."""
        self.releases.home.mkdir(parents=True, exist_ok=True)
        with (self.releases.home / "update.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.collect()
            self.offer()
            with contextlib.suppress(RestartsError):
                if not self.card.exists():
                    self.work()
                elif self.has_to_write():
                    with self.below() as below:
                        below.work()

    def has_to_write(self) -> bool:
        """Return whether a protected card has to be written to."""
        wished = self.wished("install") or self.wished("back")
        return wished or self.trial.exists() or any(self.found())

    def work(self) -> None:
        """Judge what is on trial, do what is wished, take what lies there."""
        self.releases.sweep()
        self.judge()
        if self.wished("back"):
            self.go_back()
        if self.wished("install"):
            self.accept()
        for bundle in self.found():
            self.take(bundle)
        self.granted("now")  # said when the game had ended already: not of the next one

    @contextlib.contextmanager
    def below(self) -> Iterator[Updater]:
        """Yield what sees a protected card below the layer in memory, and writes there.

        Only this process sees it so. A card on which there is nothing to do is never made
        writable: not a byte of it changes.
        """
        home = self.releases.home
        boot = self.root / "boot/firmware"
        protected = [self.card, *([boot] if boot.is_mount() else [])]
        layer = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for place in protected:
                _remount("rw", place)
            run("mount", "--bind", self.card / "opt/firmware-bridge", home)
            try:
                yield Updater(self.root, self.watched_for, Path(f"/proc/self/fd/{layer}"))
            finally:
                os.sync()
                run("umount", home)
        finally:
            os.close(layer)
            for place in protected:
                # While the layer holds what was replaced it stays writable, for this process alone.
                _remount("ro", place, check=False)

    def tell(self, state: str, **gaps: object) -> None:
        """Write how the update stands, and where the way back leads, for the service to read."""
        before = self.releases.before()
        gaps["before"] = version_of(before) if before else ""
        if self.layer:
            status.show(self.layer / self.status.name, state, **gaps)
        status.tell(self.status, state, **gaps)

    def restart(self) -> None:
        """Let the release that is current run where only a start of the machine does that.

        Raises:
            RestartsError: it does.
        """
        if self.card.exists():
            os.sync()
            systemctl("--no-block", "reboot")
            raise RestartsError

    def collect(self) -> None:
        """Move what was fetched to where nobody can exchange it any more; links are thrown away."""
        for fetched in sorted(self.fetched.glob("*.update")):
            taken = fetched.replace(self.spool / fetched.name)
            if not stat.S_ISREG(taken.lstat().st_mode):
                remove(taken)

    def offer(self) -> None:
        """Look at what a stick or an address brought, and offer the newest that is good."""
        for brought in sorted(self.spool.glob("*.update")):
            try:
                with self.scratch(brought) as scratch:
                    self.offer_one(brought, scratch)
            except RefusedError as refused:
                self.refuse(brought, refused)

    def offer_one(self, brought: Path, scratch: Path) -> None:
        """Offer one bundle, unless it is none for this board, or a newer one lies there.

        Raises:
            RefusedError: when it is not offered.
        """
        bundle = self.examined(brought, scratch)
        place = self.offered / "offer.json"
        there = (read(place) or {}).get("version", "")
        if order(bundle.version) < order(there):
            raise RefusedError("lesser", name=bundle.name, version=bundle.version, offered=there)
        shutil.rmtree(self.offered, ignore_errors=True)
        status.show(place, "offered", version=bundle.version, notes=bundle.notes)
        status.log("offered", version=bundle.version)
        self.offered.chmod(0o755)
        self.tell("runs", version=version_of(self.releases.current))
        # Last: where the power is cut before, it is looked at anew.
        brought.replace(self.offered / brought.name)
        settle(self.offered)
        settle(self.spool)

    def accept(self) -> None:
        """Take what is offered to the card itself, from where a start does not take it away."""
        self.accepted.mkdir(exist_ok=True)
        for offered in self.offered.glob("*.update"):
            try:
                with self.scratch(offered) as scratch:
                    check_room(offered.name, offered.stat().st_size, self.accepted)
                    scratch.mkdir()
                    copy = shutil.copyfile(offered, scratch / offered.name)
                    os.sync()
                    copy.replace(self.accepted / offered.name)
            except RefusedError as refused:
                self.refuse(offered, refused)
        settle(self.accepted)
        shutil.rmtree(self.offered, ignore_errors=True)
        self.granted("install")  # last: where the power is cut before, all of this is done anew

    def found(self) -> Iterator[Path]:
        """Yield the bundles on the boot drive, and what is wished of those that were offered.

        Whoever writes to the boot drive holds the card, and is asked no more.
        """
        for folder in (self.root / "boot/firmware", self.accepted):
            yield from (each for each in sorted(folder.glob("*.update")) if each.is_file())

    def wished(self, what: str) -> bool:
        """Return whether this was asked for on the page: `install`, `now` or `back`."""
        return (self.wishes / what).exists()

    def granted(self, what: str) -> None:
        """Forget a wish."""
        with contextlib.suppress(OSError):  # whatever lies there is the service's
            (self.wishes / what).unlink()

    def go_back(self) -> None:
        """Let the release before run again, on trial as a new one is."""
        running, before = self.releases.current, self.releases.before()
        if before is None:
            self.granted("back")
            self.tell("nothing-before", version=version_of(running))
        else:
            self.wait_for_the_game(version_of(before))
            self.granted("back")  # before the trial: cut off here, it is wished anew by hand
            self.begin_trial(before, running, None)
            self.try_out(before)

    def try_out(self, release: Path) -> None:
        """Judge a release at once, or, where the machine has to start with it, then."""
        if self.card.exists():
            self.tell("restarting", version=version_of(release))
        self.restart()
        self.judge()

    def begin_trial(self, trying: Path, before: Path, bundle: Path | None) -> None:
        """Switch to a release that has yet to prove itself; on the way back there is no bundle."""
        source = str(bundle) if bundle else None
        write(
            self.trial,
            {
                "trying": str(trying),
                "before": str(before),
                "source": source,
                "why": None,
                "game": self.service.playing(),
            },
        )
        self.releases.switch("current", trying)

    def take(self, source: Path) -> None:
        """Put one bundle in place, or say why not; it lies no longer where it was found."""
        try:
            with self.scratch(source) as scratch:
                release = self.prepare(source, scratch)
        except RefusedError as refused:
            self.refuse(source, refused)
        else:
            self.begin_trial(release, self.releases.current, source)
            self.try_out(release)

    def refuse(self, source: Path, refused: RefusedError) -> None:
        """Say why a bundle is not taken, the log the cause, and take it out of the way.

        That comes first: on a full card it makes the room in which to say it.
        """
        if refused.__cause__:
            print(f"{source.name}: {refused.__cause__}", flush=True)  # noqa: T201
        self.set_aside(source)
        self.tell(refused.why, **refused.gaps)

    @contextlib.contextmanager
    def scratch(self, source: Path) -> Iterator[Path]:
        """Yield the name of a folder that nothing is in, and that is gone afterwards.

        On a full card only then is there room to tell what became of a bundle.

        Raises:
            RefusedError: when the card cannot be written, or not read.
        """
        scratch = self.releases.home / "incoming"
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            yield scratch
        except OSError as error:
            raise RefusedError("unbuilt", name=source.name) from error
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def prepare(self, source: Path, scratch: Path) -> Path:
        """Return the release that was made of a bundle, once no game is in its way.

        Raises:
            RefusedError: when it is not to be had.
        """
        bundle = self.examined(source, scratch)
        self.tell("building", version=bundle.version)
        unpack(bundle)
        release = self.releases.build(bundle)
        self.wait_for_the_game(bundle.version)
        return release

    def examined(self, source: Path, scratch: Path) -> Bundle:
        """Return a bundle that is good, newer than what runs, and that the card has room for.

        Raises:
            RefusedError: when it is not.
        """
        card = self.card if self.card.exists() else self.releases.home
        with contextlib.suppress(OSError):  # what cannot be read is told next
            check_room(source.name, source.stat().st_size, card)
        bundle = examined(source, scratch, self.releases.home / "updater/share/firmware-bridge")
        running = version_of(self.releases.current)
        if order(bundle.version) <= order(running):
            raise RefusedError("older", name=source.name, version=bundle.version, running=running)
        return bundle

    def wait_for_the_game(self, version: str) -> None:
        """Wait until no game is being played, or its players say that they will not wait."""
        while self.service.playing() and not self.wished("now"):
            self.tell("waiting", version=version)
            time.sleep(_POLL)
        self.granted("now")

    def judge(self) -> None:
        """Keep the release that is on trial, or go back; where none is, nothing happens."""
        trial = read(self.trial)
        if trial is None:
            return
        trying, before = Path(trial["trying"]), Path(trial["before"])
        if trial["why"] is None and self.releases.current != trying:
            self.trial.unlink()  # cut off before the switch: its bundle still lies there
            return
        version = version_of(trying)
        source = Path(trial["source"]) if trial["source"] else None
        if trial["why"] is None:
            self.tell("trying", version=version)
            trial["why"] = self.fault(trying)
        if trial["why"] is None:
            self.releases.prove(trying)
            if source:
                source.unlink(missing_ok=True)
            self.trial.unlink()
            self.releases.forget_old(before)
            self.tell("done", version=version, ran=version_of(before))
            return
        write(self.trial, trial)
        self.releases.switch("current", before)
        load_firmware(before)  # whatever comes of it: it ran with what it has
        if not self.card.exists():
            systemctl("restart", SERVICE)
        gaps = {"version": version, "running": version_of(before)}
        if source:
            self.tell(trial["why"], **gaps, kept=self.set_aside(source))
        else:
            self.tell("stays", **gaps)
        self.trial.unlink()
        self.releases.sweep()
        self.restart()

    def fault(self, release: Path) -> str | None:
        """Start the release that is on trial and watch it; return what is wrong with it."""
        if not load_firmware(release):
            return "firmware"
        if not systemctl("restart", SERVICE):
            return "not-ready"
        if self.service.refuses_its_journal():
            return "journal"
        self.tell("watching", version=version_of(release))
        until = time.monotonic() + self.watched_for
        while time.monotonic() < until:
            time.sleep(min(_POLL, self.watched_for))
            if crashes() >= CRASHES:
                return "crashed"
        return None

    def set_aside(self, source: Path) -> Path:
        """Take a bundle out of the way, so that it is not tried again, and keep the last one."""
        kept = self.kept / source.name
        if source.exists():
            shutil.rmtree(self.kept, ignore_errors=True)
            try:
                self.kept.mkdir()
                shutil.copyfile(source, kept)
            except OSError:  # no room, or a stick that is gone: where it came from it still is
                shutil.rmtree(self.kept, ignore_errors=True)
            source.unlink(missing_ok=True)
        return kept


def _remount(how: str, place: Path, *, check: bool = True) -> None:
    """Let a mount be written to or not, whatever the table of file systems says of it.

    That table names labels, and this unit sees no drive that could bear one: hence no source.
    """
    run("mount", "-o", f"remount,{how}", "none", place, check=check)


if __name__ == "__main__":
    os.umask(0o022)
    Updater(Path("/")).run()
