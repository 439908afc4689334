// Maps, searches, extractions and agents.

import { check, same, shape, until } from "./check.mjs";
import * as types from "./types.mjs";

const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const over = (job) => job.status !== "processing";

export async function map({ mine }) {
  const all = await mine.map("https://shop.example/", {
    sitemap: "include", includeSubdomains: true, ignoreQueryParameters: true, limit: 20, timeout: 20_000, integration: "a-test", origin: "clients",
  });
  shape(all, types.map, "map");
  check(all.links.some((l) => l.url.includes("/products/")), "a map has the products", all.links);
  const found = await mine.mapUrl("https://blog.example/", { search: "sieves", sitemap: "skip" });
  check(found.links[0]?.url.includes("sieves"), "a map with a search has the best link first", found.links);
}

export async function mapFromElsewhere({ mine }) {
  const { links } = await mine.map("https://cafe.example/", { sitemap: "skip", location: { country: "DE" } });
  check(links.length > 0, "a map seen from a country", links);
}

export async function search({ mine }) {
  await mine.scrape("https://blog.example/articles/mice");
  const found = await until(() => mine.search("cats and mice in the loft", { limit: 3 }), (r) => r.web?.length > 0, "a page in the index");
  shape(found, types.search, "search");
  check(found.web[0].url.includes("/articles/mice"), "the best result is first", found.web);
  const all = await mine.search("cats and mice in the loft", {
    limit: 2, sources: ["web"], tbs: "qdr:y", ignoreInvalidURLs: true, timeout: 20_000, integration: "a-test", origin: "clients",
  });
  shape(all, types.search, "search with options");
  const read = await mine.search("cats and mice in the loft", { limit: 1, includeDomains: ["blog.example"], scrapeOptions: { formats: ["markdown", "links"] } });
  check(read.web?.[0]?.markdown?.includes("cats"), "a result with its page", read.web);
  const none = await mine.search("cats and mice in the loft", { excludeDomains: ["blog.example"] });
  check(!none.web?.some((r) => r.url.includes("blog.example")), "a host that is left out", none.web);
  // What clients give by habit and only a search engine of the web can honour, a warning names.
  for (const [name, value] of Object.entries({ location: "Germany", country: "de" })) {
    const { warning, web } = await mine.search("cats", { [name]: value });
    check(warning?.includes(`Without effect: ${name}`) && web, `search with ${name}`, warning);
  }
}

export async function preview({ mine }) {
  const params = await mine.crawlParamsPreview("https://blog.example/", "only the articles, at most seven pages");
  shape(params, types.crawlParams, "crawlParamsPreview");
  const job = await mine.startCrawl("https://blog.example/", { prompt: "only the articles, at most seven pages", limit: 2 });
  shape(job, types.started, "startCrawl with a prompt");
}

export async function extract({ mine }) {
  const asked = {
    urls: ["https://shop.example/products/hand-mill"], prompt: "what it is called", schema: form, systemPrompt: "Be exact.", allowExternalLinks: false,
    enableWebSearch: false, showSources: true, ignoreInvalidURLs: true, integration: "a-test", origin: "clients", scrapeOptions: { onlyMainContent: true },
  };
  const begun = await mine.startExtract(asked);
  shape(begun, types.extractStarted, "startExtract");
  const done = await until(() => mine.getExtractStatus(begun.id), over, "the extraction's end");
  shape(done, types.extract, "getExtractStatus");
  same(typeof done.data?.name, "string", "what was extracted");
  const waited = await mine.extract({ urls: asked.urls, prompt: asked.prompt, pollInterval: 1, timeout: 60 });
  same(waited.status, "completed", "extract");
}

export async function agent({ mine }) {
  const asked = {
    prompt: "Find what the hand mill is called.", urls: ["https://shop.example/products/hand-mill"], schema: form, maxCredits: 100,
    strictConstrainToURLs: true, model: "spark-1-mini", effort: "low", integration: "a-test", origin: "clients",
  };
  const done = await mine.agent({ ...asked, pollInterval: 1, timeout: 60 });
  shape(done, types.agent, "agent");
  same([done.status, typeof done.data?.name], ["completed", "string"], "an agent's result");
  const { id } = await mine.startAgent({ prompt: "Wait for nothing.", urls: ["https://lab.example/slow?ms=30000"] });
  same(await mine.cancelAgent(id), true, "cancelAgent");
  shape(await mine.getAgentStatus(id), types.agent, "getAgentStatus");
  const list = await mine.listAgents();
  shape(list, types.agents, "listAgents");
  check(list.agents.some((a) => a.id === id), "the agent is in the list", list);
  same((await mine.listAgents({ before: 1 })).agents, [], "agents before the first");
}

export async function agentTrace({ mine }) {
  const { id } = await mine.startAgent({ prompt: "Find what the hand mill is called.", urls: ["https://shop.example/products/hand-mill"] });
  await until(() => mine.getAgentStatus(id), over, "the agent's end");
  const trace = await mine.getAgentTrace(id, { liveView: true });
  shape(trace, types.trace, "getAgentTrace");
  const made = trace.events.find((e) => e.type === "artifact.updated");
  if (!check(made, "a trace tells what was made", trace.events.map((e) => e.type))) return;
  const snapshot = await mine.getAgentSnapshot(id, made.artifact.snapshotId);
  shape(snapshot, types.snapshot, "getAgentSnapshot");
}
