// What the display says, beside the board: shown by the display's own scripts.

const SCRIPTS = "/display/static";

export async function showTold(view) {
  const { border } = await import(`${SCRIPTS}/board.js`);
  const { part, setList, setText, showAnswers, showDeclarations, showTable } = await import(`${SCRIPTS}/table.js`);
  const outline = (region) => border(region, (square) => view.centre(square));
  const called = document.title;
  showTable((scene) => {
    setText(part("title"), scene.title);
    document.title = `${scene.title} · ${called}`;
    setText(part("options"), scene.options);
    view.svg.dataset.ground = scene.ground;
    view.playOn(new Set(scene.squares));
    view.drawRegions(scene.regions.map(outline).join(""), scene.outlined.map(outline).join(""));
    showAnswers(scene.question);
    showDeclarations(scene.declarations);
    setList(part("news"), scene.news);
  });
}
