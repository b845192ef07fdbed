// What the page says, in the language in which it was sent.

const words = JSON.parse(document.getElementById("words").textContent);

// The text of a key with its gaps filled; what nobody has words for is called by its own name.
export const say = (key, { otherwise = key, ...gaps } = {}) =>
  (words[key] ?? otherwise).replace(/\{(\w+)\}/g, (gap, name) => gaps[name] ?? gap);
