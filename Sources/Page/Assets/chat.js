// Asks a question, shows the answer as it comes, stops it, and follows it again after the page was loaded anew.
import { clearProblems, notice, Problem, request, showProblem, texts, token, upload, language, newKey } from "./page.js";

const form = document.getElementById("ask");
const part = (id) => document.getElementById(id);

function words() {
  const body = { text: form.elements.text.value };
  for (const name of ["provider", "model", "preset", "system"]) {
    const value = form.elements[name]?.value.trim();
    if (value) body[name] = value;
  }
  if (form.elements.private?.checked) body.private = true;
  return body;
}

// The answer.

let answerId = form?.dataset.answer ?? "";
let asked = "";
let isStopping = false;
function begin(question) {
  part("current").hidden = false;
  part("current-question").hidden = !question;
  part("current-question-text").textContent = question;
  part("current-text").textContent = "";
  part("current-notices").replaceChildren();
  part("answer-state").textContent = form.dataset.writing;
  part("ask-send").disabled = true;
  part("ask-stop").hidden = false;
  part("current").scrollIntoView({ block: "nearest" });
}

function finish() {
  part("ask-send").disabled = false;
  part("ask-stop").hidden = true;
  answerId = "";
  isStopping = false;
}

function take(name, data) {
  const text = part("current-text");
  switch (name) {
    case "answer":
      answerId = data.id;
      // The question was accepted; it comes back if there is no answer.
      asked = form.elements.text.value || asked;
      form.elements.text.value = "";
      if (isStopping) stop();
      break;
    case "begin":
      text.textContent = "";
      part("current-provider").textContent = data.provider;
      break;
    case "delta": {
      const isAtEnd = innerHeight + scrollY >= document.body.scrollHeight - 120;
      if (data.text) text.textContent += data.text;
      part("answer-state").textContent = data.text ? form.dataset.writing : form.dataset.thinking;
      if (isAtEnd) scrollTo(0, document.body.scrollHeight);
      break;
    }
    case "notice": {
      const item = document.createElement("li");
      item.textContent = data.text;
      part("current-notices").append(item);
      break;
    }
    case "end":
      text.textContent = data.text;
      part("answer-state").textContent = data.unkept ?? (data.stopped ? form.dataset.stopped : form.dataset.complete);
      form.reset();
      if (data.chat) leave(data.chat);
      else part("answer-state").textContent = `${form.dataset.unkept} ${data.unkept ?? ""}`;
      return true;
    case "problem":
      part("answer-state").textContent = "";
      if (!text.textContent) part("current").hidden = true;
      form.elements.text.value ||= asked;
      showProblem(form, new Problem(data.status, data));
      if (data.chat) {
        // A part of the answer was kept: the next question goes on from it.
        form.dataset.chat = data.chat;
        history.replaceState(null, "", `/chat/${data.chat}`);
      }
      return true;
  }
  return false;
}

/** Shows the conversation as the server has it now. */
function leave(number) {
  const address = `/chat/${number}`;
  if (location.pathname === address) location.reload();
  else location.href = `${address}#end`;
}

/** Reads server-sent events of an answer to a POST or a GET. */
async function follow(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let isOver = false;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    rest += value;
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1];
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (name && data) isOver = take(name, JSON.parse(data)) || isOver;
    }
  }
  return isOver;
}

const stream = { Accept: "text/event-stream", "Accept-Language": language };

/** Follows an answer that is under way; tries again while the connection fails. */
async function goOn() {
  for (let pause = 500; answerId; pause = Math.min(pause * 2, 10000)) {
    try {
      const response = await fetch(`/api/v1/answers/${answerId}/events`, { headers: stream, credentials: "same-origin" });
      // The answer has ended and is forgotten: the conversation has it.
      if (response.status === 404) return location.reload();
      if (response.ok && (await follow(response))) break;
    } catch {
      part("answer-state").textContent = texts.lost;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
  finish();
}

// The key of a question whose outcome is not known: the same question sent again has the same key and is asked once.
let sent = {};

async function ask() {
  clearProblems(form);
  const body = words();
  const files = [...part("ask-files").files];
  if (!body.text.trim() && files.length === 0) return form.elements.text.focus();
  begin([body.text, ...files.map((file) => file.name)].filter(Boolean).join("\n"));
  let isOver = false;
  try {
    if (files.length) {
      body.files = [];
      for (const file of files) {
        const { blob, name } = await upload(file);
        body.files.push({ blob, name });
      }
    }
    const number = form.dataset.chat;
    const path = `/api/v1/conversations${number ? `/${number}/messages` : ""}`;
    const text = JSON.stringify(body);
    if (sent.path !== path || sent.text !== text) sent = { path, text, key: newKey() };
    const response = await fetch(path, {
      method: "POST", credentials: "same-origin", body: text,
      headers: { ...stream, "Content-Type": "application/json", "X-CSRF-Token": token ?? "", "Idempotency-Key": sent.key },
    });
    if (!response.ok) throw new Problem(response.status, await response.json().catch(() => undefined));
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      // The answer of the same question, sent before.
      sent = {};
      take("end", await response.json());
      return finish();
    }
    isOver = await follow(response);
    if (isOver || answerId) sent = {};
  } catch (problem) {
    if (problem.status && problem.document?.code !== "request_in_progress") sent = {};
    if (!answerId) {
      part("current").hidden = true;
      part("answer-state").textContent = "";
      if (problem.status === 401) notice(texts.signedOut, true);
      showProblem(form, problem instanceof Problem ? problem : new Problem(0, { detail: texts.offline }));
      isOver = true;
    }
  }
  if (!isOver && answerId) return goOn();
  finish();
}

async function stop() {
  isStopping = true;
  if (!answerId) return;
  try {
    await request("POST", `/api/v1/answers/${answerId}/stop`);
  } catch (problem) {
    notice(problem.message, true);
  }
}

// The form.

if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!part("ask-send").disabled) ask();
  });
  form.elements.text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  part("ask-stop").addEventListener("click", stop);
  form.elements.model.addEventListener("focus", models);
  if (answerId) {
    begin(form.dataset.question);
    goOn();
  }
}

let listed = "";
async function models() {
  const provider = form.elements.provider.value;
  if (!provider || provider === listed) return;
  listed = provider;
  try {
    const { answer } = await request("GET", `/api/v1/providers/${encodeURIComponent(provider)}/models`);
    part("models").replaceChildren(
      ...answer.items.map((model) => {
        const option = document.createElement("option");
        option.value = model.id;
        return option;
      }),
    );
  } catch {
    // A model can be typed all the same.
  }
}
