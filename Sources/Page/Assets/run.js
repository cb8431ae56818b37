// One run: follows its events, opens and closes the drawer.
import { clock, language, texts } from "./page.js";
import { refresh, replace } from "./live.js";

const run = document.getElementById("run");
const parts = ["run-actions", "run-state", "run-decisions", "run-graph", "run-steps", "run-drawer", "run-values"];
const log = document.getElementById("log");
const follow = document.getElementById("follow");

// Lines of the log.

/** The step of a line, as the server writes it. */
function placeOf(line) {
  const steps = [...(line.within ?? []), ...(line.step ? [line] : [])];
  return steps.map(({ step, item }) => step + (item == null ? "" : ` [${item}]`)).join(" › ");
}

let last = Number(log.dataset.last);
function addLine(line) {
  if (line.id <= last) return;
  last = line.id;
  const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 24;
  const item = document.createElement("li");
  item.className = /^[a-z]+$/.test(line.level) ? line.level : "";
  const time = document.createElement("time");
  time.dateTime = line.at;
  time.dataset.style = "clock";
  const local = clock.local(new Date(line.at));
  time.textContent = local.slice(11);
  time.title = local.replace("T", " ");
  const place = document.createElement("span");
  place.className = "place";
  place.textContent = placeOf(line);
  const message = document.createElement("span");
  message.className = "message";
  message.textContent = line.message;
  item.append(time, place, message);
  log.append(item);
  document.getElementById("log-empty").hidden = true;
  while (log.children.length > 5000) log.firstElementChild.remove();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

// Pieces of answers of models.

const answer = document.getElementById("answer");
const answerText = document.getElementById("answer-text");
let answerOf;
function addDelta({ position, item, delta }) {
  const key = `${position}/${item ?? ""}`;
  if (answerOf !== undefined && answerOf !== key) answerText.textContent += "\n\n";
  answerOf = key;
  answer.hidden = false;
  answerText.textContent += typeof delta === "string" ? delta : delta?.text ?? JSON.stringify(delta);
  answerText.scrollTop = answerText.scrollHeight;
}

// Events.

let timer;
function soon() {
  timer ??= setTimeout(async () => {
    timer = undefined;
    await refresh(parts);
  }, 250);
}

function begin() {
  const source = new EventSource(`/api/v1/runs/${encodeURIComponent(run.dataset.run)}/events`);
  source.addEventListener("open", () => (follow.textContent = texts.following));
  source.addEventListener("error", () => (follow.textContent = texts.lost));
  for (const name of ["run", "step", "attempt", "progress"]) source.addEventListener(name, soon);
  source.addEventListener("log", (event) => addLine(JSON.parse(event.data)));
  source.addEventListener("delta", (event) => addDelta(JSON.parse(event.data)));
  source.addEventListener("end", () => {
    source.close();
    follow.textContent = texts.ended;
    setTimeout(() => refresh(parts), 300);
  });
}
if (run.dataset.over === "no") begin();
log.scrollTop = log.scrollHeight;

// The drawer: its address is that of the step, so that a link and the button for going back work.

async function open(address, isBack = false) {
  const response = await fetch(address, { headers: { Accept: "text/html", "Accept-Language": language } });
  if (!response.ok) {
    location.href = address;
    return;
  }
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!isBack) history.pushState(null, "", address);
  replace(fresh, ["run-drawer"]);
}

let opener;
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-step], #drawer-close");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const address = link.getAttribute("href");
  if (link.id === "drawer-close") {
    await open(address);
    document.getElementById(opener ?? "")?.focus();
  } else {
    opener = link.id;
    await open(address);
    document.getElementById("drawer-title")?.focus();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented) document.getElementById("drawer-close")?.click();
});
addEventListener("popstate", () => open(location.href, true));
