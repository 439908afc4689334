// The page: its panels, each of which is one module.
import * as actions from "./console.js";
import { at } from "./dom.js";
import * as examples from "./examples.js";
import * as find from "./find.js";
import * as jobs from "./jobs.js";
import * as keybox from "./keybox.js";
import * as monitors from "./monitors.js";
import { overflow } from "./overflow.js";
import * as scrape from "./scrape.js";
import * as sessions from "./sessions.js";
import { tabs } from "./tabs.js";
import * as usage from "./usage.js";

// look loads what a panel shows.
function look(panel) {
	history.replaceState(null, "", "#/" + panel); // no element's id: the browser would go there, and take the focus away
	jobs.look(panel === "jobs");
	monitors.look(panel === "monitors");
	if (panel === "sessions") sessions.look();
	if (panel === "usage") usage.look();
}

const choose = tabs(at("tabs"), look);

keybox.start(() => look(document.querySelector("main > section:not([hidden])").id)); // as the new key sees it
examples.start();
overflow(at("tabs"));
scrape.start();
jobs.start();
monitors.start();
find.start();
sessions.start(choose);
actions.start();
usage.start();
const wanted = location.hash.slice(2);
choose(wanted && at(wanted)?.role === "tabpanel" ? wanted : "scrape");
if (!at("scrape").hidden) at("scrape-url").focus({ preventScroll: true });
