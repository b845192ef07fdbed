"""Where the parts of a page lie, how large they are and what is written on them, to be compared.

`LAYOUTS=write ./test -k accessibility_or_its_layout` writes down what is so now.
"""

import json
import os
from difflib import ndiff
from pathlib import Path

from tests.patience import until

KEPT = Path(__file__).with_suffix(".json")
NEAR = 12
"""Pixels: as far as the same part may lie elsewhere, by fonts drawn by another browser."""
LOOK = """
  () => {
    if (document.querySelector('[data-part="lost"]:not([hidden])')) return null;
    for (const news of document.querySelectorAll('[data-part="news"]')) {
      const late = [...news.children].filter((item) => /stood still/.test(item.textContent));
      late.forEach((item) => item.remove());
      news.hidden = !news.children.length;
    }
    return [...document.querySelectorAll(
    'h1, h2, summary, button, a, input, svg.board, #board, .clock, .headline, .alert, .panel')]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .map((node) => {
      const box = node.getBoundingClientRect();
      const words = node.matches('svg, .panel, .clock') ? '' : (node.innerText ?? '').trim();
      const read = words.replace(/\\s+/g, ' ').replace(/\\u00ad/g, '').slice(0, 50);
      const name = [node.tagName.toLowerCase(), read];
      const at = [box.x + scrollX, box.y + scrollY, box.width, box.height];
      return [name.join(' ').trim(), ...at.map(Math.round)];
    });
  }
"""
"""What lies where; that a busy machine kept the service waiting is true, and no part of it."""


class Layouts:
    """What is seen on the pages of one run, beside what is kept of an earlier one."""

    def __init__(self):
        self.seen = {}

    def look(self, page, name):
        """See a page once it stands still, and not while its line is lost on a busy machine."""
        page.wait_for_load_state("load")
        page.evaluate("document.fonts.ready.then(() => null)")

        def still():
            before, self.seen[name] = self.seen.get(name), page.evaluate(LOOK)
            return self.seen[name] is not None and before == self.seen[name]

        until(still)

    def changed(self):
        """Return what is not as it was kept, page after page; keep it where that is wanted."""
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        if os.environ.get("LAYOUTS") == "write":
            told = dict(sorted({**kept, **self.seen}.items()))
            lines = (f" {json.dumps(n)}: {_written(parts)}" for n, parts in told.items())
            KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n")
            return {}
        differ = {name: _differing(kept.get(name, []), parts) for name, parts in self.seen.items()}
        return {name: found for name, found in differ.items() if found}


def _written(parts):
    return "[\n" + ",\n".join(f"  {json.dumps(part)}" for part in parts) + "\n ]"


def _differing(before, now):
    names = [[name for name, *_ in parts] for parts in (before, now)]
    if names[0] != names[1]:
        return [line for line in ndiff(*names) if line[0] in "+-"]
    return [
        (was, is_)
        for was, is_ in zip(before, now, strict=True)
        if any(abs(a - b) > NEAR for a, b in zip(was[1:], is_[1:], strict=True))
    ]
