// Browser sessions, and what goes on in them.

import { check, refused, same, shape } from "./check.mjs";
import * as types from "./types.mjs";

// What code can be written in here, beside node's: Python and the browser command aren't everywhere.
const languages = process.env.LANGUAGES?.split(",") ?? [];

export async function interact({ mine }) {
  const { metadata } = await mine.scrape("https://app.example/form", { formats: ["markdown"] });
  const id = metadata.scrapeId;
  const first = await mine.interact(id, { code: "globalThis.seen = 41; console.log(await page.title()); seen + 1", timeout: 60 });
  shape(first, types.execution, "interact");
  same([first.success, first.result], [true, "42"], "the value of the last expression");
  const again = await mine.scrapeExecute(id, { code: "seen", language: "node", origin: "clients" });
  same(again.result, "41", "variables last");
  for (const [language, code] of Object.entries({ python: "print(page.url)", bash: "agent-browser get url" })) {
    if (!languages.includes(language)) continue;
    const seen = await mine.interact(id, { code, language, timeout: 60 });
    check(seen.stdout?.includes("app.example"), `${language} sees the page`, seen);
  }
  const asked = await mine.interact(id, { prompt: "Tell what the page is called." });
  shape(asked, types.execution, "interact with a prompt");
  same([asked.success, typeof asked.output], [true, "string"], "a prompt's outcome");
  const wrong = await mine.interact(id, { code: "throw new Error('on purpose')" });
  check(!wrong.success && wrong.exitCode !== 0 && /on purpose/.test(wrong.error), "code that fails", wrong);
  shape(await mine.stopInteraction(id), types.sessionEnd, "stopInteraction");
  shape(await mine.stopInteractiveBrowser(id), types.sessionEnd, "stopInteractiveBrowser");
  shape(await mine.deleteScrapeBrowser(id), types.sessionEnd, "deleteScrapeBrowser");
  await refused(mine.interact(id, { code: "1" }), 410, "SESSION_DESTROYED", "interacting after the stop");
}

export async function browser({ mine, other }) {
  const session = await mine.browser({ ttl: 120, activityTtl: 60, streamWebView: true, profile: { name: "clients-browser", saveChanges: false }, integration: "a-test", origin: "clients" });
  shape(session, types.session, "browser");
  const shell = languages.includes("bash"); // the client's default
  const ran = await mine.browserExecute(session.id, shell ? { code: "agent-browser get url", timeout: 60 } : { code: "page.url()", language: "node" });
  shape(ran, types.execution, "browserExecute");
  same(ran.success, true, "code in a session");
  const listed = await mine.listBrowsers({ status: "active" });
  shape(listed, types.sessions, "listBrowsers");
  check(listed.sessions.some((s) => s.id === session.id), "the session is listed", listed);
  check(!(await other.listBrowsers()).sessions.some((s) => s.id === session.id), "another team's list");
  await refused(other.deleteBrowser(session.id), 403, "FORBIDDEN", "another team's session");
  shape(await mine.deleteBrowser(session.id), types.sessionEnd, "deleteBrowser");
}
