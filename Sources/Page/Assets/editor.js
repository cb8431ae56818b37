// The editor: line numbers, diagnostics and graph as one types, saving.
import { clearProblems, request, showProblem, texts } from "./page.js";

const form = document.getElementById("editor");
const text = document.getElementById("text");
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

// Tab indents; Escape lets the next Tab leave the editor.

let leaves = false;
text.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    leaves = true;
    return;
  }
  if (event.key !== "Tab" || event.ctrlKey || event.altKey || text.readOnly) return;
  if (leaves || event.shiftKey) {
    leaves = false;
    return;
  }
  event.preventDefault();
  text.setRangeText("  ", text.selectionStart, text.selectionEnd, "end");
  changed();
});

// Checks.

let timer;
let round = 0;
function changed() {
  number();
  state.textContent = text.value === saved ? "" : texts.unsaved;
  clearTimeout(timer);
  timer = setTimeout(look, 400);
}
text.addEventListener("input", changed);

async function look() {
  const own = ++round;
  try {
    const { answer } = await request("POST", "/preview", { text: text.value, recipe: form.dataset.recipe }, { Accept: "text/html" });
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
      "PUT", `/api/v1/recipes/${encodeURIComponent(form.dataset.recipe)}/text`, { text: value },
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
