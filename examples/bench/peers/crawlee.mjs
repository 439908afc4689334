// Crawlee as a peer: "shared" is what it does by default, "incognito" gives each page a context of its own.
import { createInterface } from "node:readline";
import { Configuration, PlaywrightCrawler, log } from "crawlee";

log.setLevel(log.LEVELS.ERROR);

let left = 0, pages = 0, error = "", done = () => {};
const finish = (why) => {
  if (why) error ||= why;
  else pages++;
  if (--left === 0) done();
};

const crawler = new PlaywrightCrawler({
  keepAlive: true,
  minConcurrency: 4,
  maxConcurrency: 4,
  launchContext: {
    useIncognitoPages: process.argv[2] === "incognito",
    launchOptions: { executablePath: process.env.BENCH_BROWSER },
  },
  requestHandler: async ({ page, request }) => {
    const html = await page.content();
    finish(html.includes("row 199") ? "" : `${request.url} is not whole`);
  },
  failedRequestHandler: ({ request }, e) => finish(`${request.url}: ${e.message}`),
}, new Configuration({ persistStorage: false }));
const running = crawler.run();

for await (const line of createInterface({ input: process.stdin })) {
  const round = JSON.parse(line);
  left = round.urls.length;
  pages = 0;
  error = "";
  const all = new Promise((resolve) => { done = resolve; });
  await crawler.addRequests(round.urls);
  await all;
  console.log(JSON.stringify({ pages, error }));
}
await crawler.teardown();
await running;
process.exit(0);
