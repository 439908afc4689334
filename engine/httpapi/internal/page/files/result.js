// A document as a person looks at it: one tab for each form in which the answer has it.
import { changes } from "./diff.js";
import { h, link, moment, number, plural, size, span, table } from "./dom.js";
import { markdown } from "./markdown.js";
import { tabbed } from "./parts.js";

const longest = 300_000; // characters that a source view shows

// view shows a document; answer is the body it came in. about describes it: took in milliseconds, bytes, and further buttons.
export function view(doc, answer, about = {}) {
	const parts = [
		doc.markdown !== undefined && ["Page", () => markdown(doc.markdown)],
		doc.markdown !== undefined && ["Markdown", () => source(doc.markdown, "page.md")],
		doc.summary && ["Summary", () => markdown(doc.summary)],
		doc.screenshot && ["Screenshot", () => picture(doc.screenshot, doc.metadata)],
		...["json", "product", "menu", "branding"].map((k) => doc[k] !== undefined && [names[k], () => json(doc[k], k)]),
		doc.changeTracking && ["Changes", () => changes(doc.changeTracking)],
		doc.links && [`Links ${number(doc.links.length)}`, () => addresses(doc.links)],
		doc.images && [`Images ${number(doc.images.length)}`, () => addresses(doc.images)],
		doc.html !== undefined && ["HTML", () => source(doc.html, "page.html")],
		doc.rawHtml !== undefined && ["Raw HTML", () => source(doc.rawHtml, "raw.html")],
		["Metadata", () => metadata(doc.metadata)],
		["Whole answer", () => json(answer, "answer")],
	].filter(Boolean);
	return h("article", { class: "card" }, head(doc, about), doc.warning && h("p", { class: "notice" }, doc.warning), tabbed(parts, "What came back"));
}

const names = { json: "JSON", product: "Product", menu: "Menu", branding: "Branding" };

function head(doc, about) {
	const m = doc.metadata ?? {};
	const facts = [
		m.statusCode && h("span", { class: m.statusCode >= 400 ? "badge failed" : "badge completed" }, String(m.statusCode)),
		m.renderedBy && `by ${m.renderedBy}`,
		m.cacheState === "hit" ? "from the store" : undefined,
		m.creditsUsed !== undefined && plural(m.creditsUsed, "credit"),
		about.took !== undefined && span(about.took),
		about.bytes !== undefined && size(about.bytes),
	].filter(Boolean);
	return h("header", { class: "doc" }, h("h3", {}, one(m.title) || m.sourceURL || "Untitled"), h("p", {}, link(m.url || m.sourceURL || "")),
		h("p", { class: "facts" }, facts.map((f) => (f.localName ? f : h("span", {}, f)))), about.more && h("p", { class: "row" }, about.more));
}

const one = (v) => (Array.isArray(v) ? v[0] : v);
function picture(screenshot, m = {}) {
	if (!/^data:image\/(png|jpeg|webp);base64,/.test(screenshot)) return h("p", {}, "The screenshot is kept by the service: ", h("code", {}, screenshot));
	return h("img", { class: "shot", src: screenshot, alt: `Screenshot of ${one(m.title) || m.sourceURL || "the page"}` });
}

// source shows a text as it is, to be copied or saved.
export function source(text, name) {
	const said = h("span", { role: "status" });
	const copy = h("button", { type: "button", onclick: async () => {
		try {
			await navigator.clipboard.writeText(text); // there is none where the page came neither over TLS nor from this machine
			said.textContent = "Copied";
		} catch {
			said.textContent = "The browser refuses to copy";
		}
	} }, "Copy");
	return h("div", {}, h("p", { class: "row" }, copy, h("button", { type: "button", onclick: () => save(text, name) }, "Save"), said),
		h("pre", { class: "source", tabindex: "0" }, text.slice(0, longest)),
		text.length > longest && h("p", { class: "hint" }, `The first ${number(longest)} of ${number(text.length)} characters; Save gives all.`));
}

function save(text, name) {
	const url = URL.createObjectURL(new Blob([text]));
	h("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// json shows any value; long texts in it, such as pictures, are cut where it is shown and whole where it is saved.
export function json(value, name) {
	const short = (_, v) => (typeof v === "string" && v.length > 5000 ? `${v.slice(0, 200)}… (${number(v.length)} characters)` : v);
	const box = source(JSON.stringify(value, null, 2), name + ".json");
	box.querySelector("pre").textContent = JSON.stringify(value, short, 2).slice(0, longest);
	box.querySelector(".hint")?.remove();
	return box;
}

function addresses(list) {
	if (!list.length) return h("p", { class: "empty" }, "None.");
	return h("ol", { class: "addresses" }, list.slice(0, 2000).map((a) => h("li", {}, link(a))), list.length > 2000 && h("li", {}, "… more in the whole answer"));
}

function metadata(m = {}) {
	const shown = (v) => (typeof v === "string" ? v : JSON.stringify(v)).slice(0, 2000);
	const cell = (k, v) => (/At$/.test(k) && typeof v === "string" && moment(v)) || shown(v);
	return table(["Name", "Value"], Object.entries(m).sort(([a], [b]) => a.localeCompare(b)).map(([k, v]) => [h("code", {}, k), cell(k, v)]));
}
