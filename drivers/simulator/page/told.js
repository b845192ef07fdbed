// What the display says, beside the board: shown by the display's own scripts.

const SCRIPTS = "/display/static";

export async function showTold(view) {
  const [{ border }, { turnLine }, { part, setList, setText, showAnswers, showDeclarations, showExits, showTable }] =
    await Promise.all(["board", "course", "table"].map((name) => import(`${SCRIPTS}/${name}.js`)));
  const outline = (region) => border(region, (square) => view.centre(square));
  const called = document.title;
  let regions = [];
  let outlined = [];
  const drawRegions = () => view.drawRegions(regions.map(outline).join(""), outlined.map(outline).join(""));
  view.onArranged = drawRegions;
  showTable((scene) => {
    setText(part("title"), scene.parts);
    document.title = `${scene.title} · ${called}`;
    setText(part("options"), scene.options);
    view.svg.dataset.ground = scene.ground;
    ({ regions, outlined } = scene);
    view.playOn(scene.squares);
    drawRegions();
    showAnswers(scene.question);
    showDeclarations(scene);
    showExits(scene.exits);
    setList(part("news"), scene.news);
    part("turns").replaceChildren(...scene.turns.map(turnLine));
    part("turns").hidden = scene.turns.length === 0;
    part("turns").scrollTop = part("turns").scrollHeight; // the last one is in view
  });
}
