// What has changed since the last time, as a diff: each line with its sign, so that it needs no colours.
import { h, moment, plural } from "./dom.js";

const said = {
	new: "This page is seen for the first time: the next scrape of it is compared with this one.", same: "Nothing has changed.",
	removed: "The page is gone.", changed: "The page has changed.",
};
const kinds = { "+": ["ins", "added"], "-": ["del", "removed"], " ": ["span", "kept"] };
const maxLines = 5000;

// changes shows a document's changeTracking.
export function changes(c) {
	const since = c.previousScrapeAt && [" Compared with ", moment(c.previousScrapeAt), "."];
	return h("div", { class: "changes" },
		h("p", {}, h("span", { class: `badge ${c.changeStatus}` }, c.changeStatus), " ", said[c.changeStatus] ?? "", since),
		c.visibility === "hidden" && h("p", { class: "notice" }, "No link of the site leads here any more."),
		c.diff && diff(c.diff));
}

// diff shows a unified diff.
export function diff(text) {
	// Without the files' names, which are its first two lines.
	const lines = text.split("\n").filter((line, i) => line !== "" && (i > 1 || !/^(---|\+\+\+) /.test(line)));
	return [
		h("p", { class: "hint" }, count(lines)),
		h("pre", { class: "diff source", tabindex: "0", "aria-label": "Diff" }, lines.slice(0, maxLines).map(line)),
		lines.length > maxLines ? h("p", { class: "hint" }, "This is the beginning; the whole answer has all of it.") : "",
	];
}

function count(lines) {
	const of = (sign) => lines.filter((l) => l[0] === sign).length;
	return `${plural(of("+"), "line")} added, ${plural(of("-"), "line")} removed`;
}

function line(text) {
	if (text.startsWith("@@")) return h("span", { class: "line place" }, text);
	const [name, kind] = kinds[text[0]] ?? kinds[" "];
	return h(name, { class: `line ${kind}` }, h("span", { class: "sign" }, text[0] === "-" ? "−" : text[0]), text.slice(1) || " ");
}
