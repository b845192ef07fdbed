"""How the tests start Chromium, without a sandbox and errands of its own; who a page shuts out.

Where Debian's headless shell is installed, it is taken: the same engine at half the processor time.
"""

import shutil

CHROMIUM = (
    shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

BROKEN = """({ violations, incomplete }) => {
  const alike = ({ any }) => any.some(({ data }) => data?.messageKey === "equalRatio");
  const unseen = incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter(alike) }));
  return [...violations, ...unseen.filter(({ nodes }) => nodes.length)];
}"""
"""Text of the colour of its ground is for axe perhaps hidden on purpose; here nobody hides so."""


def violations(page, tags=WCAG):
    """Return each rule of accessibility that a page breaks, and where; of all rules without tags.

    What is right is not told in full: to write that down took axe half of its time. A page keeps
    axe, to be looked at again.
    """
    from axe_playwright_python.sync_playwright import Axe

    page.wait_for_load_state("load")  # unstyled, everything is too small to be touched
    shown = ["violations", "incomplete"]
    options = {"resultTypes": shown, **({"runOnly": tags} if tags else {})}
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(f"(options) => axe.run(options).then({BROKEN})", options)
    return [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found]
