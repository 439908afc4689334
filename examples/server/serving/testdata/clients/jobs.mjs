// Crawls and batches: started, watched, waited for, cancelled, read page by page.

import { check, refused, same, shape, until } from "./check.mjs";
import * as types from "./types.mjs";

const blog = "https://blog.example/";
const pages = ["https://lab.example/", "https://cafe.example/"];
const over = (job) => job.status !== "scraping";

export async function crawlWaiter({ mine }) {
  const job = await mine.crawl(blog, {
    limit: 4, maxDiscoveryDepth: 2, includePaths: ["^/$", "^/articles/"], excludePaths: ["/mice"], sitemap: "skip", ignoreQueryParameters: true,
    deduplicateSimilarURLs: true, crawlEntireDomain: false, allowExternalLinks: false, allowSubdomains: false, maxConcurrency: 2, regexOnFullURL: false,
    robotsUserAgent: "clients", integration: "a-test", origin: "clients", scrapeOptions: { formats: ["markdown", "links"] }, pollInterval: 1, timeout: 60,
  });
  shape(job, types.job, "crawl");
  same([job.status, job.data.length], ["completed", 4], "a crawl of four pages");
  check(job.data.every((d) => d.markdown && d.links), "each document has its formats", job.data.map((d) => Object.keys(d)));
  shape(await mine.getCrawlErrors(job.id), types.jobErrors, "getCrawlErrors");
  shape(await mine.checkCrawlErrors(job.id), types.jobErrors, "checkCrawlErrors");
  shape(await mine.checkCrawlStatus(job.id), types.job, "checkCrawlStatus");
  const old = await mine.crawlUrl("https://cafe.example/", { limit: 1, pollInterval: 1 });
  same(old.status, "completed", "crawlUrl");
}

export async function crawlCancelled({ mine, other }) {
  const job = await mine.startCrawl("https://lab.example/", { limit: 50, delay: 5, ignoreRobotsTxt: false });
  shape(job, types.started, "startCrawl");
  const active = await mine.getActiveCrawls();
  shape(active, types.activeCrawls, "getActiveCrawls");
  check(active.crawls.some((c) => c.id === job.id), "the crawl is among the active ones", active);
  await refused(other.getCrawlStatus(job.id), 403, "FORBIDDEN", "another team's crawl");
  same(await mine.cancelCrawl(job.id), true, "cancelCrawl");
  same((await mine.getCrawlStatus(job.id)).status, "cancelled", "a cancelled crawl");
  await refused(mine.cancelCrawl(job.id), 409, "JOB_FINISHED", "cancelling again");
  const old = await mine.asyncCrawlUrl("https://cafe.example/", { limit: 1 });
  shape(old, types.started, "asyncCrawlUrl");
}

export async function crawlPages({ mine }) {
  const { id } = await mine.startCrawl("https://shop.example/", { limit: 5, sitemap: "only" });
  const job = await until(() => mine.getCrawlStatus(id, { autoPaginate: false }), over, "the crawl's end");
  shape(job, types.job, "getCrawlStatus");
  const most = await mine.getCrawlStatus(id, { autoPaginate: true, maxPages: 3, maxResults: 2, maxWaitTime: 10 });
  check(most.data.length >= 2, "pages are put together", most.data.length);
}

// A watcher listens on a websocket where the runtime has one; the documents must be the same by either way.
export async function crawlWatcher({ mine }) {
  const { id } = await mine.startCrawl(blog, { limit: 3 });
  const seen = await watch(mine.watcher(id, { kind: "crawl", pollInterval: 1, timeout: 60 }));
  same([seen.done?.status, seen.documents.length, seen.errors.length], ["completed", 3, 0], "the watcher of a crawl");
  check(seen.snapshots.length > 0, "a watcher tells how the crawl stands");
}

export async function batchWatcher({ mine }) {
  const { id } = await mine.startBatchScrape(pages, { options: { formats: ["markdown"] } });
  const seen = await watch(mine.watcher(id, { kind: "batch", pollInterval: 1, timeout: 60 }));
  same([seen.done?.status, seen.documents.length, seen.errors.length], ["completed", 2, 0], "the watcher of a batch");
}

async function watch(watcher) {
  const seen = { documents: [], snapshots: [], errors: [] };
  watcher.on("document", (d) => seen.documents.push(d));
  watcher.on("snapshot", (s) => seen.snapshots.push(s));
  watcher.on("error", (e) => seen.errors.push(e));
  watcher.on("done", (d) => (seen.done = d));
  await watcher.start();
  watcher.close();
  return seen;
}

export async function batchWaiter({ mine }) {
  const job = await mine.batchScrape([...pages, "not a url"], {
    options: { formats: ["markdown", "links"], onlyMainContent: true }, ignoreInvalidURLs: true, maxConcurrency: 2, integration: "a-test",
    origin: "clients", pollInterval: 1, timeout: 60,
  });
  shape(job, types.job, "batchScrape");
  same([job.status, job.data.length], ["completed", 2], "a batch of two pages");
  shape(await mine.getBatchScrapeErrors(job.id), types.jobErrors, "getBatchScrapeErrors");
  shape(await mine.checkBatchScrapeErrors(job.id), types.jobErrors, "checkBatchScrapeErrors");
  shape(await mine.checkBatchScrapeStatus(job.id), types.job, "checkBatchScrapeStatus");
  const old = await mine.batchScrapeUrls(pages.slice(0, 1), { pollInterval: 1 });
  same(old.status, "completed", "batchScrapeUrls");
}

// The batch stays at work, as its last page doesn't come for half a minute, until it is cancelled.
export async function batchStarted({ mine }) {
  const options = { idempotencyKey: `clients-${process.pid}`, ignoreInvalidURLs: true };
  const urls = [...pages, "https://lab.example/slow?ms=30000", "not a url"];
  const job = await mine.startBatchScrape(urls, options);
  shape(job, types.started, "startBatchScrape");
  same(job.invalidURLs, ["not a url"], "the URLs that are none");
  await refused(mine.startBatchScrape(urls, options), 409, "IDEMPOTENCY_KEY_REUSED", "the same request under the same idempotency key");
  await refused(mine.startBatchScrape(pages, options), 409, "IDEMPOTENCY_KEY_REUSED", "another request under the key");
  const more = await mine.startBatchScrape(["https://files.example/"], { appendToId: job.id });
  same(more.id, job.id, "what is added to a batch is in it");
  const done = await until(() => mine.getBatchScrapeStatus(job.id, { autoPaginate: false }), (b) => b.completed === 3, "the batch's pages");
  same([done.status, done.total], ["scraping", 4], "a batch at work");
  same(await mine.cancelBatchScrape(job.id), true, "cancelBatchScrape");
  const cancelled = await mine.getBatchScrapeStatus(job.id);
  same([cancelled.status, cancelled.data.length], ["cancelled", 3], "a cancelled batch keeps its documents");
  const old = await mine.asyncBatchScrapeUrls(pages.slice(0, 1));
  shape(old, types.started, "asyncBatchScrapeUrls");
}
