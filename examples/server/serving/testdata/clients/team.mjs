// What a team has used and has at work, and who may ask.

import { check, refused, same, shape } from "./check.mjs";
import * as types from "./types.mjs";

export async function usage({ mine, other }) {
  shape(await mine.getConcurrency(), types.concurrency, "getConcurrency");
  shape(await mine.getQueueStatus(), types.queue, "getQueueStatus");
  shape(await mine.getTokenUsage(), types.tokens, "getTokenUsage");
  shape(await mine.getTokenUsageHistorical(), types.tokenPeriods, "getTokenUsageHistorical");
  const before = await other.getCreditUsage();
  shape(before, types.credits, "getCreditUsage");
  const doc = await other.scrape("https://lab.example/", { maxAge: 0 });
  const after = await other.getCreditUsage();
  same(after.remainingCredits, before.remainingCredits - doc.metadata.creditsUsed, "getCreditUsage after a scrape");
  const history = await other.getCreditUsageHistorical();
  shape(history, types.creditPeriods, "getCreditUsageHistorical");
  await refused(other.getCreditUsageHistorical(true), 400, "BAD_REQUEST", "what single keys have used, which isn't kept");
  check(history.periods.some((p) => p.creditsUsed >= doc.metadata.creditsUsed), "getCreditUsageHistorical tells what was used", history);
}

export async function access({ mine, other, stranger }) {
  await refused(stranger.scrape("https://lab.example/"), 401, "UNAUTHORIZED", "a scrape with an unknown key");
  const doc = await mine.scrape("https://lab.example/");
  await refused(other.interact(doc.metadata.scrapeId, { code: "1" }), 403, "FORBIDDEN", "another team's scrape");
  await refused(mine.interact("0199c0de-0000-7000-8000-000000000000", { code: "1" }), 404, "NOT_FOUND", "a scrape that there isn't");
  await refused(mine.stopInteraction("no-uuid"), 400, "BAD_REQUEST", "an id that is none");
}

// The version before, of which this service has the map alone.
export async function versionOne({ mine }) {
  const { links } = await mine.v1.mapUrl("https://blog.example/", { limit: 5, sitemapOnly: false, ignoreSitemap: true });
  check(links.length > 0 && links.every((l) => typeof l === "string"), "v1.mapUrl gives URLs as strings", links);
}
