// The stage counts down by itself between two looks at the server, and says so when the server is away.

const clock = (left) =>
  left >= 3600
    ? `${Math.floor(left / 3600)}:${String(Math.floor(left / 60) % 60).padStart(2, "0")}:${String(left % 60).padStart(2, "0")}`
    : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;

function write() {
  for (const element of document.querySelectorAll("[data-seconds]"))
    element.textContent = clock(Math.max(0, Number(element.dataset.seconds)));
}

// A number that is on the screen already does not arrive again.
let shown = document.getElementById("stage")?.dataset.shown;
document.addEventListener("htmx:afterSwap", () => {
  const stage = document.getElementById("stage");
  if (stage.dataset.shown === shown)
    for (const still of stage.querySelectorAll(".number")) still.classList.add("still");
  shown = stage.dataset.shown;
  write();
});
write();
