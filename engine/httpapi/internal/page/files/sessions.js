// Browser sessions: start, list, end. What is done inside them is console.js's.
import { call, given, whole } from "./api.js";
import { open, shut } from "./console.js";
import { at, h, link, moment, values } from "./dom.js";
import { submitting, failed } from "./notice.js";

let choose; // shows the panel

export function start(go) {
	choose = go;
	submitting(at("session-form"), {
		status: at("session-status"), busy: "Starting a browser …",
		request() {
			const v = values(at("session-form"));
			return ["POST", "v2/browser", given({ ttl: whole(v.ttl), activityTtl: whole(v.activityTtl), origin: "page" })];
		},
		async done({ body }) {
			at("session-status").textContent = "Started.";
			await list();
			work(body);
		},
	});
	at("sessions-refresh").addEventListener("click", look);
}

// look lists the sessions that are open.
export async function look() {
	try {
		await list();
		at("session-status").querySelector(".error")?.remove(); // of an earlier time
	} catch (e) {
		at("session-status").replaceChildren(failed(e));
	}
}

async function list() {
	const { body } = await call("GET", "v2/browser?status=active");
	at("session-list").replaceChildren(...body.sessions.map(row));
	at("sessions-empty").hidden = body.sessions.length > 0;
}

function row(s) {
	return h("li", { class: "card session" },
		h("p", { class: "job-head" }, h("span", { class: "badge scraping" }, s.status), h("strong", {}, short(s.id)), h("span", { class: "about" }, "since ", moment(s.createdAt ?? ""), ", used ", moment(s.lastActivity ?? ""))),
		h("p", { class: "row" }, h("button", { type: "button", onclick: () => work(s) }, "Work in it"), s.liveViewUrl && link(s.liveViewUrl, "Watch"),
			h("button", { type: "button", class: "danger", onclick: () => end(`v2/browser/${s.id}`) }, "End")));
}

const short = (id) => id.slice(-8);

function work(s) {
	open({ name: short(s.id), run: `v2/browser/${s.id}/execute`, view: s, end: () => end(`v2/browser/${s.id}`) });
}

// resume continues where a scrape has left its page.
export function resume(scrape) {
	choose("sessions");
	const path = `v2/scrape/${scrape}/interact`;
	open({ name: "the scraped page", run: path, prompts: true, changed: look, end: () => end(path) });
}

async function end(path) {
	try {
		const { body } = await call("DELETE", path);
		at("session-status").textContent = `Ended after ${Math.round(body.sessionDurationMs / 1000)} s, ${body.creditsBilled} credits.`;
		shut();
		await list();
	} catch (e) {
		at("session-status").replaceChildren(failed(e));
	}
}
