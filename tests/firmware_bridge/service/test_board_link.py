"""A game waits for its board, and goes on with it unless people have put it away meanwhile."""

import pytest

from drivers.board_reasons import Reason
from drivers.port import ButtonEvent, DriverError, LinkChanged
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import Call
from firmware_bridge.service.board_link import BoardLink, events_of
from tests.firmware_bridge.service.desk_help import desk_at


async def pulled_out(hands, connection):
    """Pull the cable and wait until the game rests."""
    await connection.changed(LinkChanged(hands.t, False, Reason("unpowered")))
    seen = hands.controller.hub.latest("public")
    while seen.sight.view.phase != "paused":
        seen = await hands.controller.hub.wait("public", seen.number)


async def plugged_in(hands, connection):
    hands.t += 60
    await connection.changed(LinkChanged(hands.t, True, Reason("found", {"board": "Board"})))


async def test_the_clock_waits_for_the_board(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.begin()
        connection = BoardLink(hands.controller, gone_for=0.0)
        await pulled_out(hands, connection)
        await plugged_in(hands, connection)
        view = hands.controller.view()
        assert view.phase == "playing"
        assert view.clocks["white"].running
        assert view.clocks["white"].left_ms == 300_000


@pytest.mark.parametrize("meanwhile", [Call(0, "adjourn"), Agreement("mockery")])
async def test_a_game_put_away_meanwhile_does_not_go_on_by_itself(tmp_path, meanwhile):
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.begin()
        connection = BoardLink(hands.controller, gone_for=0.0)
        await pulled_out(hands, connection)
        await (
            hands.controller.begin(meanwhile)
            if isinstance(meanwhile, Agreement)
            else hands.controller.submit(meanwhile)
        )
        before = hands.controller.table.records
        await plugged_in(hands, connection)
        assert hands.controller.table.records == before
        assert not hands.controller.view().clocks["white"].running


async def test_a_game_that_rests_anyway_is_left_alone(hands):
    await hands.begin()
    await hands.controller.submit(Call(hands.t, "pause"))
    connection = BoardLink(hands.controller, gone_for=0.0)
    await pulled_out(hands, connection)
    await plugged_in(hands, connection)
    assert hands.controller.view().phase == "paused"


@pytest.mark.parametrize("error", [KeyError("a secret"), None])
async def test_a_driver_that_tells_nothing_any_more_has_no_board(error):
    class Ending:
        async def events(self):
            yield ButtonEvent(1.0, "white")
            if error is not None:
                raise error

    stream = events_of(Ending())
    there, pressed, gone = [await anext(stream) for _ in range(3)]
    assert there.up
    assert (pressed.button, gone.up, gone.reason.code) == ("white", False, "driver-failed")
    assert "secret" not in gone.text
    with pytest.raises(type(error) if error else DriverError):
        await anext(stream)
