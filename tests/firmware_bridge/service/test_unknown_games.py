"""A kept game that nothing here can read stays in the journal and is named; all else goes on."""

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.journal import Journal, JournalDamaged
from firmware_bridge.messages import Call
from firmware_bridge.messages.records import Record
from tests.firmware_bridge.service.desk_help import desk_at

AGREED = Agreement("reversi").to_data()
UNREADABLE = {
    "a game that is not installed": {**AGREED, "game": "uninstalled"},
    "an option that is none any more": {**AGREED, "options": {"no-such-option": True}},
    "a setting that is none any more": {**AGREED, "settings": {"time": "a while"}},
    "a puzzle that is gone": {**AGREED, "puzzle": "reversi-9999"},
    "an agreement of another version": {**AGREED, "of_a_later_version": 1},
    "a position that the rules refuse": {**AGREED, "position": "9K/8"},
}
TURN = Record(1000, "taken", {"turn": "e2e4"})


def kept(folder, agreed, *more):
    """Write a game down as a service had left it; return its id."""
    journal = Journal(folder)
    game = journal.new_game()
    journal.append(game, [Record(0, "agreed", agreed), TURN, *more])
    journal.close()
    return game


@pytest.mark.parametrize("agreed", UNREADABLE.values(), ids=UNREADABLE)
async def test_the_service_starts_with_another_game_and_says_why(tmp_path, agreed):
    game = kept(tmp_path, agreed)
    async with desk_at(tmp_path) as hands:
        (told,) = (news for news in hands.news() if news.key == "page-game-damaged")
        assert game in told.words["what"]
        assert hands.controller.game_id != game
        await hands.begin("e2e4")
        assert hands.controller.view().number == 1
        with pytest.raises(JournalDamaged, match=game):
            await hands.controller.archive.recorded(game)
        assert not await hands.controller.archive.every() or agreed["game"] == "reversi"


async def test_one_that_was_adjourned_leaves_the_game_on_the_table_where_it_is(tmp_path):
    at, agreed = Record(2000, "call", {"what": "adjourn"}), UNREADABLE["a puzzle that is gone"]
    game = kept(tmp_path, agreed, at)
    async with desk_at(tmp_path) as hands:
        await hands.begin("e2e4")
        here = hands.controller.game_id
        await hands.controller.take_up(game)
        assert hands.said()[0] == "page-game-not-taken-up"
        assert hands.controller.game_id == here
        await hands.controller.submit(Call(hands.t, "pause"))
    async with desk_at(tmp_path) as hands:  # and it is the one that goes on after a restart
        assert hands.controller.game_id == here
