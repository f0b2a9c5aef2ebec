// What makes pages quicker to use; each of them works without. Pages get all of it as one file (src/assets.rs).

// The only texts that become markup are pages of ours, in which no text that they were given is markup.
const trusted = globalThis.trustedTypes?.createPolicy("tonne", { createHTML: (text) => text });
const parsed = (text) => new DOMParser().parseFromString(trusted ? trusted.createHTML(text) : text, "text/html");

import "./copy.js";
import "./keys.js";
import "./marks.js";
import "./panel.js";
import "./progress.js";
import "./filter.js";
