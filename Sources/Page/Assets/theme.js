// Before the page is drawn, so that it does not flash.
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
document.documentElement.classList.add("scripted");
