// Drives what others have built on the official JavaScript client against a server: LangChain's loader, which speaks the first version, and
// the tools of firecrawl-aisdk. Arguments come by the environment: LANGCHAIN and AISDK are the folders of the packages, API is the server,
// KEY a key. What is wrong is told on stdout, one fault a line; the exit status is 1 then.

import { check, count, faults, same } from "./check.mjs";

const { LANGCHAIN: langchain, AISDK: aisdk, API: apiUrl, KEY: apiKey } = process.env;
const mill = "https://shop.example/products/hand-mill";

async function loader() {
  const { FireCrawlLoader } = await import(`file://${langchain}/@langchain/community/dist/document_loaders/web/firecrawl.js`);
  const load = (url, mode, params) => new FireCrawlLoader({ apiKey, apiUrl, url, mode, params }).load();
  const [page] = await load(mill, "scrape");
  check(page.pageContent.includes("Hand mill") && page.metadata.sourceURL === mill, "langchain: a page", page);
  const site = await load("https://cafe.example/", "crawl", { limit: 2 });
  check(site.length > 0 && site.every((d) => d.pageContent), "langchain: a crawl", site);
  const links = await load("https://cafe.example/", "map", { limit: 3 });
  check(links.length > 0 && JSON.parse(links[0].pageContent).startsWith("https://cafe.example/"), "langchain: a map", links);
}

async function tools() {
  const { FirecrawlTools } = await import(`file://${aisdk}/firecrawl-aisdk/dist/index.js`);
  const { scrape, search, map, crawl } = FirecrawlTools({ apiKey, apiUrl, all: true });
  const page = await scrape.execute({ url: mill });
  check(page.markdown?.includes("Hand mill"), "aisdk: scrape", page);
  const answer = await scrape.execute({ url: mill, formats: [{ type: "query", prompt: "What is it called?" }] });
  check(answer.metadata?.statusCode === 200, "aisdk: scrape with a query", answer);
  const found = await search.execute({ query: "mill" });
  check(!found.error, "aisdk: search", found);
  const links = await map.execute({ url: "https://cafe.example/" });
  check(links.links?.length > 0, "aisdk: map", links);
  const job = await crawl.execute({ url: "https://cafe.example/", limit: 1 });
  same([job.status ?? "started", Boolean(job.error)], [job.status ?? "started", false], "aisdk: crawl");
}

for (const run of [loader, tools]) {
  try {
    await run();
  } catch (err) {
    check(false, `${run.name}: broke off`, err.stack);
  }
}
for (const fault of faults) console.log(fault);
console.log(`${count()} checks, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
