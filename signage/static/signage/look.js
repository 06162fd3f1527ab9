// The preview follows what is typed. Whether it can be read is for the server to say.
const form = document.getElementById("look");
const board = document.querySelector("[data-preview]");
const colour = /^#[0-9a-f]{6}$/i;

function paint() {
  for (const part of ["accent", "ground"]) {
    const typed = form.elements[part].value.trim();
    for (const shape of board.querySelectorAll(`[data-${part}]`)) {
      shape.setAttribute("fill", colour.test(typed) ? typed : board.dataset[part]);
    }
  }
  board.querySelector("text[data-name]").textContent = form.elements.name.value.trim() || board.dataset.name;
}

form.addEventListener("input", paint);
form.elements.logo.addEventListener("change", () => {
  const [file] = form.elements.logo.files;
  if (!file) return;
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    board.querySelector("[data-logo]").setAttribute("href", reader.result);
    board.querySelector("text[data-name]").setAttribute("x", "108");
  });
  reader.readAsDataURL(file);
});
paint();
