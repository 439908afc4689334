// Elements. Whatever comes from outside becomes text: nothing here makes HTML of a string.

export const at = (id) => document.getElementById(id);

// h makes an element: attributes by name, "on…" as listeners, true and false as set and unset; children that are no nodes become text.
export function h(name, attributes, ...children) {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(attributes ?? {})) {
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
	}
	element.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== false));
	return element;
}

// link goes to a web address, in a tab that knows nothing of this one. Any other address is only shown as text.
export function link(href, ...text) {
	const url = URL.canParse(href) ? new URL(href) : undefined;
	const label = text.length ? text : [String(href)];
	if (!url || !/^https?:$/.test(url.protocol)) return h("span", {}, label);
	return h("a", { href: url.href, target: "_blank", rel: "noopener noreferrer nofollow" }, label);
}

// table shows rows under a heading for each column.
export function table(headings, rows) {
	return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": headings.join(", ") },
		h("table", {}, h("thead", {}, h("tr", {}, headings.map((t) => h("th", { scope: "col" }, t)))),
			h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))));
}

// Numbers, times and sizes as people write them.
export const number = (n) => Number(n ?? 0).toLocaleString("en");
export const plural = (n, one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;
export const size = (n) => (n < 1e3 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`);
export const span = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

export function moment(text) {
	const t = new Date(text);
	if (Number.isNaN(t.getTime())) return "";
	const today = t.toDateString() === new Date().toDateString();
	return h("time", { datetime: t.toISOString() }, today ? t.toLocaleTimeString() : t.toLocaleString());
}

// values reads a form's fields; of those with the name in lists, all that are chosen.
export function values(form, ...lists) {
	const data = new FormData(form);
	const found = Object.fromEntries(data.entries());
	for (const name of lists) found[name] = data.getAll(name);
	return found;
}

// lines are the texts between line ends, without empty ones.
export const lines = (text) => (text ?? "").split("\n").map((l) => l.trim()).filter(Boolean);
