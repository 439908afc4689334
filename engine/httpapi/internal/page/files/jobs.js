// Jobs: the running ones of the team, and those that were started in this tab. Their state is requested while the panel is open.
import { call, Failure } from "./api.js";
import { at } from "./dom.js";
import { body } from "./jobform.js";
import { JobRow } from "./jobrow.js";
import { submitting, failed } from "./notice.js";

const slot = "winnow-jobs";
const most = 50; // jobs that are remembered
const rows = new Map(); // by id, as they are listed
let shown = false, timer, rounds = 0;

export function start() {
	const form = at("job-form");
	form.addEventListener("change", () => choose(form));
	choose(form);
	submitting(form, {
		status: at("job-status"), busy: "Starting …", request: () => body(form),
		done({ body: { id, invalidURLs } }) {
			const kind = form.elements.kind.value;
			const { url, limit } = body(form)[2];
			add({ id, kind, url, limit, about: form.elements[kind === "crawl" ? "url" : kind === "batch" ? "urls" : "prompt"].value.trim().slice(0, 200) }, true);
			at("job-status").textContent = "Started." + (invalidURLs?.length ? ` Left out: ${invalidURLs.join(", ").slice(0, 500)}` : "");
			soon(0);
		},
	});
	at("jobs-refresh").addEventListener("click", () => soon(0, true));
	document.addEventListener("visibilitychange", () => soon(0));
	for (const job of remembered()) add(job);
}

// look begins or ends the submitting, as the tab is looked at or not.
export function look(on) {
	shown = on;
	if (on) soon(0, true);
}

// choose shows the fields of the kind that is chosen.
function choose(form) {
	for (const field of form.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(form.elements.kind.value);
}

function remembered() {
	try {
		return JSON.parse(sessionStorage.getItem(slot)) ?? [];
	} catch {
		return [];
	}
}

function add(job, fresh) {
	if (rows.has(job.id)) return;
	const row = new JobRow(job, { forget, changed: () => soon(0) });
	rows.set(job.id, row);
	at("job-list").prepend(row.element);
	if (fresh) row.open();
	keep();
}

function forget(id) {
	rows.get(id)?.element.remove();
	rows.delete(id);
	keep();
}

function keep() {
	sessionStorage.setItem(slot, JSON.stringify([...rows.values()].slice(-most).map((r) => r.job)));
	at("jobs-empty").hidden = rows.size > 0;
}

// soon plans the next round; all requests the list of running jobs too.
function soon(wait, all) {
	if (all) rounds = 0;
	clearTimeout(timer);
	if (shown && !document.hidden) timer = setTimeout(round, wait);
}

// round requests every job that may have changed. Without running jobs it ends; the next job begins it again.
async function round() {
	let wait = rounds < 60 ? 1000 : 3000;
	try {
		if (rounds++ % 10 === 0) await discover();
		for (const row of [...rows.values()].filter((r) => !r.ended)) await row.update();
		at("job-status").querySelector(".error")?.remove(); // of an earlier round
	} catch (e) {
		if (e instanceof Failure && e.status === 429) wait = Math.max(wait, e.wait * 1000);
		else return at("job-status").replaceChildren(failed(e));
	}
	if ([...rows.values()].some((r) => !r.ended)) soon(wait);
}

// discover lists what others have started: active crawls, and running agents.
async function discover() {
	const { body: { crawls } } = await call("GET", "v2/crawl/active");
	for (const c of [...crawls].reverse()) add({ id: c.id, kind: "crawl", about: c.url });
	const { body: { agents } } = await call("GET", "v2/agent");
	for (const a of [...agents].reverse()) if (a.status === "processing") add({ id: a.id, kind: "agent", about: "An agent" });
}
