// Under the pointer, or by the arrow keys, a chart says what stands at each place.
import { step } from "./walk.js";

for (const figure of document.querySelectorAll("figure.chart")) {
  const places = [...figure.querySelectorAll("[data-says]")];
  if (!places.length) continue;
  const said = Object.assign(document.createElement("p"), { className: "chart-says", hidden: true });
  said.setAttribute("role", "status");
  figure.append(said);
  figure.tabIndex = 0;
  let at = -1;
  const show = (place) => {
    at = place;
    for (const [n, each] of places.entries()) each.classList.toggle("here", n === place);
    said.hidden = place < 0;
    if (place < 0) return;
    said.textContent = places[place].dataset.says;
    const box = figure.getBoundingClientRect(),
      spot = places[place].getBoundingClientRect();
    const middle = spot.left + spot.width / 2 - box.left;
    said.style.left = `${Math.min(Math.max(middle, said.offsetWidth / 2), box.width - said.offsetWidth / 2)}px`;
  };
  figure.addEventListener("pointermove", (event) => show(places.indexOf(event.target.closest("[data-says]"))));
  figure.addEventListener("pointerleave", () => show(-1));
  figure.addEventListener("blur", () => show(-1));
  figure.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    show(step(at, by, places.length));
  });
}
