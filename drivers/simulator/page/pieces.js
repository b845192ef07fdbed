// How pieces look: silhouettes in a box of 100 by 100, standing on the line y = 86.

const NS = "http://www.w3.org/2000/svg";

const FOOT = "M25 87c-2 0-3-1-3-3v-4c0-3 3-5 6-5h44c3 0 6 2 6 5v4c0 2-1 3-3 3z";

const OUTLINES = {
  P: ["M50 21a13 13 0 0 1 8 23h5c2 0 3 1 3 3s-1 3-3 3h-6c1 10 4 17 9 25H34c5-8 8-15 9-25h-6c-2 0-3-1-3-3s1-3 3-3h5a13 13 0 0 1 8-23z"],
  R: ["M29 20h11v8h6v-8h8v8h6v-8h11v18l-7 7 3 30H33l3-30-7-7z", "M36 45h28"],
  N: ["M33 75c0-15 9-20 15-28-7 4-11 4-16 9-4 3-9 0-8-6 2-10 8-13 12-20l2-13 9 8c16 0 25 12 26 28 0 8-1 15-1 22z", "M41 35a1.6 1.6 0 1 0 .1 0z"],
  B: ["M50 13a6 6 0 0 1 4 10c9 7 14 15 14 24 0 7-4 11-10 14l5 14H37l5-14c-6-3-10-7-10-14 0-9 5-17 14-24a6 6 0 0 1 4-10z", "M56 34 47 48"],
  Q: ["M24 31a4 4 0 1 1 4-1l9 19 2-23a4 4 0 1 1 4-1l5 22 1-26a4 4 0 1 1 2 0l1 26 5-22a4 4 0 1 1 4 1l2 23 9-19a4 4 0 1 1 4 1l-8 34 2 9H30l2-9z", "M33 63h34"],
  K: ["M47 10h6v6h6v6h-6v8c12-6 25-1 25 11 0 11-11 17-12 26v8H34v-8c-1-9-12-15-12-26 0-12 13-17 25-11v-8h-6v-6h6z", "M50 34v28M35 64h30"],
};

export function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

const COLOURS = { w: "white", b: "black", n: "plain" };

export function spoken(look) {
  return `${COLOURS[look[0]]} ${NAMES[look[1]] ?? look[1]}`;
}

// Draws into `group`, in a box of 100 by 100 around its origin.
export function draw(group, look, shape) {
  const [outline, ...marks] = OUTLINES[look[1]] ?? [];
  const figure = make("g", { transform: shape === "disc" ? "translate(-31 -33) scale(.62)" : "translate(-54 -56) scale(1.08)" });
  if (outline) {
    figure.append(make("path", { class: "body", d: outline }), make("path", { class: "body", d: FOOT }));
    for (const mark of marks) figure.append(make("path", { class: "mark", d: mark }));
  } else {
    figure.append(make("text", { class: "letter", x: 50, y: 72 }, look[1]));
  }
  const below = shape === "disc"
    ? [make("circle", { class: "rim", r: 43, cy: 3 }), make("circle", { class: "face", r: 43 }), make("circle", { class: "ring", r: 37 })]
    : [make("ellipse", { class: "shade", cx: 0, cy: 38, rx: 31, ry: 6 })];
  group.replaceChildren(...below, figure);
  group.setAttribute("class", `piece ${COLOURS[look[0]]} ${shape}`);
}
