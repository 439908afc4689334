// Parts of an answer under tabs; each is made when it is first looked at.
import { h } from "./dom.js";
import { overflow } from "./overflow.js";
import { tabs } from "./tabs.js";

let made = 0;

// tabbed shows parts, [name, make], under tabs with a name of their own.
export function tabbed(parts, label) {
	const id = `part-${++made}-`;
	const list = h("div", { class: "tabs small", role: "tablist", "aria-label": label }, parts.map(([name], i) =>
		h("button", { role: "tab", type: "button", id: `${id}${i}-tab`, "aria-controls": id + i }, name)));
	const panels = parts.map((_, i) =>
		h("div", { role: "tabpanel", id: id + i, "aria-labelledby": `${id}${i}-tab`, tabindex: "0", hidden: true }));
	const box = h("div", { class: "parts" }, list, panels);
	overflow(list);
	// The tabs find their panels in the document, so they wait until the box is there.
	queueMicrotask(() => tabs(list, (chosen) => {
		const i = panels.findIndex((p) => p.id === chosen);
		if (!panels[i].hasChildNodes()) panels[i].append(parts[i][1]());
	})(id + 0));
	return box;
}
