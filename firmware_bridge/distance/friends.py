"""The friends of this installation, with the keys of each friendship, beside the journal."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

from firmware_bridge.distance.pairing import Friend
from firmware_bridge.distance.sealing import KEY, Keys, PublicKeys
from firmware_bridge.journal.small_file import keep

FILE = "friends.json"


class FriendsUnreadable(Exception):  # noqa: N818 - names what happened
    """The file is not what was written; the message says where it is."""


def friends_in(folder: Path) -> tuple[Friend, ...]:
    """Return the friends that are kept in the journal's folder.

    Raises:
        FriendsUnreadable: the file is damaged, or cannot be read.
    """
    path = folder / FILE
    try:
        return tuple(map(_read, json.loads(path.read_bytes())["friends"]))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise FriendsUnreadable(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FriendsUnreadable(
            f"{path} is not as it was written: move it away, and pair with your friends anew."
        ) from None


def befriend(folder: Path, friend: Friend) -> Friend:
    """Keep one friend more; return it with the name that it has here, which no other one has."""
    friends = friends_in(folder)
    taken = {each.name for each in friends}
    numbered = (f"{friend.name} ({number})" for number in itertools.count(2))
    free = next(name for name in itertools.chain((friend.name,), numbered) if name not in taken)
    named = replace(friend, name=free)
    _keep(folder, (*friends, named))
    return named


def part_from(folder: Path, name: str) -> bool:
    """End a friendship: forget its keys; return whether there was one."""
    friends = friends_in(folder)
    left = tuple(each for each in friends if each.name != name)
    if left != friends:
        _keep(folder, left)
    return left != friends


def put_back(folder: Path, friends: tuple[Friend, ...]) -> bool:
    """Write the file with these friends again if it was deleted or damaged while the service ran.

    What lies there is moved aside.

    Returns:
        Whether that was needed.

    Raises:
        OSError: it cannot be done.
    """
    path = folder / FILE
    try:
        friends_in(folder)
        if path.exists() or not friends:
            return False
    except FriendsUnreadable:
        path.replace(path.with_suffix(".damaged"))
    _keep(folder, friends)
    return True


def _keep(folder: Path, friends: tuple[Friend, ...]) -> None:
    told = [
        {
            "name": friend.name,
            "release": friend.release,
            "own": [friend.own.signing.hex(), friend.own.agreement.hex()],
            "theirs": [friend.theirs.signing.hex(), friend.theirs.agreement.hex()],
        }
        for friend in friends
    ]
    keep(folder / FILE, json.dumps({"friends": told}, indent=2).encode())


def _read(told: dict[str, str | list[str]]) -> Friend:
    name, release = told["name"], told["release"]
    if not isinstance(name, str) or not isinstance(release, str):
        raise TypeError("a name is no text")
    own, theirs = ([*map(bytes.fromhex, told[keys])] for keys in ("own", "theirs"))
    if any(len(key) != KEY for key in (*own, *theirs)):
        raise ValueError("a key is too short or too long")
    return Friend(name, Keys(*own), PublicKeys(*theirs), release)
