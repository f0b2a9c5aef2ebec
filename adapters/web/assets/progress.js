// What goes on is told anew where it stands, until it is over; without scripts the browser loads the whole page again.
const going = document.querySelector("main[data-refresh]");

async function look() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const next = answer.ok && !answer.redirected ? parsed(await answer.text()).querySelector("main[data-refresh]") : null;
    if (!next) return location.reload();
    // The element stays, so that readers of screens say what changes in it.
    going.querySelector("[role=status]").textContent = next.querySelector("[role=status]").textContent;
  } catch {
    // The service may be starting anew.
  }
  wait();
}

const wait = () => setTimeout(look, Number(going.dataset.refresh) * 1000);
if (going) wait();
