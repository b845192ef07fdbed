import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import Call
from tests.firmware_bridge.pages.app_help import PIN, pages_at

PLAYED = (("mockery", "Ada", "Grace"), ("realm", "Grace", "Ada"), ("mockery", "Alan", "Ada <b>"))


async def archive(hands):
    """Play three games, each resigned by Black, and begin a fourth."""
    ids = []
    for game, white, black in PLAYED:
        await hands.controller.begin(Agreement(game, players={"white": white, "black": black}))
        await hands.begin()
        await hands.controller.submit(Call(hands.t, "resign", "black"))
        ids.append(hands.controller.game_id)
    await hands.controller.begin(Agreement("reversi"))
    return ids


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [2, 1, 0]),
        ("player=grace", [1, 0]),
        ("player=ADA&game=mockery", [2, 0]),
        ("game=realm", [1]),
        ("date=nonsense", []),
        ("player=%00&game=nonsense", []),
        ("date=2", [2, 1, 0]),
    ],
)
async def test_games_are_found_by_player_game_and_date(hands, browser, query, found):
    ids = await archive(hands)
    listed = (await browser.get(f"/api/v1/games?{query}")).json()
    assert [game["id"] for game in listed] == [ids[number] for number in found]
    page = (await browser.get(f"/games?{query}")).text
    assert [name in page for name in ids] == [number in found for number in range(3)]
    assert ">nonsense<" not in page


async def test_a_players_record_is_shown_and_names_are_links(hands, browser):
    await archive(hands)
    page = " ".join((await browser.get("/games?player=grace")).text.split())
    assert '<th scope="row">Grace</th><td>1</td><td>0</td><td>1</td>' in page
    assert 'href="/games?player=Ada%20%3Cb%3E' in (await browser.get("/games")).text
    assert "<b>" not in page


async def test_a_game_is_deleted_with_the_pin_alone_and_leaves_no_trace(tmp_path):
    async with pages_at(tmp_path) as (hands, browser):
        first, second, third = await archive(hands)
        address = f"/api/v1/games/{third}/delete"
        assert (await browser.post(address, json={"key": "000000"})).status_code == 403
        assert (await browser.post(address, json={"key": PIN})).status_code == 202
        assert (await browser.post(address, json={"key": PIN})).status_code == 404
        assert [game["id"] for game in (await browser.get("/api/v1/games")).json()] == [
            second,
            first,
        ]
        for form in ("json", "pgn", "jsonl"):
            assert (await browser.get(f"/api/v1/games/{third}.{form}")).status_code == 404
        assert (await browser.get(f"/api/v1/games/{first}.json")).status_code == 200
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"Grace" in files
    assert b"Alan" not in files


async def test_the_game_on_the_table_and_what_is_no_game_are_not_deleted(hands, browser):
    await hands.set_up()
    for name, status in ((hands.controller.game_id, 409), ("nonsense", 404)):
        answer = await browser.post(f"/api/v1/games/{name}/delete", json={"key": PIN})
        assert answer.status_code == status
    assert hands.controller.view().phase == "ready"
