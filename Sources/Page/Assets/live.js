// Reads parts of the page again. A part is replaced only if the server's text for it has changed, so what a person types
// in a form stays.
import { showTimes } from "./page.js";

/** The markup of a part without the differences that scripts and readers make. */
function normal(element) {
  const copy = element.cloneNode(true);
  for (const time of copy.querySelectorAll("time")) {
    time.textContent = "";
    time.removeAttribute("title");
  }
  for (const details of copy.querySelectorAll("details")) details.removeAttribute("open");
  for (const button of copy.querySelectorAll("button")) button.removeAttribute("disabled");
  for (const place of copy.querySelectorAll(".problem")) place.remove();
  return copy.innerHTML;
}

async function pristine() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!response.ok || response.redirected) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** Replaces parts by those of a fresh page. */
export function replace(fresh, ids) {
  for (const id of ids) {
    const [next, current] = [fresh.getElementById(id), document.getElementById(id)];
    if (!next || !current) continue;
    if (normal(next) === normal(current)) continue;
    const focused = current.contains(document.activeElement) ? document.activeElement.id : "";
    const open = [...current.querySelectorAll("details[open]")].map((one) => [...current.querySelectorAll("details")].indexOf(one));
    current.replaceChildren(...document.importNode(next, true).childNodes);
    const details = current.querySelectorAll("details");
    for (const index of open) if (details[index]) details[index].open = true;
    showTimes(current);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
}

let isReading = false;
export async function refresh(ids) {
  if (isReading) return;
  isReading = true;
  try {
    const address = location.href;
    const fresh = await pristine();
    // The page of an address that was left meanwhile would close the drawer that was opened.
    if (fresh && address === location.href) replace(fresh, ids);
  } catch {
    // The next look may succeed.
  } finally {
    isReading = false;
  }
}

for (const part of document.querySelectorAll("[data-live]")) {
  setInterval(() => document.hidden || part.querySelector('[data-over="yes"]') || refresh([part.id]), Number(part.dataset.live) * 1000);
}
