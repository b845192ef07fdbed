import asyncio

from drivers.board_reasons import Reason
from firmware_bridge.service.alerts import why
from firmware_bridge.views import Announcement
from tests.firmware_bridge.service.desk_help import desk_at
from tests.patience import in_time


async def test_numbers_rise_only_when_something_can_be_seen(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.begin()
        hub = hands.controller.hub
        number = hub.latest("public").number
        hands.t += 3.0  # the clock runs on: no news
        hub.touch()
        assert hub.latest("public").number == number
        await hands.move("e2e4")
        assert hub.latest("public").number > number


async def test_whoever_waits_gets_the_newest_and_skips_what_came_too_fast(hands):
    await hands.set_up()
    first = await hands.controller.hub.wait("public")
    waiting = asyncio.create_task(hands.controller.hub.wait("public", first.number))
    await asyncio.sleep(0)
    assert not waiting.done()
    await hands.press("black")
    await hands.move("e2e4")
    seen = await in_time(waiting)
    assert seen.number > first.number
    newest = await hands.controller.hub.wait("public", first.number)
    assert newest.sight.view.judged.kind == "complete"


async def test_one_view_serves_all_who_watch(hands):
    await hands.set_up()
    seen = await asyncio.gather(*(hands.controller.hub.wait("public") for _ in range(50)))
    assert len({id(item) for item in seen}) == 1


async def test_readers_have_numbers_of_their_own(hands):
    hub = hands.controller.hub
    await hands.set_up()
    hub.latest("public")
    await hands.press("black")
    hub.latest("public")
    await hands.move("e2e4")
    assert hub.latest("public").number > 1
    assert hub.latest("referee").number == 1


async def test_trouble_with_the_link_is_news_for_everyone(hands):
    before = hands.controller.hub.latest("public")
    hands.controller.link_changed(why(Reason("unpowered")))
    after = hands.controller.hub.latest("public")
    assert after.number == before.number + 1
    assert after.sight.link == (Announcement("board-unpowered"),)
    hands.controller.link_changed(why(Reason("unpowered")))
    assert hands.controller.hub.latest("public") is after


async def test_at_the_end_nobody_waits(hands):
    seen = await hands.controller.hub.wait("public")
    waiting = asyncio.create_task(hands.controller.hub.wait("public", seen.number))
    await asyncio.sleep(0)
    hands.controller.hub.close()
    assert await in_time(waiting) is seen
