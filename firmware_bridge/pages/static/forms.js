// A form can be filled in and sent from when its script is there: the page has it inert before. A PIN is
// entered by its buttons, too.

export const onSubmit = (form, work) => {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    work(event);
  });
  const digits = form.querySelector("[inputmode=numeric]");
  for (const button of form.querySelectorAll("[data-digit]")) {
    const { digit } = button.dataset;
    button.addEventListener("click", () => {
      digits.value = digit ? digits.value + digit : digits.value.slice(0, -1);
    });
  }
  form.inert = false;
};
