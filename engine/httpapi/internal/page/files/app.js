// The page: its panels, and the key. Each panel is one module.
import { key } from "./api.js";
import * as actions from "./console.js";
import { at } from "./dom.js";
import * as find from "./find.js";
import * as jobs from "./jobs.js";
import * as scrape from "./scrape.js";
import * as sessions from "./sessions.js";
import { tabs } from "./tabs.js";
import * as usage from "./usage.js";

// look loads what a panel shows.
function look(panel) {
	history.replaceState(null, "", "#/" + panel); // no element's id: the browser would go there, and take the focus away
	jobs.look(panel === "jobs");
	if (panel === "sessions") sessions.look();
	if (panel === "usage") usage.look();
}

const choose = tabs(at("tabs"), look);

function showKey() {
	at("key-state").textContent = key.get() ? "API key set" : "No API key";
}

function startKey() {
	const form = at("key-form"), value = at("key-value");
	const use = (secret) => {
		key.set(secret);
		value.value = "";
		showKey();
		look(document.querySelector("main > section:not([hidden])").id); // as the new key sees it
		at("key").open = false;
		at("key").querySelector("summary").focus();
	};
	form.addEventListener("submit", (e) => {
		e.preventDefault();
		use(value.value.trim());
	});
	at("key-forget").addEventListener("click", () => use(""));
	at("key").addEventListener("keydown", (e) => {
		if (e.key !== "Escape") return;
		at("key").open = false;
		at("key").querySelector("summary").focus();
	});
	showKey();
}

startKey();
scrape.start();
jobs.start();
find.start();
sessions.start(choose);
actions.start();
usage.start();
const wanted = location.hash.slice(2);
choose(wanted && at(wanted)?.role === "tabpanel" ? wanted : "scrape");
if (!at("scrape").hidden) at("scrape-url").focus({ preventScroll: true });
