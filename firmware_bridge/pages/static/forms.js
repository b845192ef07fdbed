// A form can be filled in and sent from when its script is there: the page has it inert before.

export const onSubmit = (form, work) => {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    work(event);
  });
  form.inert = false;
};
