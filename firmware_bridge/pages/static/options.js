// What a form says of a game's options.

export const optionsOf = (form, game) => {
  const options = {};
  for (const field of form.querySelectorAll(`fieldset[data-for="${game}"] [name]`)) {
    if (field.type === "checkbox") options[field.name] = field.checked;
    else options[field.name] = field.dataset.kind === "int" ? Number(field.value) : field.value;
  }
  return options;
};
