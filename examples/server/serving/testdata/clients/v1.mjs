// Drives clients of the first version against a server: the official JavaScript client in old releases and as .v1 of newer ones, and the
// client of @agentic/firecrawl. Arguments come by the environment: MODULES is the folder of the packages, OLD and NEW are the names there of
// the official client's releases, divided by commas, API is the server, KEY a key. What is wrong is told on stdout, one fault a line; the
// exit status is 1 then.

import { pathToFileURL } from "node:url";
import { check, count, faults, same, short } from "./check.mjs";

const { MODULES: folder, API: apiUrl, KEY: apiKey, OLD: old, NEW: newer } = process.env;
const load = (name) => import(pathToFileURL(`${folder}/${name}/dist/index.js`));
const mill = "https://shop.example/products/hand-mill";

// official goes through all methods of the client that the service still has.
async function official(name, client) {
  const scraped = await client.scrapeUrl(mill, { formats: ["markdown", "links"], onlyMainContent: true, timeout: 30000, parsePDF: true });
  check(scraped.success && scraped.markdown?.includes("Hand mill") && scraped.links?.length, `${name}: scrapeUrl`, scraped);
  const json = await client.scrapeUrl(mill, { formats: ["json"], jsonOptions: { prompt: "the name", schema: { type: "object", properties: { name: { type: "string" } } } } });
  same(json.json, { name: "Hand mill" }, `${name}: scrapeUrl with json`);
  const extracted = await client.scrapeUrl(mill, { formats: ["extract"], extract: { prompt: "the name", systemPrompt: "Be brief.", schema: { type: "object", properties: { name: { type: "string" } } } } });
  same(extracted.extract, { name: "Hand mill" }, `${name}: scrapeUrl with extract`);
  const tracked = await client.scrapeUrl(mill, { formats: ["markdown", "changeTracking"], changeTrackingOptions: { modes: ["git-diff"], tag: name } });
  same(tracked.changeTracking?.changeStatus, "new", `${name}: scrapeUrl with changeTracking`);
  await refused(client.scrapeUrl("http://127.0.0.1:9/", {}), 403, `${name}: an address of this machine`);

  const mapped = await client.mapUrl("https://cafe.example/", { limit: 5, ignoreSitemap: true, useIndex: true });
  check(mapped.success && mapped.links.every((link) => typeof link === "string"), `${name}: mapUrl`, mapped);
  const found = await client.search("mill", { limit: 2 });
  check(found.success && Array.isArray(found.data) && found.data.every((d) => d.url), `${name}: search`, found);

  const crawled = await client.crawlUrl("https://cafe.example/", { limit: 2, ignoreSitemap: true, allowBackwardLinks: true, scrapeOptions: { formats: ["markdown", "html"] } }, 2);
  check(crawled.status === "completed" && crawled.data.length > 0 && crawled.data.every((d) => d.markdown && d.html), `${name}: crawlUrl`, crawled);
  const started = await client.asyncCrawlUrl("https://lab.example/", { limit: 20, delay: 5 });
  check(started.success && started.url === `${apiUrl}/v1/crawl/${started.id}`, `${name}: asyncCrawlUrl`, started);
  const status = await client.checkCrawlStatus(started.id);
  check(["scraping", "completed"].includes(status.status) && status.expiresAt instanceof Date, `${name}: checkCrawlStatus`, status);
  const errors = await client.checkCrawlErrors(started.id);
  check(Array.isArray(errors.errors) && Array.isArray(errors.robotsBlocked), `${name}: checkCrawlErrors`, errors);
  same((await client.cancelCrawl(started.id)).status, "cancelled", `${name}: cancelCrawl`);

  const batch = await client.batchScrapeUrls([mill, "https://cafe.example/"], { formats: ["markdown"] }, 2, undefined, undefined, true);
  check(batch.status === "completed" && batch.data.length === 2, `${name}: batchScrapeUrls`, batch);
  const async = await client.asyncBatchScrapeUrls([mill], { formats: ["markdown"] });
  check(async.success && async.id, `${name}: asyncBatchScrapeUrls`, async);
  await until(async () => (await client.checkBatchScrapeStatus(async.id, true)).status === "completed", `${name}: checkBatchScrapeStatus`);
  check(Array.isArray((await client.checkBatchScrapeErrors(async.id)).errors), `${name}: checkBatchScrapeErrors`);
  await watched(name, await client.batchScrapeUrlsAndWatch([mill], { formats: ["markdown"] }));

  const schema = { type: "object", properties: { name: { type: "string" } } };
  const answer = await client.extract([mill], { prompt: "the name", schema });
  same([answer.success, answer.data], [true, { name: "Hand mill" }], `${name}: extract`);
  const asked = await client.asyncExtract([mill], { prompt: "the name", schema });
  check((await client.getExtractStatus(asked.id)).success, `${name}: getExtractStatus`);
  await refused(client.asyncDeepResearch("mills", {}), 404, `${name}: asyncDeepResearch`);
}

// watched listens until a job is done.
async function watched(name, watcher) {
  if (!globalThis.WebSocket) return;
  const urls = [];
  watcher.addEventListener("document", (e) => urls.push(e.detail.metadata.sourceURL));
  await new Promise((then, fail) => {
    watcher.addEventListener("done", then);
    watcher.addEventListener("error", (e) => fail(new Error(`the watcher: ${short(e.detail)}`)));
  });
  same(urls, [mill], `${name}: a watched batch`);
  watcher.close();
}

async function refused(call, status, what) {
  try {
    check(false, `${what}: want ${status}, not an answer`, await call);
  } catch (err) {
    check(err.statusCode === status || err.message.includes(String(status)), `${what}: want ${status}`, `${err.statusCode} ${err.message}`);
  }
}

async function until(will, what) {
  for (let i = 0; i < 600; i++) {
    if (await will()) return;
    await new Promise((then) => setTimeout(then, 100));
  }
  check(false, `${what}: never came`);
}

async function agentic() {
  const { FirecrawlClient } = await load("@agentic/firecrawl");
  const client = new FirecrawlClient({ apiKey, apiBaseUrl: apiUrl, throttle: false });
  const scraped = await client.scrapeUrl({ url: mill, formats: ["markdown"] });
  check(scraped.success && scraped.data.markdown.includes("Hand mill"), "agentic: scrapeUrl", scraped);
  const found = await client.search("mill");
  check(found.success && Array.isArray(found.data), "agentic: search", found);
  const started = await client.crawlUrl({ url: "https://cafe.example/", limit: 1 });
  check(started.id, "agentic: crawlUrl", started);
  await until(async () => (await client.checkCrawlStatus(started.id)).status === "completed", "agentic: checkCrawlStatus");
  check(Array.isArray((await client.checkCrawlErrors(started.id)).errors), "agentic: checkCrawlErrors");
  const batch = await client.batchScrapeUrls?.([mill], { formats: ["markdown"] });
  check(!client.batchScrapeUrls || batch.id || batch.data, "agentic: batchScrapeUrls", batch);
}

const clients = [
  ...old.split(",").map((name) => [name, async () => new (await load(name)).default({ apiKey, apiUrl })]),
  ...newer.split(",").map((name) => [`${name}.v1`, async () => new (await load(name)).default({ apiKey, apiUrl }).v1]),
];
const runs = [...clients.map(([name, make]) => [name, async () => official(name, await make())]), ["agentic", agentic]];
await Promise.all(runs.map(async ([name, run]) => {
  try {
    await run();
  } catch (err) {
    check(false, `${name}: broke off`, `${err.statusCode ?? ""} ${err.message} ${err.stack?.split("\n").slice(1, 4).join(" ")}`);
  }
}));
for (const fault of faults) console.log(fault);
console.log(`${count()} checks, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
