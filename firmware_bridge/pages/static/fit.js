// How many cards stand on a screen, and how large.

const SIZES = [ // the least width of a card, and what its text needs beside the board, in rem
  { size: "large", width: 13, text: 8.2 },
  { size: "medium", width: 6.2, text: 3.4 },
  { size: "small", width: 5.2, text: 1.7 },
];
const WIDEST = 36; // rem
const GAP = 0.4; // rem
const NARROW = 40; // rem; on a phone people scroll

// The largest cards of which all fit below the top of `list`, else the smallest: their `size` says
// which texts they have room for, `places` how many fit, `help` how many places one takes that
// needs help: two where one is too narrow for the reason.
export const fit = (list, cards, helped) => {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = list.clientWidth / rem;
  const height = (innerHeight - list.getBoundingClientRect().top - scrollY) / rem - GAP;
  if (width < NARROW) return { size: "large", help: 1, places: Infinity, style: {} };
  let found = null;
  for (let wide = WIDEST; wide >= SIZES.at(-1).width; wide -= 0.1) {
    found = grid(width, height, wide, cards, helped);
    if (found.places >= cards + (found.help - 1) * helped) break;
  }
  return found;
};

const grid = (width, height, wide, cards, helped) => {
  const { size, text } = SIZES.find((each) => wide >= each.width) ?? SIZES.at(-1);
  const help = size === "large" ? 1 : 2;
  let columns = Math.max(help, Math.floor((width + GAP) / (wide + GAP)));
  if (helped) columns -= columns % help;
  const rows = Math.floor((height + GAP) / (wide + text + GAP));
  const share = (width + GAP) / columns - GAP;
  const style = {
    "--columns": Math.min(columns, cards + (help - 1) * helped) || 1,
    "--card-width": `${Math.min(share, 1.2 * wide)}rem`,
    "--card-height": `${wide + text}rem`,
    "--between": `${GAP}rem`,
  };
  return { size, help, places: columns * rows, style };
};

// Those that need help stand on each page, as long as they leave half of it to the others.
export const pages = (order, helped, { places, help }) => {
  const room = (card) => (card.help ? help : 1);
  const pinned = 2 * help * helped <= places ? order.slice(0, helped) : [];
  const most = places - help * pinned.length;
  const found = [[]];
  let used = 0;
  for (const card of order.slice(pinned.length)) {
    if (used + room(card) > most && used) {
      found.push([]);
      used = 0;
    }
    found.at(-1).push(card);
    used += room(card);
  }
  return found.map((page) => [...pinned, ...page]);
};
