// For all pages: requests to the API, forms, times, colours, menu.
import { ZoneClock } from "./zone.js";

const root = document.documentElement;
export const texts = JSON.parse(root.dataset.texts);
export const language = root.lang;

export const token = document.querySelector('meta[name="csrf-token"]')?.content;

/** A request failed; `document` is the problem of the server. */
export class Problem extends Error {
  constructor(status, document) {
    super(document?.detail ?? texts.failed);
    this.status = status;
    this.document = document ?? {};
  }
}

export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function request(method, path, body, fields = {}) {
  const headers = { Accept: "application/json", "Accept-Language": language, ...fields };
  if (token && method !== "GET") headers["X-CSRF-Token"] = token;
  if (body !== undefined && !(body instanceof Blob)) {
    headers["Content-Type"] ??= "application/json";
    if (typeof body !== "string") body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, { method, headers, body, credentials: "same-origin" });
  } catch {
    throw new Problem(0, { detail: texts.offline });
  }
  const type = response.headers.get("content-type") ?? "";
  const answer = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Problem(response.status, typeof answer === "object" ? answer : undefined);
  return { answer, response };
}

// Messages.

export function notice(text, isBad = false) {
  const place = document.getElementById("notice");
  if (!place) return;
  place.textContent = text;
  place.classList.toggle("bad", isBad);
}

/** Remembers a message for the page that comes next. */
function noticeLater(text) {
  sessionStorage.setItem("notice", text);
}

const kept = sessionStorage.getItem("notice");
if (kept) {
  sessionStorage.removeItem("notice");
  notice(kept);
}

// Times: the server has written them in its zone, which the end of the page names. Only how long ago they were changes.

export const clock = new ZoneClock(root.dataset.zone, root.dataset.offset);
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const steps = [[60, "second", 1], [3600, "minute", 60], [86400, "hour", 3600], [7 * 86400, "day", 86400]];
/** The texts of the server. */
const written = new WeakMap();

export function showTimes(within = document) {
  for (const element of within.querySelectorAll('time[data-style="relative"]')) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    if (!written.has(element)) written.set(element, element.textContent);
    const seconds = (date - Date.now()) / 1000;
    const step = steps.find(([limit]) => Math.abs(seconds) < limit);
    element.textContent = step ? relative.format(Math.round(seconds / step[2]), step[1]) : written.get(element);
  }
}
showTimes();
setInterval(() => document.hidden || showTimes(), 20000);

// Colours and menu.

const choices = document.querySelectorAll("#theme, [data-themes] input");
function showTheme() {
  const theme = localStorage.getItem("theme") ?? "auto";
  for (const choice of choices) {
    if (choice.type === "radio") choice.checked = choice.value === theme;
    else choice.value = theme;
  }
}
for (const choice of choices) {
  choice.addEventListener("change", () => {
    if (choice.value === "auto") {
      localStorage.removeItem("theme");
      delete root.dataset.theme;
    } else {
      localStorage.setItem("theme", choice.value);
      root.dataset.theme = choice.value;
    }
    showTheme();
  });
}
showTheme();

const menu = document.querySelector("button.menu");
menu?.addEventListener("click", () => {
  const isOpen = menu.getAttribute("aria-expanded") !== "true";
  menu.setAttribute("aria-expanded", String(isOpen));
  document.getElementById("navigation").classList.toggle("shown", isOpen);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu?.getAttribute("aria-expanded") === "true") {
    menu.click();
    menu.focus();
  }
});

// Forms: fields become JSON by their kind.

/** Sends a file to the server; its name and type go with it. */
export async function upload(file) {
  notice(texts.upload);
  const { answer } = await request("POST", "/api/v1/files", file, {
    "Content-Type": file.type || "application/octet-stream",
  });
  notice("");
  const sent = { blob: answer.blob, name: file.name };
  if (file.type) sent.type = file.type;
  return sent;
}

async function valueOf(field) {
  const text = field.value?.trim() ?? "";
  switch (field.dataset.kind) {
    case "boolean": return field.checked;
    case "integer":
    case "number": return text === "" ? undefined : Number(text);
    case "choice": return text === "" ? undefined : JSON.parse(text);
    case "choices": return [...field.querySelectorAll("input:checked")].map((box) => JSON.parse(box.value));
    case "radio": return field.querySelector("input:checked")?.value;
    case "lines": return field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    case "time": return text === "" ? undefined : clock.moment(text).toISOString();
    case "json": return text === "" ? undefined : JSON.parse(text);
    case "long": return field.value === "" ? undefined : field.value;
    case "words": return text === "" ? undefined : text.split(",").map((word) => word.trim()).filter(Boolean);
    case "file": return field.files[0] ? (await upload(field.files[0])).blob : undefined;
    case "upload": {
      const files = [];
      for (const file of field.files) files.push(await upload(file));
      return files.length === 0 ? undefined : field.multiple ? files : files[0];
    }
    default: return text === "" && !field.required ? undefined : field.value;
  }
}

export async function read(form) {
  const body = {};
  const target = form.dataset.into ? (body[form.dataset.into] = {}) : body;
  for (const constants of form.querySelectorAll("[data-constants]")) Object.assign(body, JSON.parse(constants.dataset.constants));
  for (const field of form.querySelectorAll("[data-field]")) {
    let value;
    try {
      value = await valueOf(field);
    } catch (error) {
      mark(field, error.message);
      throw error instanceof Problem ? error : new Problem(422, { detail: `${field.dataset.field}: ${error.message}` });
    }
    if (value === undefined && field.dataset.empty) value = JSON.parse(field.dataset.empty);
    if (value !== undefined) target[field.dataset.field] = value;
  }
  return body;
}

function mark(field, text) {
  const input = field.matches("input, select, textarea") ? field : field.querySelector("input");
  input?.setAttribute("aria-invalid", "true");
  const note = document.createElement("p");
  note.className = "problem field-problem";
  note.textContent = text;
  if (input) {
    // Screen readers read the reason with the field.
    note.id = `${input.id || field.id || `field-${field.dataset.field}`}-problem`;
    input.setAttribute("aria-describedby", [input.getAttribute("aria-describedby"), note.id].filter(Boolean).join(" "));
  }
  (field.closest(".field") ?? field).append(note);
  return input;
}

export function showProblem(form, problem) {
  const place = form.querySelector(":scope > .problem, .problem[role=alert]");
  if (place) {
    place.hidden = false;
    place.textContent = problem.message;
  }
  let first;
  for (const error of problem.document?.errors ?? []) {
    // JSON Pointer (RFC 6901): the names of members, below that of the form's values if it has one.
    const path = (error.pointer ?? error.parameter ?? "").split("/").filter(Boolean);
    const names = path.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const name = form.dataset.into && names[0] === form.dataset.into ? names[1] : names[0];
    const field = [...form.querySelectorAll("[data-field]")].find((one) => one.dataset.field === name);
    if (field) {
      const input = mark(field, error.detail);
      first ??= input;
    }
    else if (place) place.textContent += ` ${error.pointer ?? ""} ${error.detail}`;
  }
  // Problems of commands name the field in their text.
  if (!first) {
    const field = [...form.querySelectorAll("[data-field]")].find((one) => problem.message.includes(`'${one.dataset.field}'`));
    const input = field?.matches("fieldset") ? field.querySelector("input") : field;
    input?.setAttribute("aria-invalid", "true");
  }
  (first ?? form.querySelector("[aria-invalid=true]"))?.focus();
}

export function clearProblems(form) {
  for (const place of form.querySelectorAll(".problem[role=alert]")) place.hidden = true;
  for (const field of form.querySelectorAll("[aria-describedby]")) {
    const ids = field.getAttribute("aria-describedby").split(" ").filter((id) => !id.endsWith("-problem"));
    if (ids.length > 0) field.setAttribute("aria-describedby", ids.join(" "));
    else field.removeAttribute("aria-describedby");
  }
  for (const note of form.querySelectorAll(".field-problem, .meanings")) note.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

/** Lets a person choose among the meanings of a text; a single one is confirmed. */
function choose(form, problem) {
  const { meanings } = problem.document;
  const place = form.querySelector(".problem[role=alert]");
  place.hidden = false;
  place.textContent = texts.choose;
  const box = document.createElement("div");
  box.className = "buttons meanings";
  for (const [number, meaning] of meanings.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = meaning;
    button.addEventListener("click", async () => {
      form.chosen = { ...form.chosen, ...(meanings.length > 1 ? { meaning: number } : { confirmed: true }) };
      clearProblems(form);
      send(form, async () => ({ ...(await read(form)), ...form.chosen }));
    });
    box.append(button);
  }
  place.after(box);
  box.firstElementChild.focus();
}

function finish(element, answer) {
  const [word, ...rest] = element.dataset.then.split(" ");
  if (word === "go") {
    location.href = rest.join(" ").replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(answer?.[name] ?? ""));
  } else if (word === "show") {
    const result = element.querySelector("[data-result]");
    result.hidden = false;
    result.querySelector("output").textContent = answer[rest[0]];
    element.reset?.();
  } else if (word === "say") {
    noticeLater(answer?.[rest[0]] ?? texts.done);
    location.reload();
  } else if (word === "outcome") {
    const [result, problem] = [element.querySelector("[data-result]"), answer[rest[0]]];
    result.textContent = problem ?? result.dataset.good;
    result.className = problem ? "outcome reason" : "outcome good";
  } else {
    noticeLater(texts.done);
    location.reload();
  }
}

async function send(element, body) {
  if (element.dataset.confirm && !confirm(element.dataset.confirm)) return;
  const [method, path] = element.dataset.api.split(" ");
  const buttons = element.matches("button") ? [element] : [...element.querySelectorAll("button")];
  element.dataset.key ??= newKey();
  for (const button of buttons) button.disabled = true;
  try {
    const fields = method === "POST" ? { "Idempotency-Key": element.dataset.key } : {};
    if (element.dataset.match) fields["If-Match"] = element.dataset.match;
    const { answer } = await request(method, path, typeof body === "function" ? await body() : body, fields);
    delete element.dataset.key;
    finish(element, answer);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    // The server has refused it: a corrected request is a new one. After other failures the same one is sent again.
    if (problem.status && problem.status < 500 && problem.document.code !== "request_in_progress") delete element.dataset.key;
    if (problem.status === 412) problem.message = texts.changed;
    if (problem.status === 401) notice(texts.signedOut, true);
    else if (element.matches("form") && problem.document.meanings) choose(element, problem);
    else if (element.matches("form")) showProblem(element, problem);
    else notice(problem.message, true);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.signIn !== undefined) {
    event.preventDefault();
    signIn(form);
    return;
  }
  if (!form.dataset.api) return;
  event.preventDefault();
  clearProblems(form);
  form.chosen = {};
  // An operation without a body refuses an empty one.
  send(form, form.querySelector("[data-field], [data-constants]") ? () => read(form) : undefined);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-api]");
  if (button) send(button, button.dataset.body ? JSON.parse(button.dataset.body) : undefined);
});

async function signIn(form) {
  clearProblems(form);
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    await request("POST", "/api/v1/session", { user: form.user.value, password: form.password.value });
    location.href = form.elements.next.value || "/";
  } catch (problem) {
    showProblem(form, problem);
    form.password.value = "";
    form.password.focus();
  } finally {
    button.disabled = false;
  }
}
