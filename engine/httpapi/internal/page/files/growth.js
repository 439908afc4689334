// A crawl while it runs: what comes of it goes into the tree at once, each page with its state and the reason.
import { call, follow } from "./api.js";
import { h } from "./dom.js";
import { paths } from "./jobform.js";
import { failed } from "./notice.js";
import { Tree } from "./tree.js";

const often = 1000; // milliseconds between two looks at what failed and what was left out
const why = {
	ROBOTS_TXT: "robots.txt forbids it", LIMIT: "the limit of pages is reached",
	DEPTH_LIMIT: "too deep below the start", DISCOVERY_LIMIT: "too many links away", BACKWARD_CRAWLING: "not below the start",
	INCLUDE_PATTERN: "the path filter leaves it out", EXCLUDE_PATTERN: "the path filter leaves it out",
	EXTERNAL_LINK: "another site", SOCIAL_MEDIA: "a social network", FILE_TYPE: "no page, by its ending",
	DUPLICATE_URL: "another address of a page that is here",
	REDIRECT: "redirects to a page that is left out", NON_WEB_PROTOCOL: "no web address", URL_PARSE_ERROR: "no address",
};
const ends = { cancelled: "the crawl was cancelled", failed: "the crawl has failed" };

// Growth shows the tree of a job, {id, url, limit}. It follows the job from when it is opened until the job ends.
export class Growth {
	constructor(job) {
		Object.assign(this, { job, tree: new Tree(), running: false, ended: "" });
		this.problem = h("div");
		this.facts = h("span", { class: "hint" });
		this.element = h("details", { class: "growth", ontoggle: () => this.element.open && this.begin() },
			h("summary", {}, "Pages ", this.facts), this.problem, this.tree.element);
	}

	async begin() {
		if (this.running || this.ended) return;
		this.running = true;
		try {
			if (this.job.url) this.tree.set(this.job.url, "waiting");
			for await (const message of follow(`${paths.crawl}/${this.job.id}`)) {
				await this.take(message);
				if (this.tree.full()) break;
			}
			await this.reasons();
			this.settle();
			this.problem.replaceChildren();
		} catch (e) {
			this.problem.replaceChildren(failed(e), h("p", { class: "hint" }, "Close and open the pages to go on."));
		} finally {
			this.running = false;
		}
	}

	async take({ type, data }) {
		if (type === "catchup" && !["scraping", "processing"].includes(data.status)) this.ended = data.status;
		if (type === "document") this.document(data);
		if (performance.now() - (this.looked ?? -often) > often) await this.reasons();
		this.facts.textContent = this.tree.summary();
	}

	document({ metadata: m = {}, links = [] }) {
		const bad = m.statusCode >= 400;
		const moved = m.url && m.sourceURL && m.url !== m.sourceURL ? `leads to ${m.url}` : "";
		this.tree.set(m.sourceURL ?? m.url, bad ? "failed" : "done", bad ? `status ${m.statusCode}` : moved);
		for (const address of links) if (!address.includes("#")) this.tree.set(address, "waiting");
	}

	// reasons looks at what failed, and what the crawl leaves out.
	async reasons() {
		this.looked = performance.now();
		const { body } = await call("GET", `${paths.crawl}/${this.job.id}/errors`);
		for (const { url, code, error } of body.errors) this.tree.set(url, "failed", [code, error].filter(Boolean).join(": "));
		for (const { reason, urls } of body.winnow?.denied ?? []) {
			if (reason !== "SECTION_LINK") for (const url of urls) this.tree.set(url, "skipped", why[reason] ?? reason);
		}
		for (const url of body.robotsBlocked) this.tree.set(url, "skipped", why.ROBOTS_TXT);
	}

	// settle gives those their reason that wait for nothing any more.
	settle() {
		const { done = 0, failed: bad = 0 } = this.tree.counts;
		const full = this.job.limit && done + bad >= this.job.limit;
		const reason = ends[this.ended] ?? (full ? why.LIMIT : "probably another address of a page that is here");
		for (const url of this.tree.waiting()) this.tree.set(url, "skipped", reason);
		this.facts.textContent = this.tree.summary();
	}
}
