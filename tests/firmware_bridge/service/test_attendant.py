from firmware_bridge.config.agreement import Agreement
from firmware_bridge.service.kiosk import GUIDED, WARNING, KioskManager
from firmware_bridge.service.seat_process import Fault
from firmware_bridge.views.lights import lights
from tests.firmware_bridge.service.desk_help import desk_at
from tests.patience import in_time

IDLE = 180.0
ATTRACT = 20.0


async def no_process(seating, told):
    raise Fault("ended", "there is none")


async def test_a_game_left_behind_is_given_up_after_a_warning(hands):
    kiosk_manager = KioskManager(hands.controller, Agreement("mockery"), IDLE, ATTRACT)
    await hands.begin()
    hands.t += IDLE - WARNING
    await kiosk_manager.look()
    await kiosk_manager.look()
    assert hands.said().count("page-idle") == 1
    assert hands.controller.view().game == "reversi"
    hands.t += WARNING
    await kiosk_manager.look()
    assert hands.controller.view().game == "mockery"


async def test_whoever_touches_a_piece_goes_on(hands):
    kiosk_manager = KioskManager(hands.controller, Agreement("mockery"), IDLE, ATTRACT)
    await hands.begin()
    hands.t += IDLE - 1
    await kiosk_manager.look()
    assert hands.said()[0] == "page-idle"
    await hands.feel("e2", None)
    assert "page-idle" not in hands.said()
    hands.t += IDLE - 1
    await kiosk_manager.look()
    assert hands.controller.view().game == "reversi"


async def test_snapshots_are_no_touch_and_a_board_at_rest_is_left_alone(hands):
    kiosk_manager = KioskManager(hands.controller, Agreement("mockery"), IDLE, ATTRACT)
    await hands.set_up()
    hands.t += 10 * IDLE
    await kiosk_manager.look()
    assert hands.controller.view().game == "reversi"
    await hands.press("black")
    for _ in range(20):
        hands.t += IDLE / 10
        await hands.set_up()
    await kiosk_manager.look()
    assert hands.controller.view().game == "mockery"


async def test_a_game_that_was_chosen_and_left_before_it_began_gives_way_to_the_offered_one(
    tmp_path,
):
    offered = Agreement("reversi")
    async with desk_at(tmp_path) as hands:
        kiosk_manager = KioskManager(hands.controller, offered, IDLE, ATTRACT)
        await hands.controller.begin(Agreement("mockery", chosen=True))
        hands.t += IDLE - 1
        await kiosk_manager.look()
        assert hands.controller.agreement.game == "mockery"
        hands.t += 1
        await kiosk_manager.look()
        assert hands.controller.agreement == offered


async def test_a_show_plays_while_nobody_does_and_ends_at_the_first_touch(hands):
    kiosk_manager = KioskManager(hands.controller, Agreement("reversi"), IDLE, ATTRACT, no_process)
    frames = []
    await hands.set_up()
    await hands.press("white")
    await kiosk_manager.look()
    assert hands.controller.show is None
    hands.t += ATTRACT
    for _ in range(4):
        await kiosk_manager.look()
        frames.append(hands.controller.hub.latest("public").sight.show)
        hands.t += frames[-1].seconds
    assert len(set(map(id, frames))) == 4
    assert any(frame.lights for frame in frames)
    await hands.feel("e2", None)
    assert hands.controller.hub.latest("public").sight.show is None


async def test_no_show_disturbs_a_game(hands):
    kiosk_manager = KioskManager(hands.controller, Agreement("reversi"), IDLE, ATTRACT)
    await hands.begin()
    hands.t += IDLE - 1
    await kiosk_manager.look()
    assert hands.controller.show is None


async def test_after_a_game_was_given_up_the_lights_say_first_where_pieces_are_missing(hands):
    kiosk_manager = KioskManager(hands.controller, Agreement("reversi"), IDLE, ATTRACT)
    await hands.begin()
    await hands.feel("e2", None)
    hands.t += IDLE + 1
    await kiosk_manager.look()
    view = hands.controller.view()
    assert view.phase == "set-up"
    assert lights(view) == {"e2": "setup"}
    hands.t += GUIDED - 2
    await kiosk_manager.look()
    assert hands.controller.show is None
    hands.t += 3
    await kiosk_manager.look()
    assert hands.controller.show is not None
    await hands.feel("e2", True)
    assert hands.controller.show is None
    assert hands.controller.view().phase == "ready"


async def test_a_kiosk_that_was_left_shows_and_gives_up_nothing(hands):
    kiosk_manager = KioskManager(hands.controller, Agreement("reversi"), IDLE, ATTRACT)
    await hands.set_up()
    hands.t += ATTRACT
    await kiosk_manager.look()
    kiosk_manager.leave()
    assert hands.controller.show is None
    await in_time(kiosk_manager.run())
