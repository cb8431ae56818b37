// The editor: line numbers, diagnostics and graph as one types, indentation, saving.
import { clearProblems, request, showProblem, texts } from "./page.js";

const form = document.getElementById("editor");
export const text = document.getElementById("text");
export const recipe = form.dataset.recipe;
const numbers = document.getElementById("numbers");
const state = document.getElementById("editor-state");
const check = document.getElementById("check");
let saved = text.value;

// Line numbers.

let lines = 0;
function number() {
  const count = text.value.split("\n").length;
  if (count === lines) return;
  lines = count;
  numbers.textContent = Array.from({ length: count }, (_, index) => index + 1).join("\n");
}
text.addEventListener("scroll", () => (numbers.scrollTop = text.scrollTop));
number();

// Changes that the browser can take back.

/** Replaces a part of the text; the cursor is behind it then. */
export function put(insert, start = text.selectionStart, end = text.selectionEnd) {
  text.focus();
  text.setSelectionRange(start, end);
  // Deprecated, but the only way that keeps the browser's undo.
  if (document.execCommand("insertText", false, insert)) return;
  text.setRangeText(insert, start, end, "end");
  text.dispatchEvent(new Event("input"));
}

/** The blanks that a line below that of a place begins with. */
export function indentation(index) {
  return " ".repeat(line(index).match(/^ *(- +)*/)[0].length);
}

/** The line of a place up to there. */
function line(index) {
  return text.value.slice(text.value.lastIndexOf("\n", index - 1) + 1, index);
}

// Tab indents, Enter keeps the indentation; Escape lets the next Tab leave the editor.

let leaves = false;
text.addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  if (event.key === "Escape") {
    leaves = true;
    return;
  }
  if (text.readOnly || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.key === "Enter" && !event.shiftKey && text.selectionStart === text.selectionEnd) {
    event.preventDefault();
    const opens = /\S:\s*$/.test(line(text.selectionStart));
    put("\n" + indentation(text.selectionStart) + (opens ? "  " : ""));
    return;
  }
  if (event.key !== "Tab") return;
  if (leaves || event.shiftKey) {
    leaves = false;
    return;
  }
  event.preventDefault();
  put("  ");
});

// Checks.

let timer;
let round = 0;
text.addEventListener("input", () => {
  number();
  state.textContent = text.value === saved ? "" : texts.unsaved;
  clearTimeout(timer);
  timer = setTimeout(look, 400);
});

async function look() {
  const own = ++round;
  try {
    const { answer } = await request("POST", "/preview", { text: text.value, recipe }, { Accept: "text/html" });
    if (own !== round) return;
    const fresh = new DOMParser().parseFromString(answer, "text/html");
    const graph = check.querySelector(".canvas")?.closest("section");
    const parts = [...document.importNode(fresh.body, true).childNodes];
    check.replaceChildren(...parts);
    // A text with an error has no graph: the last one stays as long as the error is there.
    if (graph && !check.querySelector(".canvas")) {
      graph.classList.add("stale");
      check.append(graph);
    }
  } catch (problem) {
    state.textContent = problem.message;
  }
}

check.addEventListener("click", (event) => {
  const button = event.target.closest("button.jump");
  if (button) jump(Number(button.dataset.line), Number(button.dataset.column));
});

function jump(line, column) {
  if (line < 1) return text.focus();
  const all = text.value.split("\n");
  const start = all.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1);
  text.focus();
  text.setSelectionRange(start, start);
  const height = parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (line - 4) * height);
  numbers.scrollTop = text.scrollTop;
}

// Saving.

async function save() {
  if (text.readOnly) return;
  clearProblems(form);
  const value = text.value;
  try {
    const { response } = await request(
      "PUT", `/api/v1/recipes/${encodeURIComponent(recipe)}/text`, { text: value },
      { "If-Match": form.dataset.version },
    );
    form.dataset.version = response.headers.get("etag");
    saved = value;
    state.textContent = text.value === saved ? texts.saved : texts.unsaved;
  } catch (problem) {
    if (problem.status === 412) problem.message = texts.changed;
    showProblem(form, problem);
  }
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    save();
  }
});
addEventListener("beforeunload", (event) => {
  if (text.value !== saved) event.preventDefault();
});
