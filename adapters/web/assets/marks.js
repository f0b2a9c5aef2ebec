// Charts: one mark is reached by the tab key, the others by arrows.
for (const chart of document.querySelectorAll("svg[data-marks]")) {
  const marks = [...chart.querySelectorAll("a")];
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const from = marks.indexOf(document.activeElement);
    if (!step || from < 0) return;
    const next = marks[(from + step + marks.length) % marks.length];
    marks[from].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
    event.preventDefault();
  });
}
