// Drives the server through a client whose types openapi-typescript has made of its OpenAPI document (api.d.ts): that this file compiles is
// half of the test.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { env: Record<string, string | undefined> };

type Scrape = components["schemas"]["ScrapeRequest"];

const client = createClient<paths>({ baseUrl: process.env.API ?? "", headers: { Authorization: `Bearer ${process.env.KEY}` } });

// A text is a stream of events or lines, for requests that accept one.
function must<T>(what: string, answer: { data?: T | string; error?: unknown }): Exclude<T, string> {
	if (answer.data === undefined || typeof answer.data === "string") throw new Error(`${what}: ${JSON.stringify(answer)}`);
	return answer.data as Exclude<T, string>;
}

function same(what: string, got: unknown, want: unknown) {
	if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

const page: Scrape = { url: "https://shop.example/", formats: ["markdown", { type: "links" }], winnow: { render: "never" } };
const scraped = must("scrape", await client.POST("/v2/scrape", { body: page }));
same("status", scraped.data.metadata?.statusCode, 200);
same("has links", (scraped.data.links?.length ?? 0) > 0, true);
same("has markdown", (scraped.data.markdown?.length ?? 0) > 0, true);

const mapped = must("map", await client.POST("/v2/map", { body: { url: "https://shop.example/", limit: 5 } }));
same("has a map", mapped.links.length > 0 && mapped.links[0].url.startsWith("https://shop.example/"), true);

const { id } = must("crawl", await client.POST("/v2/crawl", { body: { url: "https://shop.example/", limit: 3, scrapeOptions: { formats: ["markdown"] } } }));
const path = { params: { path: { id } } };
let job = must("status", await client.GET("/v2/crawl/{id}", path));
while (job.status === "scraping") {
	await new Promise((resolve) => setTimeout(resolve, 100));
	job = must("status", await client.GET("/v2/crawl/{id}", path));
}
same("the job", [job.status, job.completed, job.data?.length], ["completed", 3, 3]);

const refused = await client.POST("/v2/scrape", { body: { url: "http://10.0.0.1/" } });
same("refused", [refused.response.status, refused.error?.code], [403, "unsafe_domain_blocked"]);
console.log("done");
