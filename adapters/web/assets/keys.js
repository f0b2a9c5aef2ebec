// Keys: j and k move through rows, Enter opens one, e explains it, / goes to the search or the filter, x shows every digit.
const rows = [...document.querySelectorAll("table[data-rows] tr[data-row]")];
let at = -1;

function choose(next) {
  if (rows.length === 0) return;
  rows[at]?.removeAttribute("aria-selected");
  at = Math.max(0, Math.min(rows.length - 1, next));
  rows[at].setAttribute("aria-selected", "true");
  rows[at].scrollIntoView({ block: "nearest" });
}

function digits() {
  const url = new URL(location.href);
  if (url.searchParams.get("digits") === "all") url.searchParams.delete("digits");
  else url.searchParams.set("digits", "all");
  location.assign(url);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  const row = rows[at];
  switch (event.key) {
    case "j": choose(at + 1); break;
    case "k": choose(at - 1); break;
    case "Enter":
      if (!row || event.target.closest("a, button, summary")) return;
      row.querySelector("th a:not(.twist), td a")?.click();
      break;
    case "e": (row ?? document).querySelector("[data-explain]")?.click(); break;
    case "x": digits(); break;
    case "/": (document.querySelector("[data-search]") ?? document.querySelector(".bar input"))?.focus(); break;
    default: return;
  }
  event.preventDefault();
});

// A copied amount is its exact number of kg.
document.addEventListener("copy", (event) => {
  const chosen = getSelection();
  const data = chosen?.anchorNode?.parentElement?.closest("data");
  if (data && data === chosen.focusNode?.parentElement?.closest("data")) {
    event.clipboardData.setData("text/plain", data.value);
    event.preventDefault();
  }
});
