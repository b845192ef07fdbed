// What a form says of a game's options.

export const optionsOf = (form, game) => {
  const options = {};
  for (const field of form.querySelectorAll(`fieldset[data-for="${game}"] [name]`)) {
    if (field.type === "checkbox") options[field.name] = field.checked;
    else options[field.name] = field.dataset.kind === "int" ? Number(field.value) : field.value;
  }
  return options;
};

// Lots are drawn at first and at each touch: a number out of all that there are, each as likely as the next.
export const drawLots = (form) => {
  for (const button of form.querySelectorAll("[data-draw]")) {
    const field = button.parentElement.querySelector(`[name="${button.dataset.draw}"]`);
    const draw = () => {
      const many = Number(field.max) - Number(field.min) + 1;
      const [drawn] = crypto.getRandomValues(new Uint32Array(1));
      field.value = Number(field.min) + (drawn % many);
    };
    button.addEventListener("click", draw);
    draw();
  }
};
