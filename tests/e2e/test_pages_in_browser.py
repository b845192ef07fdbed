"""The pages in a real browser: accessible, lean, and usable by hand, phone and keyboard."""

import contextlib
import itertools
import re
from collections import Counter

import pytest
from playwright.sync_api import Error, expect

import rules
from firmware_bridge.words import PSEUDO
from tests.browser import WCAG, violations
from tests.e2e.conftest import Hand, headline
from tests.e2e.layouts import Layouts
from tests.nightly import NIGHTLY, at_night
from tests.patience import until

PLACES = [
    "",
    "setup",
    "learn",
    "learn/balance",
    "learn/realm/classics/1",
    "learn/realm/1",
    "learn/realm/puzzles",
    "games",
    "update",
    "distance",
    "play/white",
    "referee",
    "nothing",
]
WRITTEN_ANYHOW = ["", "setup", "learn/realm/1", "games", "play/white"]
"""One of each kind, of pages that are written alike."""

STATES = [
    ("after a turn", lambda hand: hand.drag("e2", "e4"), "Black"),
    ("at an illegal move", lambda hand: hand.drag("a7", "a4"), "Put the black pawn back"),
    ("put right", lambda hand: hand.drag("a4", "a7"), "Black"),
    ("over", lambda hand: hand.give_up(), "White wins"),
]
"""What hands do one after the other, and what stands on the pages then."""
SCREENS = (
    ("light", {"width": 1280, "height": 800}),
    ("dark", {"width": 390, "height": 844}),
)

pytestmark = pytest.mark.browser


def seat(window, demo, side, **options):
    setup = window(f"{demo.display}setup")
    links = setup.locator(".seat a")
    address = links.nth(0 if side == "white" else 1).get_attribute("href")
    page = window(address, **options)
    page.wait_for_selector(".press")
    return page


def begin(black, display):
    """Press until it counts: the last pieces may still be on their way from the board."""

    def begun():
        black.click(".press")
        return display.locator('.clock[data-side="white"].running').is_visible()

    until(begun, "the game does not begin", 0.5)


def on_each_screen(page):
    """Show a page large and light, small and dark, beginning with how it is shown already."""
    for scheme, size in sorted(SCREENS, key=lambda screen: screen[1] != page.viewport_size):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        yield size["width"]


@pytest.mark.timeout(600)
def test_no_page_breaks_the_rules_of_accessibility_or_its_layout(shared, window):
    broken, layouts = {}, Layouts()
    widths = itertools.cycle(size["width"] for _, size in SCREENS)

    def look(page, name, *, rules=True):
        shown = next(widths)  # by day each page is shown on the one screen or on the other
        for width in on_each_screen(page):
            if not NIGHTLY and width != shown:
                continue
            if rules:
                # The board's own page has nothing that any rule finds.
                broken[name, width] = violations(page, None if page is board else WCAG)
            layouts.look(page, f"{name or 'display'} at {width}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name

    shared.begin("mockery")
    board = window(shared.board)
    board.wait_for_selector("[data-piece]")
    look(board, "board")
    page = window("about:blank")
    for place in PLACES:
        page.goto(f"{shared.display}{place}")
        look(page, place)
    look(seat(window, shared, "white"), "seat")
    referee = window(f"{shared.display}referee")
    referee.fill("[name=key]", shared.pin)
    referee.click("button.main")
    referee.wait_for_selector(".desk")
    for width in on_each_screen(referee):
        broken["referee after the PIN", width] = violations(referee)
    display = window(shared.display)
    pages = itertools.cycle((("board", board), ("display", display)))
    for state, deeds, words in STATES:
        deeds(Hand(board))
        for name, page in itertools.islice(pages, 2 if NIGHTLY or state == "over" else 1):
            expect(headline(page)).to_contain_text(words)
            look(page, f"{name} {state}", rules=state == "over")
    assert {place: found for place, found in broken.items() if found} == {}
    assert layouts.changed() == {}


def test_a_game_is_chosen_played_and_resigned_from_phones(shared, table, window):
    shared.begin("mockery")
    hand, display = table(shared)
    setup = window(f"{shared.display}setup")
    setup.check('[name="game"][value="reversi"]')
    setup.click("text=Names")
    setup.fill('[name="white"]', "Ada")
    setup.click("summary:has-text('Time')")
    setup.fill('[name="time"]', "5m+3s")
    setup.click('[data-part="begin"]')
    expect(display.locator('[data-part="title"]')).to_have_text("Reversi Chess")
    hand.set_up("reversi")
    expect(headline(display)).to_contain_text("begin")
    white = seat(window, shared, "white", viewport={"width": 360, "height": 740})
    black = seat(window, shared, "black", viewport={"width": 390, "height": 800})
    assert "key=" not in white.url
    expect(white.get_by_role("button", name="Give up")).to_be_hidden()
    begin(black, display)
    expect(white.get_by_role("button", name="Give up")).to_be_visible()
    hand.drag("e2", "e4")
    expect(headline(white)).to_have_text("Press the clock.")
    white.click(".press")
    expect(display.locator('.clock[data-side="black"]')).to_have_class(re.compile("running"))
    white.click("text=Offer a draw")
    expect(white.get_by_role("button", name="Offer a draw")).to_be_hidden()
    black.click("text=Decline")
    expect(white.get_by_role("button", name="Offer a draw")).to_be_visible()
    black.click("text=Give up")
    expect(headline(display)).not_to_contain_text("wins")
    black.click("text=Really? Tap again")
    expect(headline(display)).to_contain_text("White wins")
    assert window.complaints == []
    again = white.get_by_role("button", name="Rematch")
    expect(again).to_be_in_viewport(ratio=1)
    expect(white.locator("button:disabled")).to_have_count(0)
    for name in ("Press the clock", "Offer a draw", "Give up"):
        expect(white.get_by_role("button", name=name)).to_be_hidden()
    again.click()
    white.wait_for_url("**/play/black*")
    black.wait_for_url("**/play/white*")
    expect(display.locator('.clock[data-side="black"] b')).to_have_text("Ada")
    expect(headline(white)).to_contain_text("begin")
    begin(white, display)
    expect(headline(display)).to_have_text("White to move.")


def test_a_code_leaves_the_page_and_a_second_phone_has_to_ask(shared, window):
    shared.begin("reversi")
    setup = window(f"{shared.display}setup")
    code = setup.locator('.seat a[href*="white#key="]')
    address = code.get_attribute("href")
    first = window(address)
    first.wait_for_selector(".press")
    expect(code).to_have_count(0)
    expect(setup.locator('.seat a[href*="black#key="]')).to_have_count(1)
    display = window(shared.display)
    referee = window(f"{shared.display}referee")
    referee.fill("[name=key]", shared.pin)
    referee.click("button.main")
    referee.wait_for_selector(".desk")
    second = window(address)
    expect(second.locator('[data-part="refused"]')).to_contain_text("This seat is taken.")
    for told in (display, referee):
        expect(told.locator('[data-part="news"]')).to_contain_text("asks for White's seat")
    referee.click("text=Leave the referee's page")
    referee.wait_for_selector('[data-part="entry"]')
    first.click("text=Keep the seat")
    expect(second.locator('[data-part="refused"]')).to_contain_text("keeps the seat")
    expect(first.locator('[data-part="asked"]')).to_be_hidden()
    first.click("text=Leave the seat")
    first.click("text=Really?")
    first.wait_for_selector('[data-part="entry"]')
    expect(code).to_have_count(1)
    window(code.get_attribute("href")).wait_for_selector(".press")


def test_time_is_agreed_as_players_write_it_and_nobody_is_asked_in_vain(shared, table, window):
    shared.begin("reversi")
    hand, display = table(shared)
    hand.press("black")
    expect(headline(display)).to_have_text("White to move.")
    setup = window(f"{shared.display}setup?language=de")
    begin, refused = (
        setup.locator('[data-part="begin"]'),
        setup.locator('[data-part="refused"]'),
    )
    for field in ("who", "computer"), ("mine", "black"), ("level", "3"):
        setup.check('[name="{}"][value="{}"]'.format(*field))
    expect(setup.locator('[name="seat_white"]')).to_have_value("computer 3")
    expect(setup.locator('[name="seat_black"]')).to_have_value("")
    setup.check('[name="who"][value="people"]')
    setup.click("summary:has-text('Zeit')")
    setup.set_viewport_size({"width": 800, "height": 480})
    setup.fill('[name="time"]', "5+3000")
    setup.click("summary:has-text('Zeit')")
    begin.click()
    expect(refused).to_contain_text("5+3000")
    expect(begin).to_have_text("Los geht's")
    expect(setup.locator('[name="time"]')).to_be_focused()  # and in sight
    typed, told = (setup.locator(one).bounding_box() for one in ('[name="time"]', ".begin"))
    assert typed["y"] + typed["height"] < told["y"]
    setup.reload()
    expect(setup.locator('[name="time"]')).to_have_value("")  # what cannot be is not kept
    setup.click("summary:has-text('Zeit')")
    setup.click('[data-fill="time"][data-value="unbegrenzt"]')
    expect(setup.locator('[name="time"]')).to_have_value("unbegrenzt")
    begin.click()
    expect(refused).to_be_hidden()
    expect(begin).to_have_attribute("data-asked", "yes")
    setup.focus('[data-fill="time"][data-value="5+3"]')
    setup.keyboard.press("Enter")
    setup.check('[name="odds"]')
    setup.fill('[name="time_black"]', "1h30")
    begin.click()
    setup.wait_for_url(shared.display)
    expect(display.locator('.clock[data-side="white"] .time')).to_have_text("5:00")
    expect(display.locator('.clock[data-side="black"] .time')).to_have_text("1:30:00")
    refused = [line for line in window.complaints if "400" not in line]
    assert refused == []


def test_a_screen_is_learnt_by_touch_by_mouse_and_by_keyboard(shared, window):
    page = window(f"{shared.display}learn/mockery/1")
    page.click('rect[data-square="e2"]', force=True)
    page.click('rect[data-square="e4"]', force=True)
    expect(page.locator('[data-part="result"]')).to_contain_text("Legal")
    page.drag_and_drop('rect[data-square="e2"]', 'rect[data-square="d3"]', force=True)
    expect(page.locator('[data-part="result"]')).to_contain_text("does not move like this")
    page.fill('[name="move"]', "a1a5")
    page.press('[name="move"]', "Enter")
    expect(page.locator('[data-part="result"]')).to_contain_text("Something stands in the way")
    assert window.complaints == []


def test_the_first_load_is_lean_and_asks_nobody_else(shared, window):
    shared.begin("mockery")
    page = window("about:blank")
    sizes, foreign = [], []

    def count(response):
        if not response.url.startswith(shared.display):
            foreign.append(response.url)
        elif "events" not in response.url:
            sizes.append(response.request.sizes()["responseBodySize"])

    page.on("requestfinished", lambda request: count(request.response()))
    page.goto(shared.display, wait_until="load")
    page.wait_for_selector(".piece")
    assert foreign == []
    assert sum(sizes) <= 150_000


def fits_whatever_its_shape(page):
    page.wait_for_selector(".piece")
    for size in ((1920, 1080), (1024, 600), (768, 1366), (390, 844), (1280, 720)):
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0]
        if size[0] > size[1]:
            assert page.evaluate("document.documentElement.scrollHeight") <= size[1]


def test_a_long_ruling_hides_neither_the_legend_nor_what_stands_below(shared, table, window):
    shared.begin("realm")
    hand, _ = table(shared)
    display = window(f"{shared.display}?language=de")
    for source, target in (("a2", "a5"), ("h2", "h5"), ("b1", "d5"), ("f1", "f5")):
        hand.drag(source, target)
    expect(display.locator('[data-part="more"] li')).to_have_count(3)

    def fits():
        ends = [
            box["y"] + box["height"]
            for part in ('[data-part="legend"]', '[data-part="voice"]', ".middle")
            if (box := display.locator(part).bounding_box())
        ]
        return len(ends) == 3 and max(ends) <= ends[-1] + 1

    for width, height in ((1280, 720), (1024, 600), (800, 480)):
        display.set_viewport_size({"width": width, "height": height})
        until(fits)


REMEMBER = """addEventListener("DOMContentLoaded", () => {
  const show = document.querySelector('[data-part="attract"]');
  if (!show) return;
  const note = () => {
    const now = `${document.documentElement.lang} ${show.hidden ? "hidden" : "shown"};`;
    const seen = sessionStorage.seen ?? "";
    if (!seen.endsWith(now)) sessionStorage.seen = seen + now;
  };
  note();
  new MutationObserver(note).observe(show, {attributes: true, attributeFilter: ["hidden"]});
})"""
"""The show may be back before a test can look: the page itself remembers in which language it was
shown and hidden."""


def forget(page):
    page.evaluate("sessionStorage.removeItem('seen')")


def was(page, pattern):
    """Wait until the show has done this, as told in `REMEMBER`."""
    until(lambda: re.search(pattern, seen(page)))


def seen(page):
    with contextlib.suppress(Error):  # it is just being loaded anew
        return page.evaluate("sessionStorage.seen ?? ''")
    return ""


def choose(page, name, language):
    """Choose a language: between a touch that ends the show and the next one it is not back."""
    link = page.get_by_text(name)

    def chosen():
        with contextlib.suppress(Error):  # it is just being loaded anew
            if not (box := link.bounding_box()):  # it is not yet drawn
                return False
            page.mouse.click(300, 300)
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return f"{language} hidden" in seen(page)

    until(chosen)


KIOSK = ("--set=pages.kiosk=true", "--set=pages.attract_seconds=2")


def test_a_kiosk_shows_its_games_until_touched_and_is_left_with_the_pin_and_no_keyboard(
    demo, window, table
):
    with demo(*KIOSK, "--game=realm") as running:
        hand, page = table(running)
        page.add_init_script(REMEMBER)
        page.reload()
        show = page.locator('[data-part="attract"]')
        expect(show).to_be_visible()
        expect(show.locator(".glow").first).to_be_visible()
        expect(hand.page.locator(".led.on").first).to_be_attached()
        assert violations(page) == []
        forget(page)
        hand.drag("e2", "e4")
        was(page, "en hidden")
        hand.drag("e4", "e2")
        expect(show).to_be_visible()
        forget(page)
        page.mouse.click(300, 300)
        was(page, "en hidden")
        choose(page, "Deutsch", "de")
        was(page, "de hidden;.*en shown")
        heights = window(f"{running.display}setup").evaluate(
            """[...document.querySelectorAll('button, input[type=text]')]
              .filter((each) => each.checkVisibility()).map((each) => each.offsetHeight)"""
        )
        assert min(heights) >= 48
        page = window(f"{running.display}kiosk")
        assert violations(page) == []
        page.click('[data-digit="0"]')
        page.click('[data-digit=""]')  # a slip
        for digit in running.pin:
            page.click(f'[data-digit="{digit}"]')
        page.click("button.main")
        expect(page.locator("body")).to_contain_text("The kiosk is left")
        assert page.locator("html").get_attribute("class") is None
        assert window.complaints == []


def test_a_small_kiosk_says_which_game_is_to_begin_and_large_how(demo, window):
    with demo("--set=pages.kiosk=true") as running:
        small = {"viewport": {"width": 800, "height": 480}}
        for language, word in (("de", "Uhr"), ("en", "clock")):
            page = window(f"{running.display}?language={language}", **small)
            asked = headline(page)
            expect(asked).to_contain_text(word)
            expect(page.locator('[data-part="title"]')).to_be_visible()
            middle = "document.querySelector('.middle')"
            assert page.evaluate(f"{middle}.scrollHeight <= {middle}.clientHeight")
            size = asked.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)")
            assert size >= 24


def test_no_page_breaks_when_written_from_right_to_left(shared, window):
    page, broken = window("about:blank"), {}
    for place in PLACES if NIGHTLY else WRITTEN_ANYHOW:
        page.goto(f"{shared.display}{place}?language={PSEUDO}")
        assert page.locator("html").get_attribute("dir") == "rtl"
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                broken[place, width] = "wider than the screen"
            elif NIGHTLY and (found := violations(page)):
                broken[place, width] = found
    assert broken == {}
    page.goto(f"{shared.display}?language={PSEUDO}")
    page.wait_for_selector(".piece")
    left, right = (
        page.locator(f'rect[data-square="{square}"]').bounding_box()["x"] for square in ("a1", "h1")
    )
    assert left < right
    assert re.search("[a-z]{3}", page.locator(".headline").inner_text()) is None


def test_pieces_glide_where_they_go_but_not_for_who_wants_no_motion(shared, window):
    shared.begin("mockery")
    pages = [
        window(at, reduced_motion=wish)
        for wish in ("no-preference", "reduce")
        for at in (shared.board, shared.display)
    ]
    for page in pages:
        page.wait_for_selector('.piece[data-square="e2"], .piece[data-at="e2"]')
        page.evaluate("""addEventListener("transitionrun", ({ target }) => {
            if (target.matches(".piece")) window.glided = true; })""")
    hand, mouse = Hand(pages[0]), pages[0].mouse
    mouse.move(*hand._centre("e2"))
    mouse.down()
    x, y = hand._centre("e4")
    mouse.move(x + 12, y + 9, steps=4)  # let go beside the middle, it glides there
    mouse.up()
    for page in pages:
        page.wait_for_selector('.piece[data-square="e4"], .piece[data-at="e4"]')
    until(lambda: all(page.evaluate("window.glided ?? false") for page in pages[:2]))
    assert not any(page.evaluate("window.glided ?? false") for page in pages[2:])


MOVES_SEEN = """() => {
  window.seen = [];
  // Half of the way: how much of the piece is to be seen, and how wide it is.
  const halfway = (animation, look) => {
    animation.pause();
    animation.currentTime = animation.effect.getTiming().duration / 2;
    const found = look(getComputedStyle(animation.effect.target));
    animation.play();
    return found;
  };
  const board = document.querySelector(".board .pieces");
  new MutationObserver((changes) => {
    for (const { type, target, oldValue, removedNodes } of changes) {
      const fading = type === "attributes" && !target.dataset.square
        && target.getAnimations().find((each) => !(each instanceof CSSTransition));
      if (fading) seen.push(["fades", oldValue, halfway(fading, ({ opacity }) => Number(opacity))]);
      for (const node of removedNodes) seen.push(["gone", node.dataset.square ?? ""]);
    }
  }).observe(board, {
    subtree: true, childList: true, attributeFilter: ["data-square"], attributeOldValue: true });
  addEventListener("animationstart", ({ target, animationName }) => {
    const [turning] = target.getAnimations();
    const wide = halfway(turning, ({ transform }) => new DOMMatrix(transform).a);
    seen.push([animationName, target.closest(".piece").dataset.square, wide]);
  });
}"""
"""A page remembers which pieces left the board and which turned over, and how that looked."""


@at_night("pieces that glide go the same way")
def test_a_captured_piece_fades_and_one_turned_over_turns_but_not_for_who_wants_no_motion(
    shared, window
):
    shared.begin("reality-check", press=True)
    hand = Hand(window(shared.board))
    moving, still = (
        window(shared.display, reduced_motion=wish) for wish in ("no-preference", "reduce")
    )
    for page in (moving, still):
        page.wait_for_selector('.piece[data-square="e8"]')
        page.evaluate(MOVES_SEEN)
    hand.press("black")
    sides = itertools.cycle(("white", "black"))
    for source, target, over in (
        ("c3", "c4", ""),
        ("b7", "b6", "e8"),
        ("c2", "b4", "b4"),
        ("b6", "c6", "d2"),
        ("b4", "c6", ""),
    ):
        side = next(sides)
        expect(moving.locator(f'.clock.to-act[data-side="{side}"]')).to_be_visible()
        hand.drag(source, target)
        if over:
            hand.turn_over(over)
        hand.press(side)

    def told(page, wanted):
        seen = page.evaluate("seen")
        return {square: how for what, square, *how in seen if what == wanted}

    until(lambda: "c6" in told(moving, "fades"))  # the piece that was captured
    until(lambda: not moving.locator(".piece:not([data-square])").count())  # gone in the end
    assert [*told(moving, "turn-over")] == ["e8"]
    assert all(0.5 < wide < 1.2 for (wide,) in told(moving, "turn-over").values())
    assert all(0.2 < opacity < 0.8 for (opacity,) in told(moving, "fades").values())
    assert {what for what, *_ in still.evaluate("seen")} == {"gone"}


def test_the_display_fits_follows_the_hands_and_takes_the_answer_beside_the_board(
    shared, table, window
):
    shared.begin("reality-check", press=True)
    hand, display = table(shared)
    fits_whatever_its_shape(display)
    lifted = display.locator(".piece.lifted")
    expect(lifted).to_have_count(0)
    hand.press("black")
    expect(headline(display)).to_have_text("White to move.")
    plate = hand.page.locator(".plate.white")
    high = plate.bounding_box()["height"]
    hand.page.mouse.move(*hand._centre("c3"))
    hand.page.mouse.down()
    expect(lifted).to_have_attribute("data-square", "c3")
    hand.page.mouse.move(*hand._centre("c4"), steps=3)
    hand.page.mouse.up()
    expect(lifted).to_have_count(0)
    expect(display.locator('.piece[data-square="c4"]')).to_have_count(1)
    expect(headline(display)).to_contain_text("ress the clock")
    expect(plate).to_contain_text("press this clock")
    assert plate.bounding_box()["height"] == high  # nothing jumps when it is asked for
    hand.press("white")
    # Only where a capture is possible can the check be declared.
    for source, target, over, side in (
        ("b7", "b6", "e8", "black"),
        ("c2", "b4", "b4", "white"),
        ("b6", "c6", "d2", "black"),
    ):
        hand.drag(source, target)
        hand.turn_over(over)
        hand.press(side)
    display.click("text=Reality Check!")
    expect(display.locator('[data-part="refused"]')).to_be_hidden()
    setup = window(f"{shared.display}setup")
    setup.check('[name="game"][value="realm"]')
    setup.click('[data-part="begin"]')
    expect(setup.locator('[data-part="begin"]')).to_contain_text("End it and begin this one?")
    setup.click('[data-part="begin"]')
    expect(display.locator('[data-part="title"]')).to_have_text("Realm Chess")
    # The simulated board's pieces follow, sooner than a busy display may look.
    expect(headline(display)).to_contain_text("begin")
    expect(display.locator('.piece[data-square="e2"]')).to_have_count(1)
    expect(lifted).to_have_count(0)


def test_no_game_stands_alone_below_the_others(shared, window):
    page = window(f"{shared.display}setup")
    screens = ((768, 1024), (900, 700), (1024, 800), (1080, 1920), (1280, 800))
    for more, (width, height) in itertools.product(range(5), screens):
        page.set_viewport_size({"width": width, "height": height})
        tops = page.evaluate(
            """(more) => {
              document.querySelectorAll(".choice[data-added]").forEach((tile) => tile.remove());
              const tile = document.querySelector(".choice");
              for (let i = 0; i < more; i += 1) {
                const another = tile.parentNode.appendChild(tile.cloneNode(true));
                another.dataset.added = "";
              }
              const tiles = [...document.querySelectorAll(".choice")];
              return tiles.map((tile) => tile.getBoundingClientRect().top);
            }""",
            more,
        )
        rows = sorted(Counter(tops).values())
        assert len(tops) == len(rules.games()) + more
        assert len(rows) <= 2, (more, width)
        assert rows[-1] - rows[0] <= 1, (more, width)
