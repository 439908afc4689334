// One page, scraped.
import { given, whole } from "./api.js";
import { at, h, values } from "./dom.js";
import { submitting } from "./notice.js";
import { view } from "./result.js";
import { resume } from "./sessions.js";

export function start() {
	const form = at("scrape-form"), result = at("scrape-result");
	form.addEventListener("change", () => { at("scrape-prompt-field").hidden = !values(form, "formats").formats.includes("json"); });
	submitting(form, {
		status: at("scrape-status"), result, busy: "Scraping …", request: () => ["POST", "v2/scrape", body(form)],
		done({ body, took, bytes }) {
			const id = body.data.metadata?.scrapeId;
			const more = id && h("button", { type: "button", onclick: () => resume(id) }, "Continue in a browser");
			result.replaceChildren(view(body.data, body, { took, bytes, more }));
			at("scrape-status").textContent = "Done.";
		},
	});
}

function body(form) {
	const v = values(form, "formats");
	if (v.formats.includes("changeTracking") && !v.formats.includes("markdown")) v.formats.push("markdown"); // which is what is compared
	const format = {
		changeTracking: { type: "changeTracking", modes: ["git-diff"] },
		screenshot: { type: "screenshot", fullPage: v.fullPage === "on" },
		json: given({ type: "json", prompt: v.prompt }),
	};
	const wait = whole(v.waitFor);
	return given({
		url: v.url.trim(), formats: v.formats.map((f) => format[f] ?? f), onlyMainContent: v.onlyMainContent === "on", mobile: v.mobile === "on",
		waitFor: v.render === "on" ? Math.max(1, wait ?? 0) : wait, // only a browser can wait
		timeout: whole(v.timeout), maxAge: whole(v.maxAge), origin: "page",
	});
}
