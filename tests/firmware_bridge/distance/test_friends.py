import json
import stat

import pytest

from firmware_bridge.distance.friends import (
    FILE,
    FriendsUnreadable,
    befriend,
    friends_in,
    part_from,
)
from firmware_bridge.distance.pairing import Friend
from firmware_bridge.distance.sealing import Keys


def friend(name="Grace"):
    return Friend(name, Keys.made(), Keys.made().public, "firmware-bridge 0.1.0")


def test_friends_are_kept_for_this_user_alone(tmp_path):
    folder = tmp_path / "games"
    assert friends_in(folder) == ()
    grace, ada = befriend(folder, friend()), befriend(folder, friend("Ada"))
    assert friends_in(folder) == (grace, ada)
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600


def test_a_friend_of_the_same_name_takes_nobodys_place(tmp_path):
    names = [befriend(tmp_path, friend()).name for _ in range(3)]
    assert names == ["Grace", "Grace (2)", "Grace (3)"]


def test_who_is_forgotten_is_gone(tmp_path):
    befriend(tmp_path, friend())
    kept = befriend(tmp_path, friend())
    assert part_from(tmp_path, "Grace")
    assert friends_in(tmp_path) == (kept,)
    assert not part_from(tmp_path, "Grace")


SHORT = {"name": "Grace", "release": "1", "own": ["00", "00"], "theirs": ["00", "00"]}


@pytest.mark.parametrize(
    "content",
    [
        *("", "{}", "[]", '{"friends": [{}]}', '{"friends": [1]}', "[" * 100_000),
        json.dumps({"friends": [SHORT]}),
    ],
)
def test_a_damaged_file_is_named(tmp_path, content):
    (tmp_path / FILE).write_text(content)
    with pytest.raises(FriendsUnreadable, match=FILE):
        befriend(tmp_path, friend())
    assert (tmp_path / FILE).read_text() == content


def test_private_keys_are_in_no_trace():
    shown = repr(friend())
    one = friend()
    assert one.own.signing.hex() not in shown
    assert repr(one.own.signing) not in repr(one)
