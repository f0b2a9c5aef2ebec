// What makes pages quicker to use; each of them works without.
import "./copy.js";
import "./keys.js";
import "./marks.js";
import "./panel.js";
import "./filter.js";
