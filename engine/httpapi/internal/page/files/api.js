// The service: one function that calls it, and the error with what it answered.

const base = new URL("..", import.meta.url);
const slot = "winnow-key";

export const key = {
	get: () => sessionStorage.getItem(slot) ?? "",
	set: (value) => (value ? sessionStorage.setItem(slot, value) : sessionStorage.removeItem(slot)),
};

// Failure is an answer that is an error, or none: then its status is 0.
export class Failure extends Error {
	constructor(status, body, wait) {
		super(body.error || `The service answered with status ${status}.`);
		Object.assign(this, { status, code: body.code ?? "", details: body.details ?? [], id: body.id ?? "", wait });
	}
}

// absolute is the whole address of a path.
export const absolute = (path) => new URL(path, base).href;

const authorization = () => (key.get() ? { authorization: "Bearer " + key.get() } : {});

// call requests a path, such as "v2/scrape", and returns the answer's body with the time it took and its size.
export async function call(method, path, body, signal) {
	const headers = { accept: "application/json", ...authorization() };
	if (body !== undefined) headers["content-type"] = "application/json";
	const began = performance.now();
	let response, text;
	try {
		response = await fetch(absolute(path), { method, headers, signal, credentials: "omit", cache: "no-store", body: body && JSON.stringify(body) });
		text = await response.text();
	} catch (e) {
		if (e.name === "AbortError") throw e;
		throw new Failure(0, { error: "The service cannot be reached." }, 0);
	}
	const answer = { body: parsed(text), status: response.status, took: performance.now() - began, bytes: text.length };
	if (!response.ok || !answer.body) throw new Failure(response.status, answer.body ?? {}, retryAfter(response));
	return answer;
}

const retryAfter = (response) => Number(response.headers.get("retry-after")) || 0;

// follow gives the messages of a job as they come, until it ends.
export async function* follow(path) {
	const headers = { accept: "application/x-ndjson", ...authorization() };
	const response = await fetch(absolute(path), { headers, credentials: "omit", cache: "no-store" });
	if (!response.ok) throw new Failure(response.status, parsed(await response.text()) ?? {}, retryAfter(response));
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	try {
		let rest = "";
		for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
			const whole = (rest + value).split("\n");
			rest = whole.pop();
			yield* whole.filter(Boolean).map((line) => JSON.parse(line));
		}
	} finally {
		reader.cancel(); // for one who leaves early
	}
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

// given leaves out what a form left empty.
export const given = (o) => Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined && v !== "" && !(Array.isArray(v) && v.length === 0)));

// whole reads a number field; undefined when it is empty.
export const whole = (text) => (text === undefined || text === "" ? undefined : Number(text));
