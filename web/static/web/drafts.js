// What was typed survives an expired session, a reload and a restart of the server: kept in this tab, for the person who
// typed it, until the form has done its work. Never what is secret, never a file, never a token.

export const KEPT_MS = 60 * 60 * 1000;
const NEVER = new Set(["password", "hidden", "file", "submit", "button", "image", "reset"]);

// Whether a field is kept at all. Pure.
export const isKept = ({ type, name, autocomplete = "" }) =>
  Boolean(name) && !NEVER.has(type) && !/one-time-code|password|cc-/.test(autocomplete) && name !== "code";

// The values of a form, as far as they differ from how it came. Pure.
export function typed(fields) {
  const found = {};
  for (const field of fields) {
    if (!isKept(field)) continue;
    const box = field.type === "checkbox" || field.type === "radio";
    const key = box ? `${field.name}=${field.value}` : field.name;
    const now = box ? field.checked : field.value,
      before = box ? field.defaultChecked : (field.before ?? field.defaultValue ?? "");
    if (now !== before) found[key] = now;
  }
  return found;
}

// Whether what was kept may be put back: by the same person, not long ago, and not after the form had done its work. Pure.
export const isFresh = (draft, { person, now, done }) =>
  Boolean(draft) && draft.person === person && now - draft.at < KEPT_MS && !(draft.sent && done);

function listen() {
  const person = document.body.dataset.person;
  if (!person) return;
  const done = "done" in document.body.dataset;
  const forms = [...document.querySelectorAll("form[method=post]")].filter(
    (form) => !form.hasAttribute("data-no-draft"),
  );
  const name = (form) => `draft:${location.pathname}:${form.getAttribute("action") || ""}:${form.id}`;
  const fieldsOf = (form) =>
    [...form.elements].map((element) =>
      element.tagName === "SELECT"
        ? Object.assign(element, {
            before: [...element.options].find((one) => one.defaultSelected)?.value ?? element.options[0]?.value ?? "",
          })
        : element,
    );

  function keep(form, sent = false) {
    const values = typed(fieldsOf(form));
    if (!Object.keys(values).length) return sessionStorage.removeItem(name(form));
    sessionStorage.setItem(name(form), JSON.stringify({ person, at: Date.now(), sent, values }));
  }
  function restore(form) {
    const draft = JSON.parse(sessionStorage.getItem(name(form)) || "null");
    if (!isFresh(draft, { person, now: Date.now(), done })) return sessionStorage.removeItem(name(form));
    if (form.querySelector("[aria-invalid=true], .error")) return; // the server sent it back with what was typed
    for (const field of fieldsOf(form)) {
      const box = field.type === "checkbox" || field.type === "radio";
      const value = draft.values[box ? `${field.name}=${field.value}` : field.name];
      if (value === undefined || !isKept(field)) continue;
      if (box) field.checked = value;
      else field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    say(form);
  }
  function say(form) {
    const note = document.createElement("p");
    note.className = "soft draft";
    const forget = Object.assign(document.createElement("button"), {
      type: "button",
      className: "bare small",
      textContent: "Start again",
    });
    forget.addEventListener("click", () => {
      sessionStorage.removeItem(name(form));
      form.reset();
      note.remove();
    });
    note.append("What you typed before is still here. ", forget);
    form.prepend(note);
  }

  forms.forEach(restore);
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form && forms.includes(form)) keep(form);
  });
  document.addEventListener("submit", (event) => {
    if (forms.includes(event.target)) keep(event.target, true);
    if (event.target.matches("[data-sign-out]")) sessionStorage.clear();
  });
}
if (typeof document !== "undefined") listen();
