// Suggestions and explanations in the editor. The server knows the language; this shows its answers.
import { indentation, put, recipe, text } from "./editor.js";
import { request } from "./page.js";

const form = document.getElementById("editor");
const frame = document.querySelector(".editor-frame");
const popup = document.getElementById("suggestions");
const list = document.getElementById("options");
const more = document.getElementById("option-text");
const bubble = document.getElementById("hover");
const state = document.getElementById("suggestions-state");

// The server counts bytes of UTF-8, the browser units of UTF-16.
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const bytesBefore = (index) => encoder.encode(text.value.slice(0, index)).length;

function indexes(...offsets) {
  const bytes = encoder.encode(text.value);
  return offsets.map((offset) => decoder.decode(bytes.subarray(0, offset)).length);
}

// Places on the screen: the font has one width.

let width;
function metrics() {
  const style = getComputedStyle(text);
  if (!width) {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.font = style.font;
    width = canvas.measureText("0".repeat(100)).width / 100;
  }
  return { width, height: parseFloat(style.lineHeight), left: parseFloat(style.paddingLeft), top: parseFloat(style.paddingTop) };
}

/** Puts an element below the line of a place. */
function place(element, index) {
  const { width, height, left, top } = metrics();
  const before = text.value.slice(0, index).split("\n");
  const x = left + before.at(-1).length * width - text.scrollLeft;
  const y = top + before.length * height - text.scrollTop;
  element.hidden = false;
  element.style.left = `${Math.max(0, Math.min(x, frame.clientWidth - element.offsetWidth))}px`;
  element.style.top = `${Math.max(height, Math.min(y, text.clientHeight)) + 4}px`;
  element.scrollIntoView({ block: "nearest" });
}

// Suggestions.

let items = [];
let active = -1;
let asked = 0;

function close() {
  asked++;
  items = [];
  popup.hidden = true;
  text.removeAttribute("aria-activedescendant");
}

async function suggest(isWanted) {
  const own = ++asked;
  const index = text.selectionEnd;
  try {
    const { answer } = await request("POST", "/api/v1/completion", { text: text.value, offset: bytesBefore(index), recipe });
    if (own !== asked || document.activeElement !== text) return;
    // A word that is whole needs no suggestion.
    const isDone = answer.items.length === 1 && answer.items[0].insert === text.value.slice(...indexes(answer.items[0].from, answer.items[0].to));
    if (answer.items.length === 0 || isDone) {
      close();
      if (isWanted) say(form.dataset.none, index);
      return;
    }
    show(answer.items, index);
  } catch (problem) {
    close();
    if (isWanted) say(problem.message, index);
  }
}

function show(found, index) {
  bubble.hidden = true;
  items = found;
  list.replaceChildren(...items.map((item, number) => {
    const option = document.createElement("li");
    option.id = `option-${number}`;
    option.setAttribute("role", "option");
    const label = document.createElement("code");
    label.textContent = item.label;
    const detail = document.createElement("span");
    detail.className = "faint";
    detail.textContent = item.detail;
    option.append(label, detail);
    return option;
  }));
  const [start] = indexes(items[0].from);
  place(popup, Math.min(start, index));
  state.textContent = form.dataset.count.replace("{n}", items.length);
  choose(0);
}

function choose(number) {
  active = (number + items.length) % items.length;
  for (const [index, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(index === active));
  const option = list.children[active];
  list.scrollTop = Math.max(option.offsetTop + option.offsetHeight - list.clientHeight, Math.min(list.scrollTop, option.offsetTop));
  text.setAttribute("aria-activedescendant", option.id);
  more.textContent = items[active].documentation;
  more.hidden = !items[active].documentation;
}

function accept(number) {
  const item = items[number];
  const [start, end] = indexes(item.from, item.to);
  close();
  put(item.insert.replaceAll("\n", "\n" + indentation(start)), start, end);
  if (item.insert.endsWith(": ")) suggest(false);
}

text.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const isCommand = event.ctrlKey && !event.altKey && !event.metaKey;
  if (isCommand && event.code === "Space" && !text.readOnly) {
    event.preventDefault();
    suggest(true);
  } else if (isCommand && event.key.toLowerCase() === "i") {
    event.preventDefault();
    // A second time: into the explanation, where the arrows scroll.
    if (bubble.hidden) explain(text.selectionStart, true);
    else bubble.focus();
  } else if (event.key === "Escape" && !(popup.hidden && bubble.hidden)) {
    event.preventDefault();
    close();
    bubble.hidden = true;
  } else if (!popup.hidden && !event.ctrlKey && !event.altKey && !event.metaKey) {
    const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: Math.min(items.length - 1, active + 8), PageUp: Math.max(0, active - 8) };
    if (event.key in moves) {
      event.preventDefault();
      choose(moves[event.key]);
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      accept(active);
    } else if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      close();
    }
  }
}, { capture: true });

let timer;
text.addEventListener("input", (event) => {
  clearTimeout(timer);
  bubble.hidden = true;
  const before = text.value.slice(text.value.lastIndexOf("\n", text.selectionStart - 1) + 1, text.selectionStart);
  const isTyped = event.inputType === "insertText" && (/[\w.]$/.test(before) || /(:|\{\{) $/.test(before));
  const goesOn = !popup.hidden && /[\w.-]$/.test(before);
  if (!isTyped && !goesOn || /^\s*#/.test(before)) return close();
  timer = setTimeout(() => suggest(false), 120);
});
text.addEventListener("blur", close);
text.addEventListener("scroll", close);
text.addEventListener("mousedown", close);
popup.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", (event) => {
  const option = event.target.closest("li");
  if (option) accept([...list.children].indexOf(option));
});

// Explanations.

let explained = 0;
function say(words, index) {
  bubble.textContent = words;
  place(bubble, index);
}

async function explain(index, isWanted) {
  const own = ++explained;
  try {
    const { answer } = await request("POST", "/api/v1/hover", { text: text.value, offset: bytesBefore(index), recipe });
    if (own !== explained || !popup.hidden) return;
    if (answer.text) say(answer.text, indexes(answer.from)[0]);
    else if (isWanted) say(form.dataset.unknown, index);
    else bubble.hidden = true;
  } catch (problem) {
    if (isWanted) say(problem.message, index);
  }
}

/** The place under the pointer; -1 beside the text. */
function under(event) {
  const { width, height, left, top } = metrics();
  const box = text.getBoundingClientRect();
  const line = Math.floor((event.clientY - box.top - text.clientTop + text.scrollTop - top) / height);
  const column = Math.floor((event.clientX - box.left - text.clientLeft + text.scrollLeft - left) / width);
  const lines = text.value.split("\n");
  if (column < 0 || line < 0 || line >= lines.length || column >= lines[line].length) return -1;
  return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column;
}

let rest;
text.addEventListener("mousemove", (event) => {
  clearTimeout(rest);
  const index = under(event);
  rest = setTimeout(() => (index < 0 ? (bubble.hidden = true) : explain(index, false)), 450);
});
text.addEventListener("mouseleave", (event) => {
  clearTimeout(rest);
  if (event.relatedTarget !== bubble) bubble.hidden = true;
});
bubble.addEventListener("mouseleave", () => (bubble.hidden = document.activeElement !== bubble));
bubble.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  bubble.hidden = true;
  text.focus();
});

// Buttons, for those who have no keyboard: the text keeps the focus and its place.
for (const [id, act] of [["suggest", () => suggest(true)], ["explain", () => explain(text.selectionStart, true)]]) {
  const button = document.getElementById(id);
  button?.addEventListener("mousedown", (event) => event.preventDefault());
  button?.addEventListener("click", () => {
    text.focus();
    act();
  });
}
