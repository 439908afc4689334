// The browser's objects for the Python worker, which is this program's parent. Objects stay here and go there as numbers.
const objects = new Map(); // by number
const numbers = new WeakMap();
const pending = new Map(); // promises that are asked for later, by number
let tab, last = 0;

// encode makes JSON of a value: {"$h", "$t"} is an object of the browser's, {"$b"} bytes, {"$n"} a number that JSON doesn't know.
function encode(value, depth = 0) {
	if (depth > 100) throw new Error("the value is nested too deeply");
	if (value === undefined || value === null) return null;
	if (typeof value === "number") return Number.isFinite(value) ? value : { $n: String(value) };
	if (typeof value === "bigint") return { $n: String(value) };
	if (typeof value !== "object") return typeof value === "function" ? null : value;
	if (value instanceof Uint8Array) return { $b: Buffer.from(value).toString("base64") };
	if (Array.isArray(value)) return value.map((item) => encode(item, depth + 1));
	if (value instanceof Date || value instanceof URL || value instanceof RegExp) return value instanceof Date ? value.toISOString() : String(value);
	if (value instanceof Error) return String(value);
	if (value instanceof Map) return encode(Object.fromEntries(value), depth + 1);
	if (value instanceof Set) return encode([...value], depth + 1);
	if (isDriverObject(value)) return { $h: number(value), $t: kind(value) };
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, depth + 1)]));
}

function number(object) {
	let id = numbers.get(object);
	if (!id || !objects.has(id)) {
		id = ++last;
		numbers.set(object, id);
		objects.set(id, object);
	}
	return id;
}

// kind is the name of an object's class; the driver's bundle may have added to it.
function kind(object) {
	return object.constructor.name.replace(/^_+|\d+$/g, "");
}

// decode is encode's inverse; {"$re"} is a regular expression, and {"$f"} the source of a function for the page.
function decode(value) {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(decode);
	if ("$h" in value) return find(value.$h);
	if ("$b" in value) return Buffer.from(value.$b, "base64");
	if ("$re" in value) return new RegExp(value.$re, value.$flags);
	if ("$f" in value) return script(value.$f);
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
}

function find(id) {
	const object = id === "tab" ? tab : objects.get(id);
	if (!object) throw new Error("the object isn't there any more");
	return object;
}

// script is an expression, or a function that the driver takes for one with that source.
function script(source) {
	if (!/^\s*(async\b\s*)?(function\b|\([^)]*\)\s*=>|[\w$]+\s*=>)/.test(source)) return source;
	const stand = () => {};
	stand.toString = () => source;
	return stand;
}

// perform does what a message asks: a method is called, a property read; with later, the answer is a promise's number.
function perform({ on, call, args, later }) {
	const object = find(on);
	if (call === "") return pending.get(args[0]);
	const member = object[call];
	const value = typeof member === "function" ? member.apply(object, decode(args)) : member;
	if (!later) return value;
	const id = ++last;
	const promise = Promise.resolve(value);
	promise.catch(() => {}); // its error is reported when it is awaited
	pending.set(id, promise);
	return id;
}

async function handle(message) {
	if (!tab) return prepare(message);
	for (const id of message.drop) objects.delete(id);
	try {
		await tab.connect();
		answer({ value: encode(await perform(message)) });
		if (message.call === "") pending.delete(message.args[0]);
	} catch (error) {
		answer({ error: String(error?.message ?? error).slice(0, 10000), name: error?.name });
	}
}

async function prepare(setup) {
	try {
		tab = new Tab(setup);
		await tab.connect();
		answer({ id: 0 });
	} catch (error) {
		answer({ id: 0, ...trouble(error) });
	}
}

process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
serve(handle);
