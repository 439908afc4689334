// Drives the nodes of @mendable/n8n-nodes-firecrawl against a server. The nodes are declarative: what n8n does with them, this file does in
// little: it takes the values that a person gives, or the defaults, resolves the expressions, and sends the request that comes of it.
// Arguments come by the environment: MODULES is the folder of the packages, API is the server, KEY a key. What is wrong is told on stdout,
// one fault a line; the exit status is 1 then.

import Module, { createRequire } from "node:module";
import { check, count, faults, same, short } from "./check.mjs";

const { MODULES: folder, API: apiUrl, KEY: apiKey } = process.env;
const base = `${apiUrl}/v2`;

// The nodes need one function of n8n itself.
const load = Module._load;
Module._load = (name, ...rest) => name === "n8n-workflow" ? { sleep: (ms) => new Promise((then) => setTimeout(then, ms)) } : load(name, ...rest);
const { Firecrawl } = createRequire(import.meta.url)(`${folder}/@mendable/n8n-nodes-firecrawl/dist/nodes/Firecrawl/Firecrawl.node.js`);
const node = new Firecrawl().description;

// resolve evaluates the expressions in a value: a text that begins with "=" is one, or has some in braces. As in n8n, one that fails on what
// isn't there is undefined.
function resolve(value, $value) {
  if (Array.isArray(value)) return value.map((one) => resolve(one, $value));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolve(v, $value)]));
  if (typeof value !== "string" || !value.startsWith("=")) return value;
  const evaluate = (code) => {
    try {
      return new Function("$value", `return (${code})`)($value);
    } catch (err) {
      if (!(err instanceof TypeError)) throw err;
    }
  };
  const whole = /^=\{\{([^]*)\}\}$/.exec(value);
  if (whole && !whole[1].includes("{{")) return evaluate(whole[1]);
  return value.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code) => evaluate(code));
}

// shown reports whether a property is there for some values.
function shown({ displayOptions: { show = {}, hide = {} } = {} }, values) {
  const holds = ([name, list]) => list.includes(values[name]);
  return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
}

// routeAll goes through a property and those that are given within it: of a collection, or of a group of a fixed one.
function routeAll(p, value, route) {
  route(p.routing, value);
  const within = (properties, values) => properties.filter((one) => values?.[one.name] !== undefined).forEach((one) => routeAll(one, values[one.name], route));
  if (p.type === "collection") within(p.options, value);
  if (p.type === "fixedCollection") for (const group of p.options) if (!Array.isArray(value?.[group.name])) within(group.values, value?.[group.name]);
}

// request is what n8n sends for some values.
async function request(values) {
  values = { useCustomBody: false, ...values };
  let options = { method: "GET", url: "", body: structuredClone(node.requestDefaults.body), headers: { ...node.requestDefaults.headers } };
  const hooks = [];
  const route = (routing, value) => {
    if (!routing) return;
    const { body, qs, ...head } = resolve(routing.request ?? {}, value);
    Object.assign(options, head);
    Object.assign(options.body, body);
    options.qs = { ...options.qs, ...qs };
    hooks.push(...(routing.send?.preSend ?? []));
    const { type, property } = routing.send ?? {};
    if (type === "body") options.body[property] = value;
    if (type === "query") options.qs[property] = value;
  };
  for (const p of node.properties.filter((p) => p.type !== "notice" && shown(p, values))) {
    const value = values[p.name] ?? p.default;
    if (p.type === "options") route(p.options.find((o) => o.value === value)?.routing, value);
    routeAll(p, value, route);
  }
  for (const hook of hooks) options = await hook.call({ getNodeParameter: (name, otherwise) => values[name] ?? otherwise, getNode: () => node }, options);
  return options;
}

// run sends it, and gives the answer's body.
async function run(resource, operation, values = {}, status = 200) {
  const where = `n8n: ${resource}, ${operation}`;
  try {
    const { method, url, body, headers, qs } = await request({ resource, operation, ...values });
    const query = new URLSearchParams(Object.entries(qs ?? {}).filter(([, v]) => v !== undefined && v !== "")).toString();
    const got = await fetch(base + url + (query && `?${query}`), {
      method, headers: { ...headers, Authorization: `Bearer ${apiKey}` }, body: method === "GET" ? undefined : JSON.stringify(body),
    });
    const answer = await got.json();
    check(got.status === status, `${where}: want ${status}, not ${got.status} of ${method} ${url} ${short(body)}`, answer);
    return answer;
  } catch (err) {
    check(false, `${where}: broke off`, err.stack);
    return {};
  }
}

async function ended(resource, operation, values) {
  for (let i = 0; i < 600; i++) {
    const { status } = await run(resource, operation, values);
    if (!["scraping", "processing"].includes(status)) return status;
    await new Promise((then) => setTimeout(then, 100));
  }
}

const mill = "https://shop.example/products/hand-mill";
const scraped = await run("Scraping", "scrape", { url: mill });
check(scraped.data?.markdown?.includes("Hand mill"), "n8n: a page by the defaults", scraped);
const rich = await run("Scraping", "scrape", {
  url: mill, parsers: ["pdf"],
  scrapeOptions: { options: { formats: { format: [{ type: "links" }, { type: "html" }] }, onlyMainContent: true, waitFor: 0, timeout: 30000, excludeTags: { items: [] } } },
});
check(rich.success, "n8n: a page with options", rich);
const batch = await run("Scraping", "batchScrape", { urls: [mill], url: mill });
if (batch.id) same(await ended("Scraping", "batchScrapeStatus", { batchId: batch.id, id: batch.id, jobId: batch.id }), "completed", "n8n: a batch");
const crawl = await run("Crawling", "crawl", { url: "https://cafe.example/", limit: 2 });
if (crawl.id) same(await ended("Crawling", "getCrawlStatus", { crawlId: crawl.id, id: crawl.id, jobId: crawl.id }), "completed", "n8n: a crawl");
await run("Crawling", "crawlActive");
const map = await run("MapSearch", "map", { url: "https://cafe.example/" });
check(map.links?.length > 0, "n8n: a map", map);
// Not crawlParamsPreview: the nodes send a GET, to which no server has an answer.
const extract = await run("Extract", "extract", { urls: { items: [{ url: mill }] }, prompt: "the name", schema: '{"type":"object","properties":{"name":{"type":"string"}}}' });
if (extract.id) same(await ended("Extract", "getExtractStatus", { extractId: extract.id, id: extract.id, jobId: extract.id }), "completed", "n8n: an extraction");
const agent = await run("Agent", "agentAsync", { prompt: "Find what the hand mill is called.", urls: { items: [{ url: mill }] } });
if (agent.id) same(await ended("Agent", "getAgentStatus", { agentId: agent.id, id: agent.id, jobId: agent.id }), "completed", "n8n: an agent");
await run("MapSearch", "search", { query: "mill" });
for (const operation of ["teamCreditUsage", "creditUsageHistorical", "teamTokenUsage", "teamTokenUsageHistorical", "teamQueueStatus"]) await run("Account", operation);

for (const fault of faults) console.log(fault);
console.log(`${count()} checks, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
