// Asks for the referee's PIN, which the display judges; whoever is let in sees the board.

const form = document.querySelector(".entry");
form.inert = false; // until now nobody would have taken what is entered

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ key: form.elements.key.value });
  const told = form.querySelector("[role=alert]");
  const answer = await fetch(form.dataset.entry, { method: "POST", body, headers: { "content-type": "application/json" } });
  if (answer.ok) location.reload();
  const { message, error } = await answer.json();
  told.textContent = message ?? error;
  told.hidden = false;
});
