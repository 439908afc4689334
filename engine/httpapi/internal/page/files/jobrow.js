// One job in the list: how it stands, and what can be done with it.
import { call } from "./api.js";
import { at, h, moment, number, plural } from "./dom.js";
import { Growth } from "./growth.js";
import { paths } from "./jobform.js";
import { documents, errors, result } from "./jobview.js";
import { failed } from "./notice.js";

const kinds = { crawl: "Crawl", batch: "Batch", extract: "Extraction", agent: "Agent" };
const atWork = new Set(["scraping", "processing"]);

// JobRow shows a job, {id, kind, about}, and knows whether it has ended.
export class JobRow {
	constructor(job, { forget, changed }) {
		Object.assign(this, { job, forget, changed, ended: false });
		const name = `${kinds[job.kind]} of ${job.about}`;
		this.state = h("span", { class: "badge" }, "…");
		this.bar = h("progress", { "aria-label": `Progress: ${name}` });
		this.facts = h("span");
		this.cancel = this.button("Cancel", () => this.end(), "danger");
		this.buttons = h("p", { class: "row" }, job.kind === "crawl" || job.kind === "batch"
			? [this.button("Documents", () => documents(job)), this.button("Errors", () => errors(job))]
			: this.button("Answer", () => result(job)), job.kind !== "extract" && this.cancel);
		this.problem = h("div");
		this.growth = job.kind === "crawl" ? new Growth(job) : undefined;
		this.element = h("li", { class: "card job", "aria-label": name, "data-id": job.id },
			h("p", { class: "job-head" }, this.state, h("strong", {}, kinds[job.kind]), h("span", { class: "about" }, job.about)),
			this.bar, h("p", { class: "facts" }, this.facts), this.problem, this.buttons, this.growth?.element);
	}

	// open shows the pages, if there are any to show.
	open() {
		if (this.growth) this.growth.element.open = true;
	}

	button(text, does, kind) {
		return h("button", { type: "button", class: kind, onclick: () => this.attempt(does) }, text);
	}

	async attempt(does) {
		try {
			this.problem.replaceChildren();
			await does();
		} catch (e) {
			this.problem.replaceChildren(failed(e));
		}
	}

	// update shows the current state of the job. A job that no longer exists leaves the list.
	async update() {
		const { kind, id } = this.job;
		try {
			this.show((await call("GET", `${paths[kind]}/${id}${kind === "crawl" || kind === "batch" ? "?limit=1" : ""}`)).body);
		} catch (e) {
			if (e.status !== 404 && e.status !== 403) throw e;
			this.forget(id);
		}
	}

	show(s) {
		this.state.textContent = s.status;
		this.state.className = "badge " + s.status;
		this.ended = !atWork.has(s.status);
		this.cancel.hidden = this.ended;
		this.bar.hidden = this.ended;
		if (s.total) [this.bar.max, this.bar.value] = [s.total, s.completed];
		else this.bar.removeAttribute("value");
		const facts = [s.total !== undefined && `${number(s.completed)} of ${plural(s.total, "page")}`, plural(s.creditsUsed, "credit"), s.duration && `${s.duration.toFixed(1)} s`].filter(Boolean);
		this.facts.replaceChildren(facts.join(" · "), s.createdAt ? " · " : "", moment(s.createdAt ?? ""));
		if (s.error || s.warning) this.problem.replaceChildren(h("p", { class: "notice" }, s.code && h("code", {}, s.code), " ", s.error ?? s.warning));
		if (this.ended) this.announce(s);
	}

	// announce speaks to screen readers. A job that ends says so once.
	announce(s) {
		at("job-status").textContent = `${kinds[this.job.kind]} ${s.status}: ${this.job.about}`;
	}

	async end() {
		await call("DELETE", `${paths[this.job.kind]}/${this.job.id}`);
		this.changed();
	}
}
