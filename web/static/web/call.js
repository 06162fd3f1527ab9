// Calls to the house's API with the person's own session. What moves money goes under a request key: when an answer is
// lost, the server is asked by that key what became of it, and only what was never done is sent again, under the same key.

import { signInAgain } from "./again.js";

export class Away extends Error {} // nothing was heard from the server, or nothing of use
export class Dropped extends Error {} // it was never done, and is not to be done any more
export class Refused extends Error {
  constructor(problem, status) {
    super(problem.detail || problem.title || "Refused.");
    Object.assign(this, {
      status,
      code: problem.code || "",
      clause: problem.clause || "",
      field: problem.field || "",
      title: problem.title || "Refused",
    });
  }
}

const API = "/api/v1/";
const PATIENCE_MS = 8000; // until an answer counts as lost

export function newKey() {
  // Not crypto.randomUUID, which a browser offers over https and on the machine itself only.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function ask(path, { method = "GET", body, key, background = false } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") {
    headers["Content-Type"] = "application/json";
    headers["X-CSRFToken"] = document.querySelector("[name=csrfmiddlewaretoken]").value;
  }
  if (key) headers["Idempotency-Key"] = key;
  if (background) headers["X-Background"] = "1";
  let answer, found;
  try {
    answer = await fetch(path.startsWith("/") ? path : API + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      cache: "no-store",
    });
    found = await answer.json();
  } catch (error) {
    if (answer?.status !== 401) throw new Away(String(error));
  }
  if (answer.status === 401) {
    // Refused before anything was done: once somebody has signed in again, it is asked once more.
    await signInAgain();
    return ask(path, { method, body, key, background });
  }
  if (!background) document.dispatchEvent(new Event("meterhouse:active"));
  if (answer.ok) return found;
  if (answer.status >= 500) throw new Away(found.detail || answer.statusText);
  throw new Refused(found, answer.status);
}

const pause = (length) => new Promise((resolve) => setTimeout(resolve, length));

// What became of the call under this key: its answer, or null when nothing was ever done. Asks until the server is back.
export async function outcome(key) {
  for (let wait = 500; ; wait = Math.min(wait * 1.6, 5000)) {
    try {
      const found = await ask(`requests/${key}`);
      if (found.status >= 400) throw new Refused(found.answer, found.status);
      return found.answer;
    } catch (error) {
      if (error instanceof Refused && error.status === 404 && error.code === "request-unknown") return null;
      if (!(error instanceof Away)) throw error;
    }
    await pause(wait);
  }
}

// One effect, whatever happens on the way. `lost` is told when an answer did not come; `again` decides, when the server
// says that nothing was done, whether it still is to be.
export async function once(
  path,
  body,
  { key = newKey(), lost = () => {}, again = async () => true, asked = false } = {},
) {
  for (let first = true; ; first = false) {
    if (!(asked && first)) {
      try {
        return await ask(path, { method: "POST", body, key });
      } catch (error) {
        if (!(error instanceof Away)) throw error;
      }
      lost(key);
    }
    const answer = await outcome(key);
    if (answer !== null) return answer;
    if (!(await again())) throw new Dropped("It was left.");
  }
}
