// Monitors: their list, the checks of one, what a check found. What pages say is shown as text.
import { call, given } from "./api.js";
import { at, h, lines, link, moment, number, plural, table, values } from "./dom.js";
import { diff } from "./diff.js";
import { failed, submitting } from "./notice.js";

const base = "v2/monitor";
const step = 50; // pages of a check at once
const badges = { completed: "completed", same: "completed", running: "scraping", new: "waiting", changed: "waiting", partial: "failed", failed: "failed", removed: "failed", error: "failed" };
let shown = false, timer;

export function start() {
	submitting(at("monitor-form"), {
		status: at("monitor-status"), busy: "Creating …", request,
		async done() {
			at("monitor-status").textContent = "Created. The first check finds what later ones are compared with.";
			await list();
		},
	});
	at("monitors-refresh").addEventListener("click", () => look(true));
}

function request() {
	const v = values(at("monitor-form"));
	const target = given({ type: "scrape", urls: lines(v.urls), winnow: v.picture === "on" ? { picture: true } : undefined });
	return ["POST", base, given({ name: v.name.trim(), schedule: { text: v.schedule.trim() }, goal: v.goal?.trim(), targets: [target], origin: "page" })];
}

// look loads the list, and again while a check runs and the panel is open.
export async function look(on) {
	shown = on;
	clearTimeout(timer);
	if (!shown) return;
	try {
		await list();
		at("monitor-status").querySelector(".error")?.remove(); // of an earlier time
	} catch (e) {
		at("monitor-status").replaceChildren(failed(e));
	}
}

async function list() {
	const { body: { data } } = await call("GET", `${base}?limit=100`);
	const focused = document.activeElement?.dataset.does; // it is drawn again
	at("monitor-list").replaceChildren(...data.map(row));
	if (focused) [...at("monitor-list").querySelectorAll("button")].find((b) => b.dataset.does === focused)?.focus({ preventScroll: true });
	at("monitors-empty").hidden = data.length > 0;
	clearTimeout(timer);
	if (shown && data.some((m) => m.currentCheckId)) timer = setTimeout(() => look(shown), 1000);
}

function row(m) {
	const problem = h("div");
	const button = (text, does, kind) => h("button", { type: "button", class: kind, "data-does": `${text} ${m.id}`, onclick: async () => {
		try {
			problem.replaceChildren();
			await does();
		} catch (e) {
			problem.replaceChildren(failed(e));
		}
	} }, text);
	const next = m.nextRunAt ? [" · next ", moment(m.nextRunAt)] : "";
	return h("li", { class: "card job", "aria-label": `Monitor ${m.name}`, "data-state": m.currentCheckId ? "running" : m.lastCheckSummary ? "checked" : "new" },
		h("p", { class: "job-head" }, badge(m.currentCheckId ? "running" : m.status), h("strong", {}, m.name), h("span", { class: "about" }, m.targets.map(about).join(", "))),
		h("p", { class: "facts" }, h("span", {}, m.schedule.text || m.schedule.cron || "at an interval", next, m.lastCheckSummary ? ` · ${counts(m.lastCheckSummary)}` : "")),
		problem,
		h("p", { class: "row" }, button("Check now", async () => { await call("POST", `${base}/${m.id}/run`, {}); await list(); }),
			button("Checks", () => checks(m)), button("Delete", async () => { await call("DELETE", `${base}/${m.id}`); close(); await list(); }, "danger")));
}

const badge = (state) => h("span", { class: `badge ${badges[state] ?? ""}` }, state);
const about = (t) => [...(t.urls ?? []), t.url, ...(t.queries ?? [])].filter(Boolean).slice(0, 3).join(", ");
const counts = (s) => ["changed", "new", "removed", "same", "error"].filter((k) => s[k]).map((k) => `${number(s[k])} ${k}`).join(", ") || "no page";

function show(title, ...nodes) {
	const box = at("monitor-detail");
	box.hidden = false;
	box.replaceChildren(h("div", { class: "heading" }, h("h3", {}, title), h("button", { type: "button", onclick: close }, "Close")), ...nodes.filter(Boolean));
	box.focus({ preventScroll: true });
	box.scrollIntoView({ block: "start" });
}

const close = () => { at("monitor-detail").hidden = true; };

// checks lists those of a monitor, the newest first.
async function checks(m) {
	const { body: { data } } = await call("GET", `${base}/${m.id}/checks?limit=100`);
	const rows = data.map((c) => [moment(c.startedAt ?? c.createdAt), badge(c.status), counts(c.summary), plural(c.actualCredits, "credit"),
		[h("button", { type: "button", class: "check", onclick: () => check(m, c.id, 0) }, "Pages"), c.error && h("p", { class: "hint" }, c.error)].filter(Boolean)]);
	show(`Checks of ${m.name}`, rows.length ? table(["When", "State", "Pages", "Cost", ""], rows) : h("p", { class: "empty" }, "There was no check yet."));
}

// check shows what a check found, from a page on.
async function check(m, id, skip) {
	try {
		const { body } = await call("GET", `${base}/${m.id}/checks/${id}?limit=${step}&skip=${skip}`);
		const go = (text, to) => h("button", { type: "button", onclick: () => check(m, id, to) }, text);
		show(`A check of ${m.name}`, h("p", { class: "row" }, h("button", { type: "button", onclick: () => checks(m) }, "Back to the checks")),
			h("pre", { class: "source", tabindex: "0", "aria-label": "Digest" }, body.data.winnow.digest ?? ""),
			h("ul", { class: "list" }, body.data.pages.map(page)),
			h("p", { class: "row" }, skip > 0 && go("Earlier", Math.max(0, skip - step)), body.next && go("Later", skip + step)));
	} catch (e) {
		show(`A check of ${m.name}`, failed(e));
	}
}

function page(p) {
	const own = p.winnow ?? {};
	return h("li", { class: "card changes" },
		h("p", { class: "job-head" }, badge(p.status), h("strong", {}, p.metadata.title || "Untitled"), link(p.url)),
		p.error && h("p", { class: "notice" }, p.error),
		p.judgment && h("p", { class: "hint" }, `${p.judgment.meaningful ? "It matters" : "It does not matter"} (${p.judgment.confidence}): ${p.judgment.reason}`),
		p.diff?.text ? diff(p.diff.text) : "",
		p.diff?.json && !p.diff.json.files ? fields(p.diff.json) : "",
		own.boxes?.length > 0 && boxes(own),
		own.noise?.length > 0 && h("details", {}, h("summary", {}, `${plural(own.noise.length, "difference")} passed over`), h("ul", { class: "addresses" }, own.noise.map((n) => h("li", {}, n)))));
}

// fields shows which data has changed.
function fields(json) {
	const cell = (v) => (typeof v === "string" ? v : JSON.stringify(v) ?? "").slice(0, 2000);
	return table(["Field", "Before", "Now"], Object.entries(json).map(([name, f]) => [h("code", {}, name || "all"), cell(f?.previous), cell(f?.current)]));
}

// boxes lists the parts of the picture that differ.
function boxes({ boxes: list, share }) {
	const place = (b) => `${b.width} × ${b.height} at ${b.x}, ${b.y}`;
	return [h("p", { class: "hint" }, `${((share ?? 0) * 100).toFixed(1)} % of the picture differs.`),
		table(["Part of the picture, in pixels", "It was"], list.map((b) => [place(b), b.from ? place(b.from) : ""]))];
}
