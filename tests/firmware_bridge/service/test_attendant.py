from firmware_bridge.agreement import Agreement
from firmware_bridge.service.attendant import WARNING, Attendant
from tests.firmware_bridge.service.desk_help import desk_at

IDLE = 180.0


async def test_a_game_left_behind_is_given_up_after_a_warning(tmp_path):
    async with desk_at(tmp_path) as hands:
        attendant = Attendant(hands.desk, Agreement("mockery"), IDLE)
        await hands.set_up()
        await hands.press("black")
        hands.t += IDLE - WARNING
        await attendant.look()
        await attendant.look()
        news = [item.key for item in hands.desk.hub.latest("public").sight.news]
        assert news.count("page-idle") == 1
        assert hands.desk.view().game == "reversi"
        hands.t += WARNING
        await attendant.look()
        assert hands.desk.view().game == "mockery"


async def test_whoever_touches_a_piece_goes_on(tmp_path):
    async with desk_at(tmp_path) as hands:
        attendant = Attendant(hands.desk, Agreement("mockery"), IDLE)
        await hands.set_up()
        await hands.press("black")
        hands.t += IDLE - 1
        await attendant.look()
        await hands.feel("e2", None)
        hands.t += IDLE - 1
        await attendant.look()
        assert hands.desk.view().game == "reversi"


async def test_snapshots_are_no_touch_and_a_board_at_rest_is_left_alone(tmp_path):
    async with desk_at(tmp_path) as hands:
        attendant = Attendant(hands.desk, Agreement("mockery"), IDLE)
        await hands.set_up()
        hands.t += 10 * IDLE
        await attendant.look()
        assert hands.desk.view().game == "reversi"
        await hands.press("black")
        for _ in range(20):
            hands.t += IDLE / 10
            await hands.set_up()
        await attendant.look()
        assert hands.desk.view().game == "mockery"
