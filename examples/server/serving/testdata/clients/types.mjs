// The result types of the JavaScript client, as far as this service has them: what stands without "?" the client promises
// to its users, so the service has to fill it.

const variant = {
  "id?": "string", "sku?": "string", "title?": "string", "values?": "object",
  "price?": { amount: "number", "currency?": "string", "formatted?": "string" },
  "sale?": { originalPrice: { amount: "number" } },
  availability: { inStock: "boolean", "text?": "string" },
  "images?": { list: { url: "string", "alt?": "string" } },
};

export const product = {
  title: "string", "brand?": "string", "category?": "string", url: "string", "description?": "string", variants: { list: variant },
};

const item = {
  id: "string", name: "string", "description?": "string", images: { list: { url: "string", "alt?": "string" } },
  "price?": { amount: "number", "currency?": "string", "formatted?": "string" },
  availability: { inStock: "boolean", "text?": "string" }, dietary: { list: "string" }, "calories?": "number",
  optionGroups: { list: "any" }, identifiers: { "merchantItemId?": "string" }, "url?": "string", sourceUrl: "string",
};

export const menu = {
  isMenu: "boolean", confidence: "number", merchant: { name: "string", "type?": "string|null", "location?": "any" },
  "currency?": "string|null", sections: { list: { id: "string", name: "string", "description?": "string", items: { list: item } } },
  sourceUrl: "string",
};

const button = { "background?": "string", "textColor?": "string", "borderColor?": "string", "borderRadius?": "string" };

// Line heights are strings here, by the specification of the service; the client calls them numbers.
export const branding = {
  "colorScheme?": ["light", "dark"], "brandName?": "string", "logo?": "string|null", "fonts?": { list: { family: "string" } },
  "colors?": { map: "string" },
  "typography?": {
    "fontFamilies?": { map: "string" }, "fontStacks?": { map: { list: "string" } }, "fontSizes?": { map: "string" },
    "lineHeights?": { map: "string" }, "fontWeights?": { map: "number" },
  },
  "spacing?": { "baseUnit?": "number", "borderRadius?": "string", "padding?": { map: "number" }, "margins?": { map: "number" }, "gridGutter?": "number" },
  "components?": { "buttonPrimary?": button, "buttonSecondary?": button, "input?": "object" },
  "icons?": { map: "string" }, "images?": { map: "string|null" }, "animations?": { map: "string" }, "layout?": "object",
  "tone?": { map: "string" },
  "personality?": {
    tone: ["professional", "playful", "modern", "traditional", "minimalist", "bold"], energy: ["low", "medium", "high"], targetAudience: "string",
  },
};

const texts = [
  "title", "description", "url", "language", "robots", "ogTitle", "ogDescription", "ogUrl", "ogImage", "ogAudio", "ogDeterminer",
  "ogLocale", "ogSiteName", "ogVideo", "favicon", "dcTermsCreated", "dcDateCreated", "dcDate", "dcTermsType", "dcType", "dcTermsAudience",
  "dcTermsSubject", "dcSubject", "dcDescription", "dcTermsKeywords", "modifiedTime", "publishedTime", "articleTag", "articleSection",
  "contentType", "timezone", "cachedAt", "error",
];

// All fields are optional to the client; those of every document of this service stand without "?".
export const metadata = {
  ...Object.fromEntries(texts.map((name) => [`${name}?`, "string"])),
  "keywords?": "string|list", "ogLocaleAlternate?": { list: "string" }, sourceURL: "string", statusCode: "number", scrapeId: "string",
  "numPages?": "number", "totalPages?": "number", "proxyUsed?": ["basic", "stealth"], cacheState: ["hit", "miss", "bypass"], creditsUsed: "number",
  "concurrencyLimited?": "boolean", "concurrencyQueueDurationMs?": "number",
};

const block = {
  id: "string", type: "string", label: "string|null", bbox: "list|null", content: "string", markdownSpan: "list|null", readingOrder: "number",
  source: "string|null", confidence: { layout: "number|null", ocr: "number|null" },
};

export const document = {
  "markdown?": "string", "html?": "string", "rawHtml?": "string", "json?": "any", "summary?": "string", metadata, "links?": { list: "string" },
  "images?": { list: "string" }, "screenshot?": "string", "audio?": "string", "video?": "string",
  "attributes?": { list: { selector: "string", attribute: "string", values: { list: "string" } } },
  "actions?": {
    "screenshots?": { list: "string" }, "scrapes?": { list: { url: "string", html: "string" } },
    "javascriptReturns?": { list: { type: "string", value: "any" } }, "pdfs?": { list: "string" },
  },
  "answer?": "string", "highlights?": "string", "warning?": "string",
  "changeTracking?": {
    previousScrapeAt: "string|null", changeStatus: ["new", "same", "changed", "removed"], visibility: ["visible", "hidden"],
    "diff?": "string", "json?": "object",
  },
  "branding?": branding, "product?": product, "menu?": menu, "pages?": { list: { pageNumber: "number", markdown: "string" } },
  "blocks?": { list: { pageNumber: "number", width: "number|null", height: "number|null", status: "string", items: { list: block } } },
};

export const started = { id: "string", url: "string", "invalidURLs?": { list: "string" } };

export const job = {
  id: "string", status: ["scraping", "completed", "failed", "cancelled"], total: "number", completed: "number", creditsUsed: "number",
  expiresAt: "string", "next?": "string|null", data: { list: document },
};

export const jobErrors = {
  errors: { list: { id: "string", "timestamp?": "string", url: "string", "code?": "string", error: "string" } }, robotsBlocked: { list: "string" },
};

export const activeCrawls = {
  success: "boolean", crawls: { list: { id: "string", teamId: "string", url: "string", "options?": "object|null" } },
};

export const crawlParams = {
  url: "string", "includePaths?": { list: "string" }, "excludePaths?": { list: "string" }, "maxDepth?": "number", "maxDiscoveryDepth?": "number",
  "crawlEntireDomain?": "boolean", "allowExternalLinks?": "boolean", "allowSubdomains?": "boolean", "sitemap?": ["skip", "include", "only"],
  "ignoreQueryParameters?": "boolean", "ignoreRobotsTxt?": "boolean", "deduplicateSimilarURLs?": "boolean", "robotsUserAgent?": "string",
  "delay?": "number", "limit?": "number",
};

export const map = { id: "string", links: { list: { url: "string", "title?": "string", "description?": "string" } } };

const web = { url: "string", "title?": "string", "description?": "string", "position?": "number", "category?": "string", "markdown?": "string", "metadata?": metadata };

export const search = { "warning?": "string", "web?": { list: web }, "news?": { list: "object" }, "images?": { list: "object" } };

export const extractStarted = { success: "boolean", id: "string" };

export const extract = {
  success: "boolean", status: ["processing", "completed", "failed", "cancelled"], "data?": "any", "error?": "string", "warning?": "string",
  "sources?": "object", expiresAt: "string", creditsUsed: "number",
};

export const agent = {
  success: "boolean", status: ["processing", "completed", "failed", "cancelled"], "error?": "string", "data?": "any", "model?": "string",
  "effort?": ["low", "medium", "high"], expiresAt: "string", creditsUsed: "number",
};

export const agents = {
  success: "boolean", "next?": "string",
  agents: {
    list: {
      id: "string", createdAt: "string", targetHint: "string", origin: "string", "integration?": "string",
      settings: { hidden: "boolean", starred: "boolean", "label?": "string" }, status: ["processing", "completed", "failed", "cancelled"],
      "options?": { "urls?": { list: "string" }, prompt: "string", "schema?": "any", model: "string", "effort?": ["low", "medium", "high"] },
    },
  },
};

export const session = {
  success: "boolean", id: "string", cdpUrl: "string", liveViewUrl: "string", interactiveLiveViewUrl: "string", expiresAt: "string",
};

export const sessions = {
  success: "boolean",
  sessions: {
    list: {
      id: "string", status: "string", cdpUrl: "string", liveViewUrl: "string", "interactiveLiveViewUrl?": "string", streamWebView: "boolean",
      createdAt: "string", lastActivity: "string",
    },
  },
};

export const execution = {
  success: "boolean", "cdpUrl?": "string", "liveViewUrl?": "string", "interactiveLiveViewUrl?": "string", "output?": "string", stdout: "string",
  "result?": "string|null", stderr: "string", exitCode: "number", killed: "boolean", "error?": "string",
};

export const sessionEnd = { success: "boolean", sessionDurationMs: "number", creditsBilled: "number" };

export const concurrency = { concurrency: "number", maxConcurrency: "number" };

export const queue = {
  success: "boolean", jobsInQueue: "number", activeJobsInQueue: "number", waitingJobsInQueue: "number", maxConcurrency: "number",
  mostRecentSuccess: "string|null",
};

export const credits = {
  remainingCredits: "number", planCredits: "number", "billingPeriodStart?": "string|null", "billingPeriodEnd?": "string|null",
};

export const creditPeriods = {
  success: "boolean", periods: { list: { startDate: "string|null", endDate: "string|null", "apiKey?": "string", creditsUsed: "number" } },
};

export const tokens = {
  remainingTokens: "number", planTokens: "number", "billingPeriodStart?": "string|null", "billingPeriodEnd?": "string|null",
};

export const tokenPeriods = {
  success: "boolean", periods: { list: { startDate: "string|null", endDate: "string|null", "apiKey?": "string", tokensUsed: "number" } },
};

const event = {
  schemaVersion: "number", eventId: "string", runId: "string", occurredAt: "string", producerSequence: "number",
  agent: { id: "string", role: ["orchestrator", "subagent", "browser", "system"], name: "string", "parentId?": "string" },
  type: [
    "run.started", "run.cancel_requested", "run.finished", "agent.started", "agent.finished", "browser.session.started", "browser.session.finished",
    "progress.reported", "reasoning.summary", "tool_call.started", "tool_call.finished", "artifact.updated", "error.occurred",
  ],
};

export const trace = { success: "boolean", id: "string", events: { list: event }, creditsUsed: "number", "activeBrowserSessions?": "list" };

export const snapshot = { success: "boolean", id: "string", snapshotId: "string", snapshot: "string" };
