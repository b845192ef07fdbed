"""How soon the display paints and lives, and its weight: `--benchmark-only -k page_load -s`."""

import statistics

import pytest

from tests.benchmarks.test_display_latency import hands, pawns, put, wait_for
from tests.e2e.conftest import demo, window  # noqa: F401 - fixtures
from tests.patience import until

ROUNDS = 12
WHEN_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
LISTEN = """
  const Real = EventSource;
  window.EventSource = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener('scene', () => { window.live ??= performance.now(); });
    }
  };
"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def figures(name, values, unit):
    values = sorted(values)
    text = f"{name}: median {statistics.median(values):.0f} {unit}, worst {values[-1]:.0f} {unit}"
    print(text)  # noqa: T201 - what a benchmark is run for
    return text


def test_page_load_to_paint_and_live(benchmark, demo, window):  # noqa: F811
    painted, live = [], []
    with demo("--game", "realm") as running:
        wait_for(running, "ready")

        def once():
            page = window("about:blank")
            page.add_init_script(LISTEN)
            page.goto(running.display)
            # The page allows no `eval`, by which a browser would wait for them itself.
            live.append(until(lambda: page.evaluate("window.live"), pause=0.01))
            painted.append(until(lambda: page.evaluate(WHEN_PAINTED), pause=0.01))
            page.context.close()

        benchmark.pedantic(once, rounds=ROUNDS)
    benchmark.extra_info["painted"] = figures("first paint", painted, "ms")
    benchmark.extra_info["live"] = figures("live", live, "ms")


def test_page_load_in_bytes_over_the_wire(benchmark, demo, window):  # noqa: F811
    with demo("--game", "realm", "--set=pages.kiosk=true", "--set=pages.attract_seconds=2") as run:
        wait_for(run, "ready")
        page = window("about:blank")
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        loaded, scenes = [], []
        wire.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
        wire.on(
            "Network.eventSourceMessageReceived",
            lambda event: event["eventName"] == "scene" and scenes.append(len(event["data"])),
        )
        page.goto(run.display)
        page.wait_for_selector('[data-part="attract"]:not([hidden])')
        first = sum(loaded)

        def play():
            for piece, file in [next(turn) for _ in range(2)]:
                put(run, piece, f"{file}3")
                page.wait_for_timeout(500)

        turn = pawns(run)
        hands(run, {"button": "black"})
        benchmark.pedantic(play, rounds=1)
        page.wait_for_timeout(500)
    benchmark.extra_info["first"] = figures("first load", [first / 1000], "kB")
    benchmark.extra_info["update"] = figures("update", [size / 1000 for size in scenes], "kB")
