// What a job has brought: its documents page by page, its errors, its answer.
import { call } from "./api.js";
import { at, h, link, moment, plural, table } from "./dom.js";
import { paths } from "./jobform.js";
import { failed } from "./notice.js";
import { json, view } from "./result.js";

const step = 20; // documents at once

// show replaces what is looked at, and goes there.
function show(...nodes) {
	const box = at("job-detail");
	box.hidden = false;
	box.replaceChildren(...nodes.filter(Boolean));
	box.focus({ preventScroll: true });
	box.scrollIntoView({ block: "start" });
}

const close = () => h("button", { type: "button", onclick: () => { at("job-detail").hidden = true; } }, "Close");
const heading = (text, ...buttons) => h("div", { class: "heading" }, h("h3", {}, text), h("p", { class: "row" }, buttons, close()));

// documents lists those from skip on.
export async function documents(job, skip = 0) {
	const { body } = await call("GET", `${paths[job.kind]}/${job.id}?limit=${step}&skip=${skip}`);
	const go = (to) => documents(job, to).catch((e) => show(heading("Documents"), failed(e)));
	const list = h("ul", { class: "docs" }, body.data.map((doc) => h("li", {}, item(doc, () => one(doc, () => go(skip))))));
	show(heading(`Documents of ${job.about}`), body.data.length ? list : h("p", { class: "empty" }, "There is none here yet."),
		h("p", { class: "row" }, skip > 0 && h("button", { type: "button", onclick: () => go(Math.max(0, skip - step)) }, "Earlier"),
			body.data.length > 0 && h("span", { class: "hint" }, `${skip + 1} to ${skip + body.data.length} of ${body.completed}`),
			body.next && h("button", { type: "button", onclick: () => go(skip + body.data.length) }, "Later")));
}

function item(doc, open) {
	const m = doc.metadata ?? {};
	const title = Array.isArray(m.title) ? m.title[0] : m.title;
	return h("button", { type: "button", class: "doc-item", onclick: open },
		h("span", { class: m.statusCode >= 400 ? "badge failed" : "badge completed" }, String(m.statusCode ?? "")), h("strong", {}, title || "Untitled"), h("span", { class: "about" }, m.sourceURL ?? m.url ?? ""));
}

function one(doc, back) {
	show(h("div", { class: "heading" }, h("button", { type: "button", onclick: back }, "Back to the list"), close()), view(doc, doc));
}

// errors lists the pages that gave no document.
export async function errors(job) {
	const { body } = await call("GET", `${paths[job.kind]}/${job.id}/errors`);
	const rows = body.errors.map((e) => [link(e.url), h("code", {}, e.code ?? ""), e.error, moment(e.timestamp ?? "")]);
	show(heading(`Errors of ${job.about}`), rows.length ? table(["URL", "Code", "Error", "When"], rows) : h("p", { class: "empty" }, "No page has failed."),
		body.robotsBlocked.length > 0 && h("h4", {}, `${plural(body.robotsBlocked.length, "page")} forbidden by robots.txt`),
		h("ul", { class: "addresses" }, body.robotsBlocked.slice(0, 500).map((u) => h("li", {}, link(u)))));
}

// result shows the answer of an extraction or an agent.
export async function result(job) {
	const { body } = await call("GET", `${paths[job.kind]}/${job.id}`);
	const data = body.data === undefined ? h("p", { class: "empty" }, "There is no answer yet.") : json(body.data, job.kind);
	show(heading(`Answer to ${job.about}`), data, body.sources && h("details", {}, h("summary", {}, "Sources"), json(body.sources, "sources")));
}
