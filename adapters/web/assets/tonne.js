// What makes pages quicker to use; each of them works without.
// Pages get all of it as one file (src/assets.rs).
import "./copy.js";
import "./keys.js";
import "./marks.js";
import "./panel.js";
import "./filter.js";
