// Whose session has ended signs in over the page, and goes on where he was. The page is covered meanwhile, and whoever
// else signs in finds nothing of it: he is led home.

const OVER = "X-Over-The-Page";
let waiting = null; // everybody who asks meanwhile waits for the same sign-in

const dialog = () => document.getElementById("again");
const toTheDoor = () => {
  const back = new URLSearchParams({ next: location.pathname + location.search });
  location.assign(`${document.body.dataset.door || "/sign-in/?idle=1"}&${back}`);
};

// Nobody has done anything for a while: the house hears that nobody is here.
export async function leave() {
  const body = new URLSearchParams({
    csrfmiddlewaretoken: document.querySelector("[name=csrfmiddlewaretoken]")?.value,
  });
  await fetch(document.body.dataset.leave, { method: "POST", body }).catch(() => {});
}

export function signInAgain() {
  waiting ??= new Promise((signedIn) => begin(signedIn));
  return waiting;
}

function begin(signedIn) {
  const over = dialog();
  if (!over) return toTheDoor();
  const place = over.querySelector("[data-door]");
  let address = document.body.dataset.door;

  async function step(body) {
    const headers = { [OVER]: document.body.dataset.person };
    const answer = await fetch(address, { method: body ? "POST" : "GET", body, headers }).catch(() => null);
    if (!answer) return away();
    if (answer.headers.get("Content-Type")?.includes("json")) return inside(await answer.json());
    if (!answer.headers.get(OVER)) return toTheDoor(); // a step that has a page of its own
    address = answer.url;
    place.innerHTML = await answer.text();
    if (!over.open) over.showModal();
    const empty = [...place.querySelectorAll("input:not([type=hidden])")].find((field) => !field.value);
    (empty || place.querySelector("button"))?.focus();
  }
  function away() {
    if (!over.open) return toTheDoor();
    place.querySelector("form").prepend(
      Object.assign(document.createElement("p"), {
        className: "error",
        textContent: "The server does not answer. Try again in a moment.",
      }),
    );
  }
  function inside({ person, token }) {
    if (person !== document.body.dataset.person) return location.assign("/");
    for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
    waiting = null;
    over.close();
    place.replaceChildren();
    document.dispatchEvent(new Event("meterhouse:active"));
    signedIn();
  }
  over.onsubmit = (event) => {
    event.preventDefault();
    event.stopPropagation(); // not one of the page's own forms
    step(new FormData(event.target));
  };
  over.onclick = (event) => {
    if (!event.target.closest("[data-again]")) return;
    event.preventDefault();
    address = document.body.dataset.door;
    step();
  };
  over.onclose = () => waiting && toTheDoor();
  step();
}
