// "explain" opens beside the page; without scripts, or with a modifier key, it is a page of its own.
let panel;

function open(title, content) {
  if (!panel) {
    panel = document.createElement("dialog");
    panel.className = "panel";
    panel.setAttribute("aria-label", "Explanation");
    document.body.append(panel);
    panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "plain close";
  close.textContent = "Close";
  close.addEventListener("click", () => panel.close());
  panel.replaceChildren(close, ...content);
  if (!panel.open) panel.showModal();
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("table a[data-explain]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  try {
    const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
    const page = parsed(await answer.text());
    open(page.title, page.querySelector("main").children);
  } catch {
    location.assign(link.href);
  }
});
