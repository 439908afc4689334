// Drives every method of the official JavaScript client against a server. Arguments come by the environment: CLIENT is the
// folder of the client's package, API the server, KEY and OTHER_KEY keys of two teams. What is wrong is told on stdout, one
// fault a line; the exit status is 1 then.

import { pathToFileURL } from "node:url";
import { check, count, faults, short } from "./check.mjs";
import { called, missing, watched } from "./methods.mjs";
import * as scrape from "./scrape.mjs";
import * as jobs from "./jobs.mjs";
import * as finding from "./finding.mjs";
import * as sessions from "./sessions.mjs";
import * as team from "./team.mjs";
import * as monitors from "./monitors.mjs";

const { API: apiUrl, KEY: apiKey, OTHER_KEY: otherKey, CLIENT: folder } = process.env;
const { Firecrawl } = await import(pathToFileURL(`${folder}/dist/index.js`));
const client = (key) => watched(new Firecrawl({ apiKey: key, apiUrl, maxRetries: 1 }));
const mine = client(apiKey);
const clients = { mine, other: client(otherKey), stranger: client("no-such-key-0123456789") };

// Groups of checks run at once: the client waits a second and more between its looks at a job.
const groups = { ...scrape, ...jobs, ...finding, ...sessions, ...team, ...monitors };
// ONLY and WITHOUT choose among them by name.
const list = (names) => names?.split(",").filter(Boolean) ?? [];
const [only, without] = [list(process.env.ONLY), list(process.env.WITHOUT)];
const chosen = (name) => !without.includes(name) && (only.length === 0 || only.includes(name));
await Promise.all(Object.entries(groups).map(async ([name, run]) => {
  if (!chosen(name)) return;
  const began = Date.now();
  try {
    await run(clients);
  } catch (err) {
    check(false, `${name}: broke off`, `${err.status ?? ""} ${err.code ?? ""} ${err.message} ${short(err.details ?? "")} ${err.stack?.split("\n").slice(1, 4).join(" ")}`);
  }
  if (process.env.TIMES) console.error(`${name}: ${Date.now() - began} ms`);
}));
if (Object.keys(groups).every(chosen)) missing(mine);

for (const fault of faults) console.log(fault);
console.log(`${count()} checks, ${called.size} methods called, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
