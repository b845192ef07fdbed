"""What holds of every page at every moment, whatever it shows."""

SCREENS = {
    "phone": {"width": 360, "height": 740},
    "the Pi's own": {"width": 800, "height": 480},
    "desk": {"width": 1280, "height": 800},
    "wall": {"width": 1920, "height": 1080},
}
SMALL = {name: SCREENS[name] for name in ("phone", "the Pi's own")}
"""Where words are cut off first, if they are."""
FAULTS = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  const seen = (node) => !node.closest("svg, .unseen, .skip")
    && node.checkVisibility({ visibilityProperty: true });
  const named = (node) => `${node.localName} ${(node.innerText ?? "").trim().slice(0, 40)}`;
  const wide = document.documentElement.clientWidth, found = [];
  // A box that is one whole target has it drawn over itself.
  const box = (node) => {
    const over = getComputedStyle(node, "::before").position === "absolute";
    return (over ? node.offsetParent : node.closest("label") ?? node).getBoundingClientRect();
  };
  const touched = [...document.querySelectorAll("a, button, select, summary, input")].filter(seen);
  for (const node of touched) {
    const { width, height } = box(node);
    if (height < 43.5 || width < 24) found.push(`hard to touch: ${named(node)}`);
  }
  for (const node of [...document.querySelectorAll("body *")].filter(seen)) {
    const { left, right, width } = node.getBoundingClientRect();
    if (width && (left < -1 || right > wide + 1)) found.push(`outside: ${named(node)}`);
  }
  const centre = (node) => (({ top, bottom }) => (top + bottom) / 2)(node.getBoundingClientRect());
  const plates = ".side > .clock:not(.untimed):has(.note[hidden])";
  for (const plate of innerWidth > innerHeight ? document.querySelectorAll(plates) : []) {
    const [who, time] = [...plate.querySelectorAll(".who, .time")].map(centre);
    if (Math.abs(who - time) > 4) found.push(`askew: ${named(plate)}`);
  }
  for (const light of [...document.querySelectorAll(".swatch")].filter(seen)) {
    const { width, height } = light.getBoundingClientRect();
    if (Math.abs(width - height) > 1) found.push(`no square: ${named(light.parentNode)}`);
  }
  const middle = document.querySelector(".middle");
  const [low, high] = [middle?.scrollHeight, middle?.clientHeight];
  if (low > high) found.push(`cut off: ${low} in ${high}`);
  const large = (node) => parseFloat(getComputedStyle(node).fontSize);
  const headline = document.querySelector(".middle .headline:not([hidden])");
  const beside = [...(middle?.querySelectorAll("button, .button") ?? [])].filter(seen);
  const loud = headline && beside.filter((node) => large(node) > large(headline));
  if (loud?.length) found.push(`louder than what is to be done: ${loud.map(named)}`);
  const leads = [...document.querySelectorAll(":is(.ends, .answers, .row) > .main")].filter(seen);
  const strong = new Set(leads.map((node) => getComputedStyle(node).backgroundColor));
  if (leads.length > strong.size) found.push(`two lead: ${leads.map(named)}`);
  return [...new Set(found)];
}"""


def faults(page, screens=SCREENS):
    """Return what is hard to touch, cut off, outside or too loud, on each of the screens."""
    found = {}
    for name, size in screens.items():
        page.set_viewport_size(size)
        found |= {name: told} if (told := page.evaluate(FAULTS)) else {}
    return found
