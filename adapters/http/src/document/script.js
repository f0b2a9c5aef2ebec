// Filters the operations and sends requests from the page. Every text from outside is set as text, never as markup.
"use strict";
(() => {
  const LIMIT = 1 << 20;
  const SHOWN_HEADERS = 60;
  const base = document.body.dataset.base;
  const operations = [...document.querySelectorAll("details.op")];
  // The key is here and nowhere else: it goes with the page.
  let key = "";

  const make = (tag, members, ...inner) => {
    const element = Object.assign(document.createElement(tag), members);
    element.append(...inner);
    return element;
  };
  const find = (inside, selector) => inside.querySelector(selector);

  // The bar: a filter and the key. The field is no password field, or browsers would offer to keep what is in it.
  const filter = make("input", { type: "search", placeholder: "Filter  /", spellcheck: false });
  filter.setAttribute("aria-label", "Filter operations");
  const found = make("output", {});
  const field = make("input", { type: "text", className: "key", autocomplete: "off", spellcheck: false });
  field.placeholder = "Key or token";
  field.setAttribute("aria-label", "Key or access token");
  field.addEventListener("input", () => { key = field.value.trim(); });
  const forget = () => { key = ""; field.value = ""; };
  const note = make("small", { textContent: "Kept in this page's memory only, sent to this service only; gone when the page is left." });
  find(document, "#bar").append(filter, found, field, make("button", { type: "button", textContent: "Forget", onclick: forget }), note);
  addEventListener("pagehide", forget);

  const search = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const one of operations) {
      const text = `${one.id} ${find(one, "summary").textContent}`.toLowerCase();
      one.hidden = !words.every((word) => text.includes(word));
      count += one.hidden ? 0 : 1;
    }
    for (const area of document.querySelectorAll("section.area")) {
      area.hidden = !find(area, "details.op:not([hidden])");
    }
    found.textContent = words.length ? `${count} of ${operations.length}` : "";
  };
  filter.addEventListener("input", search);
  addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      filter.focus();
    }
    if (event.key === "Escape" && event.target === filter) {
      filter.value = "";
      search();
    }
  });

  // What a link leads to is shown, whatever the filter says.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.matches("details.op")) {
      if (target.hidden) {
        filter.value = "";
        search();
      }
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);

  const copyable = (block) => {
    const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(block.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(block);
        button.textContent = "Selected";
      }
    };
    block.before(button);
  };

  // JSON in lines, by its marks alone: a number keeps every digit, which parsing it would not.
  const inLines = (text) => {
    try {
      JSON.parse(text);
    } catch {
      return text;
    }
    // In pieces: a text that is made longer again and again is copied again and again.
    const pieces = [];
    let depth = 0, before = "";
    const line = () => `\n${"  ".repeat(depth)}`;
    for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)) {
      if (mark === "}" || mark === "]") {
        depth -= 1;
        if (before !== "{" && before !== "[") pieces.push(line());
        pieces.push(mark);
      } else {
        if (before === "{" || before === "[") pieces.push(line());
        depth += mark === "{" || mark === "[" ? 1 : 0;
        pieces.push(mark === "," ? mark + line() : mark === ":" ? ": " : mark);
      }
      before = mark;
    }
    return pieces.join("");
  };

  // What the form asks for: its address, its headers and its body.
  const request = (one, form) => {
    let path = one.dataset.path;
    const query = new URLSearchParams(), headers = {};
    for (const input of form.querySelectorAll("[data-in]")) {
      const { in: place, name } = input.dataset, value = input.value.trim();
      if (place === "path") {
        if (!value || value === "." || value === "..") throw new Error(`Give ${name}, which is part of the path.`);
        path = path.replace(`{${name}}`, encodeURIComponent(value));
      } else if (value && place === "query") {
        query.append(name, value);
      } else if (value) {
        headers[name] = value;
      }
    }
    const accept = find(form, "select")?.value, body = find(form, "textarea")?.value;
    if (accept) headers.Accept = accept;
    if (body !== undefined) headers["Content-Type"] = find(one, "pre.body").dataset.media;
    if (one.dataset.credentials === "key") {
      if (!key) throw new Error("Give a key at the top of the page.");
      headers.Authorization = `Bearer ${key}`;
    }
    const text = query.toString();
    return { url: `${base}${path}${text ? `?${text}` : ""}`, headers, body };
  };

  // The first bytes of a body, and whether that is all.
  const read = async (answer) => {
    const reader = answer.body?.getReader(), parts = [];
    for (let size = 0; reader && size < LIMIT;) {
      const { done, value } = await reader.read();
      if (done) return [new Blob(parts), true];
      parts.push(value);
      size += value.length;
    }
    await reader?.cancel();
    return [new Blob(parts), !reader];
  };

  const send = async (one, form, out, stop) => {
    const { url, headers, body } = request(one, form);
    const begun = performance.now();
    const answer = await fetch(url, {
      method: one.dataset.method, headers, body, signal: stop,
      credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer",
    });
    const name = /filename="([^"]*)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
    const [blob, whole] = name ? [await answer.blob(), true] : await read(answer);
    const took = Math.round(performance.now() - begun);
    const ok = answer.ok ? "ok" : "bad";
    const size = `${whole ? "" : "the first "}${blob.size} bytes`;
    const status = make("p", { className: ok, textContent: `${answer.status} ${answer.statusText}, ${took} ms, ${size}` });
    const lines = [...answer.headers].slice(0, SHOWN_HEADERS).map(([header, value]) => `${header}: ${value}`);
    out.replaceChildren(status, make("pre", { className: "headers", textContent: lines.join("\n") }));
    if (name) {
      const link = make("a", { href: URL.createObjectURL(blob), download: name, textContent: `Save ${name}` });
      out.append(make("p", {}, link));
    }
    const isText = /json|text|csv/.test(answer.headers.get("Content-Type") ?? "");
    if (isText && blob.size) {
      const text = await blob.slice(0, LIMIT).text();
      out.append(make("pre", { tabIndex: 0, textContent: whole ? inLines(text) : text }));
    }
  };

  // The form of an operation, made when it is first opened.
  const build = (one) => {
    const form = make("form", { className: "try", autocomplete: "off" });
    for (const row of one.querySelectorAll("tr[data-in]")) {
      const { in: place, name } = row.dataset;
      const input = make("input", { type: "text", spellcheck: false, required: place === "path" });
      Object.assign(input.dataset, { in: place, name });
      form.append(make("label", {}, `${name} `, input));
    }
    const kinds = [...one.querySelectorAll("code.media")].map((code) => code.textContent);
    if (kinds.length > 1) {
      const options = kinds.map((kind) => make("option", { value: kind, textContent: kind }));
      form.append(make("label", {}, "Accept ", make("select", {}, ...options)));
    }
    const example = find(one, "pre.body");
    if (example) {
      const text = make("textarea", { value: example.textContent, rows: 8, spellcheck: false });
      form.append(make("label", { className: "wide" }, "Body ", text));
    }
    const { method } = one.dataset;
    const button = make("button", { textContent: `Send ${method}` });
    const out = make("div", { className: "out" });
    out.setAttribute("aria-live", "polite");
    let running = null, sure = method !== "DELETE";
    form.append(button, out);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (running) {
        running.abort();
        return;
      }
      if (!sure) {
        sure = true;
        button.textContent = "Really send DELETE";
        return;
      }
      running = new AbortController();
      button.textContent = "Stop";
      try {
        await send(one, form, out, running.signal);
      } catch (error) {
        out.replaceChildren(make("p", { className: "bad", textContent: String(error.message ?? error) }));
      }
      running = null;
      sure = method !== "DELETE";
      button.textContent = `Send ${method}`;
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    one.append(make("h4", { textContent: "Try it" }), form);
    one.querySelectorAll("pre").forEach(copyable);
  };
  // What a client's own id and secret are asked for is not tried here: there is no place to give them.
  for (const one of operations) {
    if (one.dataset.credentials === "client") {
      one.querySelectorAll("pre").forEach(copyable);
    } else {
      one.addEventListener("toggle", () => { if (one.open && !find(one, "form")) build(one); });
    }
  }
  open();
})();
