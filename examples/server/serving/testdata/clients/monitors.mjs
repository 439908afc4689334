// Monitors: created, run, read, changed and deleted.

import { check, refused, same, shape, until } from "./check.mjs";

const summary = { totalPages: "number", same: "number", changed: "number", new: "number", removed: "number", error: "number" };
const monitor = {
  id: "string", name: "string", status: ["active", "paused"], schedule: { cron: "string", "text?": "string", timezone: "string" }, nextRunAt: "string|null",
  lastRunAt: "string|null", currentCheckId: "string|null", targets: { list: { id: "string", type: ["scrape", "crawl", "search"] } },
  retentionDays: "number", "lastCheckSummary?": summary, goal: "string|null", judgeEnabled: "boolean", createdAt: "string", updatedAt: "string",
};
const result = { id: "string", monitorId: "string", status: ["running", "completed", "partial", "failed"], trigger: ["scheduled", "manual"], summary,
  createdAt: "string", updatedAt: "string", billingStatus: ["reserved", "confirmed"] };
const page = { id: "string", targetId: "string", url: "string", status: ["same", "new", "changed", "removed", "error"], createdAt: "string" };

export async function monitors({ mine, other }) {
  const made = await mine.createMonitor({
    name: "the shop", schedule: { text: "every 30 minutes", timezone: "UTC" }, retentionDays: 7,
    targets: [{ type: "scrape", urls: ["https://shop.example/", "https://blog.example/"], scrapeOptions: { formats: ["markdown"] } }],
  });
  shape(made, monitor, "createMonitor");
  same([made.schedule.cron, made.targets[0].urls.length], ["*/30 * * * *", 2], "what was created");
  await refused(mine.createMonitor({ name: "a", schedule: { text: "hourly" }, notification: { email: { enabled: true } }, targets: made.targets }), 400, "BAD_REQUEST", "e-mail");
  await refused(other.getMonitor(made.id), 403, "FORBIDDEN", "another team's monitor");
  check((await mine.listMonitors({ limit: 10, offset: 0 })).some((m) => m.id === made.id), "listMonitors has it");

  const first = await mine.runMonitor(made.id);
  shape(first, result, "runMonitor");
  const done = await until(() => mine.getMonitorCheck(made.id, first.id), (c) => c.status !== "running", "the check");
  shape(done, { ...result, pages: { list: page } }, "getMonitorCheck");
  same([done.status, done.summary.new, done.pages.length, done.next], ["completed", 2, 2, null], "the first check");
  const few = await mine.getMonitorCheck(made.id, first.id, { limit: 1, status: "new" });
  same(few.pages.length, 2, "getMonitorCheck reads on");
  const one = await mine.getMonitorCheck(made.id, first.id, { limit: 1, autoPaginate: false });
  check(one.pages.length === 1 && one.next, "getMonitorCheck gives one part", one.next);
  shape(await mine.listMonitorChecks(made.id, { limit: 5 }), { list: result }, "listMonitorChecks");

  const paused = await mine.updateMonitor(made.id, { status: "paused", name: "the other shop", webhook: null, goal: null });
  same([paused.status, paused.name, paused.nextRunAt], ["paused", "the other shop", null], "updateMonitor");
  shape(await mine.getMonitor(made.id), monitor, "getMonitor");
  same(await mine.deleteMonitor(made.id), true, "deleteMonitor");
  await refused(mine.getMonitor(made.id), 404, "NOT_FOUND", "a deleted monitor");
}
