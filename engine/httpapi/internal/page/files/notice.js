// What is shown while a request runs, and when it fails.
import { call, Failure } from "./api.js";
import { h, span } from "./dom.js";
import { recipe } from "./recipe.js";

// failed shows an error with all that the service said of it.
export function failed(e) {
	const f = e instanceof Failure ? e : new Failure(0, { error: String(e?.message ?? e) }, 0);
	return h("div", { class: "notice error", role: "alert" },
		h("p", {}, f.code && h("code", {}, f.code), f.code && " ", h("strong", {}, f.message)),
		f.details.length > 0 && h("ul", {}, f.details.map((d) => h("li", {}, h("code", {}, path(d.path)), " ", d.message ?? d.code))),
		f.id && h("p", { class: "hint" }, "See the service’s log under ", h("code", {}, f.id)),
		f.wait > 0 && h("p", { class: "hint" }, `Try again in ${span(f.wait * 1000)}.`),
		f.status === 401 && h("p", { class: "hint" }, "Give a key under “API key” at the top of this page."));
}

// path spells where in the request something is wrong.
const path = (steps) => (steps ?? []).map((s, i) => (typeof s === "number" ? `[${s}]` : (i ? "." : "") + s)).join("") || "request";

// submitting sends one request at a time for a form: a second submit takes the place of the first. done gets the answer.
export function submitting(form, { status, result, request, done, busy }) {
	let running;
	form.addEventListener("submit", async (e) => {
		e.preventDefault();
		running?.abort();
		const mine = (running = new AbortController());
		form.setAttribute("aria-busy", "true");
		status.textContent = busy ?? "Working …";
		if (result) result.setAttribute("aria-busy", "true");
		try {
			const sent = request();
			recipe(status, sent);
			const answer = await call(...sent, mine.signal);
			status.textContent = "";
			await done(answer);
		} catch (e) {
			if (e.name === "AbortError") return;
			status.textContent = "";
			result ? result.replaceChildren(failed(e)) : status.replaceChildren(failed(e));
		} finally {
			if (running === mine) {
				form.removeAttribute("aria-busy");
				result?.removeAttribute("aria-busy");
			}
		}
	});
}
