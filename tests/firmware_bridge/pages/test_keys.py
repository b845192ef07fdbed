from firmware_bridge.messages.records import PhoneSeat
from firmware_bridge.pages.clients import KNOWN
from firmware_bridge.pages.keys import ALL_TRIES, REFEREE_SECONDS, TRIES, Keys

SECRET = b"s" * 32


def keys(pin=None, clock=lambda: 0.0):
    return Keys(SECRET, pin, clock)


def test_a_seat_is_held_with_the_key_of_the_last_claim_alone():
    first, second = PhoneSeat(1, taken=True), PhoneSeat(2, taken=True)
    cookies = {"seat-white": keys().phone("game-1", "white", 1)}
    assert keys().holds_seat(cookies, "game-1", "white", first)
    assert not keys().holds_seat(cookies, "game-1", "white", second)
    assert not keys().holds_seat(cookies, "game-1", "white", PhoneSeat(1, taken=False))
    assert not keys().holds_seat(cookies, "game-1", "black", first)
    assert not keys().holds_seat(cookies, "game-2", "white", first)
    assert not keys().holds_seat({"seat-black": cookies["seat-white"]}, "game-1", "black", first)
    assert not keys().holds_seat({}, "game-1", "white", first)
    assert not keys().holds_seat({"seat-white": "ünïcode"}, "game-1", "white", first)


def test_a_code_is_another_one_after_every_claim_and_never_what_a_phone_keeps():
    known = keys()
    codes = [known.seat("g", "white", claims) for claims in range(4)]
    kept = [known.phone("g", "white", claims) for claims in range(5)]
    assert len({*codes, *kept}) == 9
    assert [known.was_seat(code, "g", "white", 2) for code in codes] == [True, True, False, False]
    assert not known.was_seat(codes[0], "g", "black", 2)


def test_keys_outlive_a_restart_but_not_another_installation():
    assert keys().seat("g", "white") == keys().seat("g", "white")
    assert keys().seat("g", "white") != Keys(b"t" * 32, None, lambda: 0.0).seat("g", "white")


def test_a_pin_is_made_where_none_is_configured():
    assert len(keys().pin) == 6
    assert keys().pin.isdigit()
    assert keys("4711").pin == "4711"


def test_a_referee_stays_until_he_leaves_or_for_eight_hours():
    now = 5.0
    held = keys("4711", lambda: now)
    first, second = ({"referee": held.referee()} for _ in range(2))
    assert first != second
    assert held.is_referee(first)
    assert not held.is_referee({})
    assert not keys("4711").is_referee(first)
    held.forget_referee(first)
    assert not held.is_referee(first)
    now += REFEREE_SECONDS - 1
    assert held.is_referee(second)
    now += 1
    assert not held.is_referee(second)


def test_tries_run_out_for_one_address_and_for_all_together():
    guarded = keys()
    assert [guarded.may_try("a") for _ in range(TRIES + 1)] == [True] * TRIES + [False]
    others = [guarded.may_try(str(number)) for number in range(ALL_TRIES)]
    assert others.count(True) == ALL_TRIES - TRIES


def test_strangers_use_up_nobody_elses_tries():
    guarded = keys()
    assert not all(guarded.may_try(str(number)) for number in range(ALL_TRIES + 1))
    for known in KNOWN:
        assert [guarded.may_try(known) for _ in range(TRIES + 1)] == [True] * TRIES + [False]
