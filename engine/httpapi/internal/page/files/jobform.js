// The requests that the form of a job makes.
import { given, whole } from "./api.js";
import { lines, values } from "./dom.js";

// paths are where jobs of a kind are started and read.
export const paths = { crawl: "v2/crawl", batch: "v2/batch/scrape", extract: "v2/extract", agent: "v2/agent" };

// body gives method, path and body of the request.
export function body(form) {
	const v = values(form);
	return ["POST", paths[v.kind], given({ ...kinds[v.kind](v), origin: "page" })];
}

// The links of a crawl's pages show what it is still to fetch.
const scrape = (v) => ({
	formats: ["markdown", v.kind === "crawl" && "links", v.screenshot === "on" && "screenshot"].filter(Boolean),
	onlyMainContent: v.onlyMainContent === "on",
});

const kinds = {
	crawl: (v) => ({
		url: v.url.trim(), limit: whole(v.limit), maxDiscoveryDepth: whole(v.maxDiscoveryDepth), sitemap: v.sitemap,
		includePaths: lines(v.includePaths), scrapeOptions: scrape(v),
	}),
	batch: (v) => ({ urls: lines(v.urls), ...scrape(v) }),
	extract: (v) => ({ urls: lines(v.urls), prompt: v.prompt.trim() }),
	agent: (v) => ({ urls: lines(v.urls), prompt: v.prompt.trim(), maxCredits: whole(v.maxCredits) }),
};
