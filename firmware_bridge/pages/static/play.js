// A player's phone (`/play/white`, `/play/black`).

import { onSubmit } from "./forms.js";
import { act, enterByCode, listen, page, part, post, setList, setText, showAnswers, showDeclarations, showTable } from "./table.js";

const show = (scene) => {
  showAnswers(scene.decision);
  showDeclarations({ ...scene, question: scene.decision });
  part("asked").hidden = !scene.asked;
  setList(part("hand"), scene.hand_told);
  part("hand-panel").hidden = scene.hand.length === 0;
  setList(part("to-place"), scene.to_place);
  part("place-panel").hidden = scene.to_place.length === 0;
  const idle = ["waiting", "set-up", "over"].includes(scene.phase);
  part("press").hidden = idle;
  part("calls").hidden = idle || scene.phase === "ready"; // there is nothing yet to offer or to give up
  for (const button of part("calls").querySelectorAll("[data-call^=offer]")) {
    const { call } = button.dataset; // twice it is refused; a computer is not asked
    button.hidden = call === `offer-${scene.offers}` || scene.declarations.some((one) => one.call === call);
  }
  part("press").classList.toggle("main", scene.presses && scene.tone !== "urgent"); // the way back leads
  setList(part("words"), scene.text_board);
  setList(part("news"), scene.news);
  for (const button of document.querySelectorAll("[data-for]")) {
    button.hidden = !scene.decision.some(({ text }) => text?.startsWith(button.dataset.for));
  }
};

const typed = () => {
  onSubmit(part("typed"), async (event) => {
    const answer = new FormData(event.target).get("answer").trim();
    if (answer && (await act({ answer }))) event.target.reset();
  });
};

const answerAsking = () => {
  for (const button of document.querySelectorAll("[data-agree]")) {
    button.addEventListener("click", async () => {
      part("asked").hidden = true;
      const answer = await post(`${page.dataset.entry}/hand-over`, { agree: button.dataset.agree === "yes" });
      if (answer.status !== 202) setText(part("refused"), answer.message ?? answer.error ?? "⚠");
    });
  }
};

if (part("entry")) {
  enterByCode();
} else {
  showTable(show, { turned: page.dataset.side === "black" });
  listen();
  typed();
  answerAsking();
}
