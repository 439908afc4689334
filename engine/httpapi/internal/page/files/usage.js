// What the team has used and is doing.
import { call } from "./api.js";
import { at, h, moment, number, table } from "./dom.js";
import { failed } from "./notice.js";

const unlimited = 2 ** 53 - 1; // the service’s number for no limit
let cursor = "", rows = [];

export function start() {
	at("usage-refresh").addEventListener("click", look);
	at("activity-endpoint").addEventListener("change", () => attempt(() => activity(true)));
	at("activity-more").addEventListener("click", () => attempt(() => activity(false)));
}

// look loads everything again.
export const look = () => attempt(async () => {
	at("usage-status").textContent = "Asking …";
	await figures();
	await activity(true);
	at("usage-status").textContent = "";
});

async function attempt(does) {
	try {
		await does();
	} catch (e) {
		at("usage-status").replaceChildren(failed(e));
	}
}

async function figures() {
	const [credits, queue, months] = (await Promise.all(["v2/team/credit-usage", "v2/team/queue-status", "v2/team/credit-usage/historical"].map((p) => call("GET", p)))).map((a) => a.body);
	const c = credits.data;
	const limited = (n) => (n >= unlimited ? "no limit" : number(n));
	const all = [
		["Credits left", limited(c.remainingCredits)], ["Credits granted", limited(c.planCredits)], ["Pages running", number(queue.activeJobsInQueue)],
		["Pages queued", number(queue.waitingJobsInQueue)], ["Pages at once", queue.maxConcurrency ? number(queue.maxConcurrency) : "no limit"],
		["Last completed", queue.mostRecentSuccess ? moment(queue.mostRecentSuccess) : "none"],
	];
	at("usage-figures").replaceChildren(...all.map(([name, value]) => h("div", { class: "card" }, h("dt", {}, name), h("dd", {}, value))));
	at("usage-months").replaceChildren(months.periods.length
		? table(["Month", "Credits used"], [...months.periods].reverse().map((p) => [p.startDate.slice(0, 7), number(p.creditsUsed)]))
		: h("p", { class: "empty" }, "Nothing was used yet."));
}

// activity lists requests, newest first: from the newest on, or those after the ones that are there.
async function activity(again) {
	if (again) [cursor, rows] = ["", []];
	const query = new URLSearchParams({ limit: "50", endpoint: at("activity-endpoint").value, cursor });
	const { body } = await call("GET", `v2/team/activity?${query}`);
	rows = [...rows, ...body.data];
	cursor = body.cursor ?? "";
	at("activity-more").hidden = !body.has_more;
	at("activity").replaceChildren(rows.length
		? table(["When", "Endpoint", "Target"], rows.map((a) => [moment(a.created_at), a.endpoint, a.target ?? ""]))
		: h("p", { class: "empty" }, "There was no request."));
}
