// What was just done, as code to copy.
import { absolute, key } from "./api.js";
import { languages, variable } from "./code.js";
import { h } from "./dom.js";
import { tabbed } from "./parts.js";
import { source } from "./result.js";

const files = { cURL: "request.sh", Go: "main.go", JavaScript: "request.mjs", Python: "request.py" };
const shown = new WeakMap(); // by the status line of the form

// recipe puts the code of a request below a status line, in the place of that of the request before.
export function recipe(status, [method, path, { origin, ...body }]) {
	const request = { method, url: absolute(path), body, keyed: key.get() !== "" };
	const parts = Object.entries(languages).map(([name, write]) => [name, () => source(write(request), files[name])]);
	const before = shown.get(status);
	const hint = request.keyed && h("p", { class: "hint" }, "The key comes from the environment: set ", h("code", {}, variable), ".");
	const summary = h("summary", {}, "The same from a program");
	const box = h("details", { class: "recipe", open: before?.open }, summary, tabbed(parts, "Languages"), hint);
	before ? before.replaceWith(box) : status.after(box);
	shown.set(status, box);
}
