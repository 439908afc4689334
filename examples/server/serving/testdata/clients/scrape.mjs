// Scraping and parsing: every format, action and option of the client's types.

import { check, refused, same, shape } from "./check.mjs";
import * as types from "./types.mjs";

const article = "https://blog.example/articles/two-sieves";
const goods = "https://shop.example/products/winnowing-fan";
const prices = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } }, required: ["name"] };

// has checks a document: its type, and that the fields of the formats are there.
function has(doc, fields, what) {
  shape(doc, types.document, what);
  for (const name of fields) check(doc[name] !== undefined && doc[name] !== "", `${what}: ${name} is missing`, doc.warning ?? Object.keys(doc));
  return doc;
}

export async function plainFormats({ mine }) {
  const doc = has(await mine.scrape(article, {
    formats: ["markdown", "html", "rawHtml", "links", "images", { type: "attributes", selectors: [{ selector: "main a", attribute: "href" }] }],
  }), ["markdown", "html", "rawHtml", "links", "images", "attributes"], "plain formats");
  same(doc.metadata.sourceURL, article, "sourceURL");
  check(doc.attributes[0].values.length > 0, "attributes have values", doc.attributes);
  has(await mine.scrapeUrl(article), ["markdown"], "scrapeUrl");
  const raw = await mine.scrape(article, { formats: ["rawBase64"] });
  check(Buffer.from(raw.rawBase64, "base64").includes("<html"), "rawBase64 is the body", raw.rawBase64);
}

export async function modelFormats({ mine }) {
  const asked = [
    "summary", { type: "json", schema: prices, prompt: "what it costs" }, { type: "question", question: "What does it cost?" },
    { type: "highlights", query: "price" },
  ];
  const doc = has(await mine.scrape(goods, { formats: asked }), ["summary", "json", "answer", "highlights"], "formats of a model");
  same(typeof doc.json.name, "string", "json is of the schema");
  for (const mode of ["freeform", "directQuote"]) {
    has(await mine.scrape(goods, { formats: [{ type: "query", prompt: "the price", mode }] }), mode === "freeform" ? ["answer"] : [], `query ${mode}`);
  }
}

export async function thingsForSale({ mine }) {
  const doc = has(await mine.scrape(goods, { formats: ["product"] }), ["product"], "product");
  check(doc.product.variants.length > 0, "a product has variants", doc.product);
  const card = has(await mine.scrape("https://cafe.example/", { formats: ["menu"] }), ["menu"], "menu");
  check(card.menu.isMenu && card.menu.sections.length > 0, "a menu has sections", card.menu);
}

export async function media({ mine }) {
  const sound = await mine.scrape("https://blog.example/articles/the-sound-of-threshing", { formats: ["audio"] });
  has(sound, ["audio"], "audio");
  const film = await mine.scrape("https://blog.example/articles/the-east-wind", { formats: ["video"] });
  has(film, ["video"], "video");
}

export async function looks({ mine }) {
  const doc = has(await mine.scrape("https://shop.example/", {
    formats: ["branding", { type: "screenshot", fullPage: true, quality: 60, viewport: { width: 800, height: 600 } }], onlyMainContent: false,
  }), ["branding", "screenshot"], "branding and screenshot");
  check(doc.screenshot.startsWith("data:image/jpeg"), "a screenshot with quality is a JPEG", doc.screenshot);
}

export async function changes({ mine }) {
  const format = { type: "changeTracking", modes: ["git-diff", "json"], tag: "clients", prompt: "what is new", schema: { type: "object", properties: { count: { type: "string" } } } };
  const options = { formats: ["markdown", format], maxAge: 0 };
  const first = has(await mine.scrape("https://lab.example/changing", options), ["changeTracking"], "changeTracking, the first time");
  same(first.changeTracking.changeStatus, "new", "the first time");
  const second = has(await mine.scrape("https://lab.example/changing", options), ["changeTracking"], "changeTracking");
  same(second.changeTracking.changeStatus, "changed", "the second time");
  check(second.changeTracking.diff?.includes("@@"), "diff is a unified diff", second.changeTracking);
}

export async function actions({ mine }) {
  const { actions: done } = has(await mine.scrape("https://app.example/form", {
    actions: [
      { type: "wait", milliseconds: 50 }, { type: "wait", selector: "form" }, { type: "click", selector: "[name=remarks]" }, { type: "write", text: "Ada" },
      { type: "press", key: "Tab" }, { type: "click", selector: "#order button" }, { type: "scroll", direction: "down" }, { type: "scroll", direction: "up", selector: "form" },
      { type: "screenshot", fullPage: false, quality: 50, viewport: { width: 640, height: 480 } }, { type: "scrape" },
      { type: "executeJavascript", script: "document.title" }, { type: "pdf", format: "A4", landscape: true, scale: 0.8 },
    ],
  }), ["markdown", "actions"], "actions");
  check(done?.scrapes?.[0]?.html.includes("Ordered: 10 kg of Rye, whole. Ada"), "the form was filled in and sent", done?.scrapes);
  for (const [name, want] of Object.entries({ screenshots: 1, scrapes: 1, javascriptReturns: 1, pdfs: 1 })) {
    same(done?.[name]?.length, want, `actions.${name}`);
  }
}

export async function options({ mine }) {
  const doc = has(await mine.scrape("https://lab.example/echo", {
    formats: ["markdown"], headers: { "x-asked-by": "a client" }, includeTags: ["main"], excludeTags: ["nav"], onlyMainContent: false, timeout: 30_000,
    waitFor: 10, mobile: true, location: { country: "DE", languages: ["de-DE"] }, skipTlsVerification: false, removeBase64Images: true, blockAds: true,
    proxy: "basic", maxAge: 0, storeInCache: false, profile: { name: "clients", saveChanges: false }, integration: "a-test", origin: "clients",
  }), ["markdown"], "all options");
  check(/a client/.test(doc.markdown), "the header was sent", doc.markdown);
  check(/de-DE/.test(doc.markdown), "the language was asked for", doc.markdown);
  await mine.scrape("https://lab.example/", { maxAge: 3_600_000 });
  const again = await mine.scrape("https://lab.example/", { lockdown: true, autoResume: false, timeout: 10_000 });
  same(again.metadata.cacheState, "hit", "lockdown is served from the cache");
  await refused(mine.scrape("https://lab.example/never-seen", { minAge: 1 }), 404, "SCRAPE_NO_CACHED_DATA", "minAge without a copy");
  await refused(mine.scrape("not a url"), 400, "BAD_REQUEST", "no URL");
}

// What the client can ask for and this service hasn't is refused by name, not passed over.
export async function refusals({ mine }) {
  const none = {
    fastMode: true, redactPII: true, threatProtection: { mode: "normal" }, auditMetadata: { username: "x" }, useMock: "x", domainTools: true, toolDetail: "full",
  };
  for (const [name, value] of Object.entries(none)) {
    const err = await refused(mine.scrape("https://lab.example/", { [name]: value }), 400, "BAD_REQUEST", name);
    same(err?.details?.[0]?.path, [name], `the refusal of ${name} names it`);
  }
}

export async function files({ mine }) {
  const pdf = await mine.scrape("https://files.example/report.pdf", { parsers: [{ type: "pdf", mode: "fast", maxPages: 2, pages: true, blocks: true, pageMarkers: true }] });
  has(pdf, ["markdown", "pages", "blocks"], "a PDF");
  const page = "<title>A page</title><main><h1>Heading</h1><p>Words enough for a page.</p></main>";
  const forms = { text: page, bytes: new TextEncoder().encode(page), buffer: Buffer.from(page), blob: new Blob([page]) };
  for (const [name, data] of Object.entries(forms)) {
    const doc = await mine.parse({ data, filename: "page.html", contentType: "text/html" }, { formats: ["markdown", "html", "links"] });
    has(doc, ["markdown", "html", "links"], `parse of ${name}`);
  }
  const table = await mine.parse({ data: "a,b\n1,2\n", filename: "table.csv" });
  check(table.markdown.includes("| a"), "a CSV becomes a table", table.markdown);
  has(await mine.parse({ data: page, filename: "page.html" }, {
    formats: ["markdown", { type: "json", schema: prices }], onlyMainContent: true, includeTags: ["main"], excludeTags: ["nav"], timeout: 20_000, parsers: ["pdf"],
    removeBase64Images: true, proxy: "auto", headers: { "x-a": "b" }, skipTlsVerification: true, blockAds: false, integration: "a-test", origin: "clients",
  }), ["markdown", "json"], "parse with all options");
  await refused(mine.parse({ data: new Uint8Array([0, 1, 2, 3]), filename: "x.unknown" }), 400, "UNSUPPORTED_FILE_TYPE", "a file of no known type");
}
