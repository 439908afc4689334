// What the checks share: what is wrong is collected, so that one run tells all of it.

export const faults = [];
let made = 0;

export const count = () => made;

// check notes a fault unless the condition holds.
export function check(holds, what, found) {
  made++;
  if (!holds) faults.push(found === undefined ? what : `${what}: ${short(found)}`);
  return Boolean(holds);
}

export const same = (got, want, what) => check(JSON.stringify(got) === JSON.stringify(want), `${what}: want ${short(want)}`, got ?? null);

// shape checks a value against a description: the name of a type ("string", "number|null", "any"), a list of allowed
// words, {list: …}, {map: …}, or an object of fields, whose names end in "?" when they may be absent.
export function shape(value, want, where) {
  if (typeof want === "string") return ofType(value, want, where);
  if (Array.isArray(want)) return check(want.includes(value), `${where}: want one of ${want.join(", ")}`, value ?? null);
  if (want.list) {
    if (!check(Array.isArray(value), `${where}: want a list`, value ?? null)) return;
    value.forEach((item, i) => shape(item, want.list, `${where}[${i}]`));
    return;
  }
  if (!check(value !== null && typeof value === "object" && !Array.isArray(value), `${where}: want an object`, value ?? null)) return;
  if (want.map) {
    for (const [name, item] of Object.entries(value)) shape(item, want.map, `${where}.${name}`);
    return;
  }
  for (const [name, inner] of Object.entries(want)) {
    const key = name.replace(/\?$/, "");
    if (name.endsWith("?") && value[key] === undefined) continue;
    shape(value[key], inner, `${where}.${key}`);
  }
}

function ofType(value, want, where) {
  const is = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  check(want === "any" ? value !== undefined : want.split("|").includes(is), `${where}: want ${want}`, value ?? is);
}

// refused checks that a call fails with that status and code.
export async function refused(promise, status, code, what) {
  try {
    const got = await promise;
    check(false, `${what}: want ${status} ${code}, not an answer`, got);
  } catch (err) {
    check(err.status === status && err.code === code, `${what}: want ${status} ${code}`, `${err.status} ${err.code} ${err.message}`);
    return err;
  }
}

// until asks again every 100 ms until an answer will do.
export async function until(ask, will, what, tries = 600) {
  let got;
  for (let i = 0; i < tries; i++) {
    got = await ask();
    if (will(got)) return got;
    await new Promise((then) => setTimeout(then, 100));
  }
  check(false, `${what}: never came`, got);
  return got;
}

export function short(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text;
}
