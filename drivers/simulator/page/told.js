// What the display says, beside the board: shown by the display's own scripts.

const SCRIPTS = "/display/static/table.js";

export async function showTold() {
  const { part, setList, setText, showAnswers, showDeclarations, showTable } = await import(SCRIPTS);
  const called = document.title;
  showTable((scene) => {
    setText(part("title"), scene.title);
    document.title = `${scene.title} · ${called}`;
    setText(part("options"), scene.options);
    showAnswers(scene.question);
    showDeclarations(scene.declarations);
    setList(part("news"), scene.news);
  });
}
