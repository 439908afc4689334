// Work in one session: code and tasks, what they gave, and the live view beside it.
import { given } from "./api.js";
import { at, h, link, span, values } from "./dom.js";
import { submitting } from "./notice.js";

const drafts = { shown: "code", code: "", task: "" };
let session; // name, run (where code goes), view (addresses), prompts, changed, end

export function start() {
	const form = at("console-form");
	submitting(form, {
		status: at("console-status"), result: at("console-result"), busy: "Running …",
		request() {
			const v = values(form);
			const what = v.language === "prompt" ? { prompt: v.code } : { code: v.code, language: v.language };
			return ["POST", session.run, given({ ...what, origin: "page" })];
		},
		done({ body, took }) {
			at("console-status").textContent = `${body.success ? "Done" : "Failed"} in ${span(took)}.`;
			at("console-result").replaceChildren(outcome(body));
			show(body);
			session.changed?.();
		},
	});
	at("console-end").addEventListener("click", () => session?.end());
	form.addEventListener("change", swap);
	form.addEventListener("keydown", (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) form.requestSubmit(); });
}

// swap keeps the code and the task apart when a person changes between them.
function swap() {
	const { code, language } = at("console-form").elements;
	const now = language.value === "prompt" ? "task" : "code";
	if (now === drafts.shown) return;
	drafts[drafts.shown] = code.value;
	code.value = drafts[now];
	drafts.shown = now;
}

// open begins work in a session.
export function open(s) {
	session = s;
	at("console").hidden = false;
	at("console-name").textContent = s.name;
	at("console-prompt").hidden = !s.prompts;
	if (!s.prompts && values(at("console-form")).language === "prompt") at("console-form").elements.language.value = "node";
	swap();
	at("console-result").replaceChildren();
	at("console-status").textContent = "";
	at("console-view").hidden = true;
	at("console-view").removeAttribute("src");
	at("console-apart").hidden = true;
	show(s.view ?? {});
	at("console").focus({ preventScroll: true });
	at("console").scrollIntoView({ block: "start" });
}

// shut ends it on this page.
export function shut() {
	session = undefined;
	at("console").hidden = true;
	at("console-view").removeAttribute("src");
}

// show links to where the session can be seen, and frames it where it may be framed: on this origin.
async function show({ liveViewUrl, interactiveLiveViewUrl }) {
	const links = [liveViewUrl && link(liveViewUrl, "Watch it"), interactiveLiveViewUrl && link(interactiveLiveViewUrl, "Operate it")];
	at("console-links").replaceChildren(...links.filter(Boolean));
	const frame = at("console-view"), address = interactiveLiveViewUrl || liveViewUrl, of = session;
	if (!address || frame.getAttribute("src") === address) return;
	const apart = await unframed(address);
	if (of !== session) return;
	at("console-apart").hidden = !apart;
	at("console-apart").textContent = apart;
	if (apart) return;
	frame.src = address;
	frame.hidden = false;
}

// unframed is why a live view can't be shown here; "" where it can.
async function unframed(address) {
	const { origin } = new URL(address);
	if (origin !== location.origin) return `The live view is at ${origin}: open this page there to see both side by side.`;
	try {
		const { headers } = await fetch(address, { method: "HEAD", credentials: "omit", cache: "no-store" });
		const refused = /frame-ancestors 'none'/.test(headers.get("content-security-policy") ?? "");
		return refused ? "The service does not let pages frame its live views." : "";
	} catch {
		return "The live view cannot be reached.";
	}
}

function outcome(r) {
	const part = (name, text) => text && [h("dt", {}, name), h("dd", {}, h("pre", { class: "source", tabindex: "0" }, text.slice(0, 100_000)))];
	return h("dl", { class: "outcome" }, part("Error", r.error), part("Answer", r.output), part("Value", r.result), part("Output", r.stdout), part("Messages", r.stderr),
		[h("dt", {}, "Exit code"), h("dd", {}, String(r.exitCode) + (r.killed ? ", killed" : ""))]);
}
