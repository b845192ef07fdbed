"""`firmware-bridge distance`: friends far away, and whether letters reach them."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from drivers.beside import meanwhile
from firmware_bridge.cli.doctor import MARKS
from firmware_bridge.cli.failures import ExitCode, Failure, writing
from firmware_bridge.cli.options import configured
from firmware_bridge.config import Config, ConfigError, load_config
from firmware_bridge.distance.carrier import Carrier, carrier_of
from firmware_bridge.distance.friends import befriend, friends_in, part_from
from firmware_bridge.distance.greeting import Greeted, Greeting
from firmware_bridge.distance.invitation import Invitation
from firmware_bridge.distance.meeting import PATIENCE, VALID, Meeting
from firmware_bridge.distance.pairing import Friend, Spent, release
from firmware_bridge.distance.sealing import hold_installed
from firmware_bridge.journal.file import in_use
from firmware_bridge.service import friends_desk

_LIKE_RUN = "As in `run`, such as distance.host=broker.example."


@click.group
def command() -> None:
    """Friends far away: invite, join, friends, forget, doctor.

    Games with them are proposed and begun on the page Somebody far away.
    """


@command.command
@configured(_LIKE_RUN)
def invite(path: Path | None, changes: tuple[str, ...]) -> None:
    """Show four words for a friend to enter at another board, within ten minutes."""
    config = ready(path, changes)
    invitation = Invitation.made()
    told = (
        f"Your friend enters within ten minutes:\n\n"
        f"  firmware-bridge distance join {invitation.text}\n"
    )
    asyncio.run(_meet(config, Meeting.shown, invitation, VALID, told))


@command.command
@click.argument("words", nargs=-1, required=True)
@configured(_LIKE_RUN)
def join(path: Path | None, changes: tuple[str, ...], words: tuple[str, ...]) -> None:
    """Enter the four WORDS that a friend's board shows."""
    config = ready(path, changes)
    invitation = Invitation.entered(" ".join(words))
    asyncio.run(_meet(config, Meeting.entered, invitation, PATIENCE, "Looking for your friend ..."))


@command.command
@configured(_LIKE_RUN)
def friends(path: Path | None, changes: tuple[str, ...]) -> None:
    """List your friends."""
    found = friends_in(load_config(path, changes).data)
    for friend in found:
        click.echo(f"{friend.name} ({friend.release})")
    if not found:
        click.echo("None yet: `firmware-bridge distance invite` shows words for one.", err=True)


@command.command
@click.argument("name")
@configured(_LIKE_RUN)
def forget(path: Path | None, changes: tuple[str, ...], name: str) -> None:
    """End the friendship with NAME: its keys are deleted, and what comes is not read."""
    folder = load_config(path, changes).data
    with writing(folder):
        parted = part_from(folder, name)
    if not parted:
        raise Failure(f"There is no friend {name!r}.", ExitCode.USAGE)
    click.echo(f"{name} is forgotten.")


@command.command
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(min=1))
@configured(_LIKE_RUN)
def doctor(path: Path | None, changes: tuple[str, ...], seconds: float) -> None:
    """Send each friend a test letter, and say what is wrong with the line.

    It is answered by the friend's board while it runs, or by the same command on that host within
    SECONDS. Ends with 0 when every letter came back, else with 6.
    """
    config = ready(path, changes)
    found = friends_in(config.data)
    _tell("good", f"keys of {len(found)} friend{'' if len(found) == 1 else 's'}")
    if not asyncio.run(_examined(config, found, seconds)):
        raise SystemExit(ExitCode.NETWORK)


def ready(path: Path | None, changes: tuple[str, ...]) -> Config:
    """Return the configuration, if letters can be sent with it."""
    hold_installed()
    config = load_config(path, changes)
    if not config.distance.named:
        raise ConfigError(
            "distance.host names no MQTT broker. You and your friend need the same one, which "
            "both boards can reach; it can read nothing of what is sealed."
        )
    return config


async def _meet(
    config: Config,
    side: Callable[[Carrier, Invitation, str], Meeting],
    invitation: Invitation,
    patience: float,
    told: str,
) -> None:
    """Become friends with whoever has the same words."""
    carrier = carrier_of(config.distance)
    meeting = side(carrier, invitation, friends_desk.name_of(config))
    async with meanwhile(carrier.run()):
        try:
            await friends_desk.hold_carried(carrier, config.distance.base)
        except Spent as spent:
            raise Failure(str(spent), ExitCode.NETWORK) from None
        click.echo(told)
        try:
            met = await meeting.friend(patience)
            with writing(config.data):
                friend = befriend(config.data, met)
            click.echo(f"You and {friend.name} are friends now ({friend.release}).")
        finally:
            await meeting.linger()


async def _examined(config: Config, found: Sequence[Friend], seconds: float) -> bool:
    """Tell what is wrong with the broker and the line to each friend; return whether nothing is."""
    carrier = carrier_of(config.distance)
    alone = not in_use(config.data)  # else the service answers
    greetings = [Greeting(friend, carrier, answers=alone) for friend in found]
    async with meanwhile(carrier.run()):
        if not await carrier.reached(friends_desk.CONNECTS):
            _tell("bad", f"{carrier.name} is not reached{carrier.trouble}")
            return False
        _tell("good", f"{carrier.name} is reached")
        if not await carrier.carries(friends_desk.CARRIES):
            _tell("bad", f"it does not carry {config.distance.base}/# for us: see its access list")
            return False
        came = await asyncio.gather(*(greeting.greeted(seconds) for greeting in greetings))
    for friend, greeting, greeted in zip(found, greetings, came, strict=True):
        _report(friend, greeting, greeted)
    return None not in came


def _report(friend: Friend, greeting: Greeting, greeted: Greeted | None) -> None:
    """Tell what came of a test letter."""
    if greeted is None:
        why = greeting.refused or "that board must run, or the same command there"
        _tell("bad", f"{friend.name}: no letter came back; {why}")
        return
    _tell("good", f"{friend.name}: there and back in {greeted.seconds * 1000:.0f} ms")
    _tell("note", f"{friend.name}: runs {greeted.release}; its clock is {greeted.ahead:+.1f} s")
    if greeted.release != (ours := release()):
        _tell("note", f"this board runs {ours}: to play, both must run the same")


def _tell(state: str, text: str) -> None:
    click.echo(f"{MARKS[state]} {text}")
