// Markdown as elements: its blocks. What a site wrote ends up as text and a few harmless elements; HTML in it stays text.
import { h } from "./dom.js";
import { inline } from "./inline.js";

const longest = 200_000; // characters that are shown
const deepest = 12; // quotes and lists in each other

// markdown gives elements that show a text.
export function markdown(text) {
	const box = h("div", { class: "prose" });
	box.append(...blocks(text.slice(0, longest).split("\n"), 0));
	if (text.length > longest) box.append(h("p", { class: "hint" }, "This is the beginning; the source has all of it."));
	return box;
}

const bullet = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const heading = /^ {0,3}(#{1,6})(?:\s(.*))?$/;
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const quote = /^ {0,3}> ?/;
const divider = /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/;

// Each kind of block takes its lines from the front and gives an element, or undefined where another kind begins.
const kinds = [blank, code, title, hr, quoted, list, grid, paragraph];

function blocks(lines, depth) {
	const found = [];
	const from = { lines, i: 0, depth };
	while (from.i < lines.length) {
		for (const kind of kinds) {
			const element = kind(from);
			if (element === undefined) continue;
			if (element) found.push(element);
			break;
		}
	}
	return found;
}

function blank(from) {
	if (from.lines[from.i].trim()) return undefined;
	from.i++;
	return null;
}

function code(from) {
	const open = fence.exec(from.lines[from.i]);
	if (!open) return undefined;
	const close = new RegExp("^ {0,3}" + open[1][0] + `{${Math.min(open[1].length, 1000)},} *$`);
	const body = [];
	for (from.i++; from.i < from.lines.length && !close.test(from.lines[from.i]); from.i++) body.push(from.lines[from.i]);
	from.i++;
	return h("pre", { tabindex: "0" }, h("code", {}, body.join("\n")));
}

function title(from) {
	const m = heading.exec(from.lines[from.i]);
	if (!m) return undefined;
	from.i++;
	return h("h" + Math.min(m[1].length + 2, 6), { class: "l" + m[1].length }, inline((m[2] ?? "").trim().replace(/\s#+$/, "")));
}

function hr(from) {
	if (!rule.test(from.lines[from.i])) return undefined;
	from.i++;
	return h("hr");
}

function quoted(from) {
	if (!quote.test(from.lines[from.i]) || from.depth >= deepest) return undefined;
	const body = [];
	for (; from.i < from.lines.length && quote.test(from.lines[from.i]); from.i++) body.push(from.lines[from.i].replace(quote, ""));
	return h("blockquote", {}, blocks(body, from.depth + 1));
}

// list takes items of one kind; what is indented below an item belongs to it.
function list(from) {
	const first = bullet.exec(from.lines[from.i]);
	if (!first || from.depth >= deepest) return undefined;
	const ordered = /\d/.test(first[2]);
	const start = ordered ? String(parseInt(first[2], 10)) : undefined;
	const element = h(ordered ? "ol" : "ul", { start: start === "1" ? undefined : start });
	for (let m; from.i < from.lines.length && (m = bullet.exec(from.lines[from.i])) && /\d/.test(m[2]) === ordered && !rule.test(from.lines[from.i]);) {
		element.append(h("li", {}, tight(item(from, m), from.depth + 1)));
	}
	return element;
}

function item(from, m) {
	const indent = m[1].length + m[2].length + 1;
	const body = [from.lines[from.i++].slice(m[0].length)];
	for (; from.i < from.lines.length; from.i++) {
		const line = from.lines[from.i];
		const inner = line.slice(0, indent).trim() === "";
		if (!inner && (bullet.test(line) || body.at(-1) === "")) break; // the next item, or a block after the list
		if (!line.trim() && !follows(from, indent)) break;
		body.push(inner ? line.slice(indent) : line.trimStart());
	}
	while (from.i < from.lines.length && !from.lines[from.i].trim() && bullet.test(from.lines[from.i + 1] ?? "")) from.i++;
	return body;
}

// follows reports whether an item goes on after a blank line.
function follows(from, indent) {
	let next = from.i + 1;
	while (next < from.lines.length && next < from.i + 3 && !from.lines[next].trim()) next++;
	const line = from.lines[next] ?? "";
	return line.trim() !== "" && line.slice(0, indent).trim() === "";
}

// tight leaves the paragraph of an item of one paragraph out.
function tight(lines, depth) {
	const inner = blocks(lines, depth);
	return inner[0]?.localName === "p" ? [...inner[0].childNodes, ...inner.slice(1)] : inner;
}

function grid(from) {
	const head = from.lines[from.i];
	const below = from.lines[from.i + 1] ?? "";
	if (!head.includes("|") || below.length > 5000 || !divider.test(below)) return undefined;
	const rows = [];
	for (from.i += 2; from.i < from.lines.length && from.lines[from.i].includes("|"); from.i++) rows.push(cells(from.lines[from.i]));
	const row = (kind, texts) => h("tr", {}, texts.map((t) => h(kind, {}, inline(t))));
	return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
		h("table", {}, h("thead", {}, row("th", cells(head))), h("tbody", {}, rows.map((r) => row("td", r)))));
}

const cells = (line) => line.trim().replace(/^\|/, "").replace(/\|$/, "").split(/(?<!\\)\|/).map((c) => c.trim());

function paragraph(from) {
	const body = [from.lines[from.i++]];
	const begins = (line) => !line.trim() || [fence, heading, rule, quote, bullet].some((r) => r.test(line));
	while (from.i < from.lines.length && !begins(from.lines[from.i])) body.push(from.lines[from.i++]);
	return h("p", {}, inline(body.join("\n")));
}
