// Sets a journal aside that cannot be opened, and waits until the game is there.

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const form = part("set-aside");
const AGAIN = 500; // ms

form.addEventListener("click", ({ target }) => {
  const { digit } = target.dataset;
  if (digit === undefined) return;
  form.pin.value = digit ? form.pin.value + digit : form.pin.value.slice(0, -1);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await fetch("/api/v1/journal/set-aside", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ pin: form.pin.value }),
  });
  const { problem } = await answer.json();
  const told = part("problem");
  told.textContent = part(problem ?? (answer.ok ? "begins" : "wait")).textContent;
  told.hidden = false;
  if (answer.ok) wait();
});
form.inert = false;

const wait = async () => {
  const there = await fetch("/").then(({ ok }) => ok, () => false);
  if (there) location.replace("/");
  else setTimeout(wait, AGAIN);
};
