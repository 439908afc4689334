// Markdown as elements: what is inside a line of text. Links lead to web addresses only, and pictures are named, not loaded.
import { h, link } from "./dom.js";

const longest = 20_000; // characters of one paragraph that are looked into
const longestLabel = 2000;
const mostMisses = 100; // brackets of one text that turn out to be no link
const marks = { "**": "strong", "__": "strong", "~~": "del", "*": "em", "_": "em" };

// inline gives the nodes of a text. Inside a link no other link is made.
export function inline(text, linked = false, depth = 0) {
	if (text.length > longest || depth > 8) return [text];
	const from = { text, i: 0, nodes: [], plain: "", linked, depth, dead: new Set(), misses: 0 };
	while (from.i < text.length) {
		const node = special(from);
		if (node === undefined) from.plain += text[from.i++];
		else if (typeof node === "string") from.plain += node;
		else push(from, node);
	}
	push(from);
	return from.nodes;
}

function push(from, node) {
	if (from.plain) from.nodes.push(from.plain);
	from.plain = "";
	if (node) from.nodes.push(node);
}

// special reads what begins at the place, moves on behind it, and gives its node; undefined where nothing begins.
function special(from) {
	switch (from.text[from.i]) {
	case "\\": return escaped(from);
	case "`": return code(from);
	case "!": return from.text[from.i + 1] === "[" ? reference(from, 1, picture) : undefined;
	case "[": return reference(from, 0, target);
	case "<": return automatic(from);
	case "*": case "_": case "~": return emphasis(from);
	case "\n": return newline(from);
	default: return undefined;
	}
}

function escaped(from) {
	const next = from.text[from.i + 1];
	if (next === "\n") return (from.i += 2), h("br");
	if (next === undefined || !/[!-/:-@[-`{-~]/.test(next)) return undefined;
	from.i += 2;
	return next;
}

function newline(from) {
	const hard = from.plain.endsWith("  ");
	from.plain = from.plain.trimEnd();
	from.i++;
	return hard ? h("br") : " ";
}

function code(from) {
	const ticks = /^`+/.exec(from.text.slice(from.i, from.i + 20))[0];
	const end = find(from, ticks, from.i + ticks.length);
	if (end < 0) return (from.i += ticks.length), ticks;
	const body = from.text.slice(from.i + ticks.length, end);
	from.i = end + ticks.length;
	return h("code", {}, body.replace(/^ (.*) $/s, "$1"));
}

// find looks for the end of what has begun. What wasn't found once isn't looked for again.
function find(from, mark, at) {
	const end = from.dead.has(mark) ? -1 : from.text.indexOf(mark, at);
	if (end < 0) from.dead.add(mark);
	return end;
}

function automatic(from) {
	const m = /^<(https?:\/\/[^\s<>]{1,2000})>/.exec(from.text.slice(from.i, from.i + 2100));
	if (!m) return undefined;
	from.i += m[0].length;
	return from.linked ? m[1] : link(m[1]);
}

function emphasis(from) {
	const { text, i } = from;
	const mark = marks[text.slice(i, i + 2)] ? text.slice(i, i + 2) : text[i];
	const inWord = mark[0] === "_" && /\w/.test(text[i - 1] ?? "");
	if (!marks[mark] || inWord || /\s/.test(text[i + mark.length] ?? " ")) return undefined;
	const end = find(from, mark, i + mark.length + 1);
	if (end < 0 || /\s/.test(text[end - 1])) return undefined;
	from.i = end + mark.length;
	return h(marks[mark], {}, inline(text.slice(i + mark.length, end), from.linked, from.depth + 1));
}

// reference reads [label](address "title"), whose brackets may hold others. Where most brackets are none, it looks no further.
function reference(from, skip, make) {
	if (from.misses > mostMisses) return undefined;
	const begin = from.i + skip;
	const close = matching(from.text, begin);
	const rest = close > 0 && /^\((?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))*))(?:\s+"[^"]{0,2000}")?\s*\)/.exec(from.text.slice(close + 1, close + 9000));
	if (!rest) {
		from.misses++;
		return undefined;
	}
	from.i = close + 1 + rest[0].length;
	return make(from, from.text.slice(begin + 1, close), (rest[1] ?? rest[2]).replace(/\\([!-/:-@[-`{-~])/g, "$1"));
}

function matching(text, open) {
	for (let i = open, depth = 0; i < Math.min(text.length, open + longestLabel); i++) {
		if (text[i] === "\\") i++;
		else if (text[i] === "[") depth++;
		else if (text[i] === "]" && --depth === 0) return i;
	}
	return -1;
}

function target(from, label, address) {
	const inner = inline(label, true, from.depth + 1);
	return from.linked ? h("span", {}, inner) : link(address, ...(inner.length ? inner : [address]));
}

function picture(from, label, address) {
	const name = label.replace(/\\(.)/g, "$1") || "picture";
	return h("span", { class: "picture" }, from.linked ? name : link(address, name));
}
