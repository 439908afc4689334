"use strict";
// The parts that all workers in JavaScript share. A worker is started with the numbers of two file descriptors: lines of JSON come by the
// first and go by the second.
const fs = require("node:fs");
const net = require("node:net");
const util = require("node:util");

const [requests, answers] = [Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 4)];

// writeAll writes to a descriptor at once, however slow its reader is.
function writeAll(fd, text) {
	let data = Buffer.from(text);
	while (data.length > 0) {
		try {
			data = data.subarray(fs.writeSync(fd, data));
		} catch (error) {
			if (error.code !== "EAGAIN") throw error;
		}
	}
}

function answer(message) {
	writeAll(answers, JSON.stringify(message) + "\n");
}

// serve gives each line to handle, one after the other, and ends the process with the lines.
function serve(handle) {
	const input = new net.Socket({ fd: requests, readable: true, writable: false });
	input.setEncoding("utf8");
	let rest = "";
	let turn = Promise.resolve();
	input.on("data", (chunk) => {
		const lines = (rest + chunk).split("\n");
		rest = lines.pop();
		for (const line of lines) turn = turn.then(() => handle(JSON.parse(line))).catch(() => process.exit(1));
	});
	input.on("close", () => process.exit(0));
}

// Tab is the session's browser. It connects again when user code has closed the connection, and takes another tab when the one that it had
// was closed.
class Tab {
	constructor(setup) {
		this.playwright = require(setup.driver);
		this.endpoint = setup.endpoint;
	}

	async connect() {
		if (!this.browser?.isConnected()) {
			// Without a limit, for the runner has one: this process leaves the processor to all others, so that a time of its own would be
			// over on a busy machine while the browser is well.
			this.browser = await this.playwright.chromium.connect(this.endpoint, { timeout: 0 });
			this.current = undefined;
		}
		const contexts = this.browser.contexts();
		if (!contexts.includes(this.context)) this.context = contexts[0];
		if (!this.context) throw new Error("the browser has no context");
		this.current ??= this.context.pages()[0];
	}

	// page stays the same tab as long as that is open; then it is the newest one. When all are closed it stays the last one, whose methods
	// say so.
	get page() {
		if (!this.current || this.current.isClosed()) this.current = this.context.pages().at(-1) ?? this.current;
		return this.current;
	}
}

// trouble is an error of the browser's as the runner wants to hear of it.
function trouble(error) {
	return { error: String(error?.message ?? error).slice(0, 2000), gone: true };
}

// render makes the text of a result: strings as they are, bytes in base64, all else as JSON where that says something.
function render(value) {
	if (value === undefined) return undefined;
	if (typeof value === "string") return value;
	if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
	if (typeof value === "object" && value !== null) return renderObject(value);
	if (typeof value === "number" && !Number.isFinite(value)) return String(value);
	if (typeof value === "bigint" || typeof value === "symbol") return String(value);
	return JSON.stringify(value) ?? String(value);
}

function renderObject(value) {
	if (value instanceof Error) return value.stack ?? String(value);
	if (isDriverObject(value)) return name(value);
	if (value instanceof Map || value instanceof Set) return util.inspect(value, { depth: 2 });
	try {
		const text = JSON.stringify(value, function (key, part) {
			if (isDriverObject(this[key])) return name(this[key]);
			return typeof part === "bigint" ? String(part) : part;
		});
		if (text !== undefined) return text;
	} catch {
		// it refers to itself
	}
	return util.inspect(value, { depth: 2 });
}

// isDriverObject reports whether a value is one of the browser's objects, whose JSON would be their inner state.
function isDriverObject(value) {
	if (typeof value !== "object" || value === null || value.constructor === Object) return false;
	return "_guid" in value || "_frame" in value || "_page" in value;
}

// name says which object of the browser's it is.
function name(value) {
	if (value.toString !== Object.prototype.toString) return String(value);
	const url = typeof value.url === "function" ? " " + value.url() : "";
	return `<${value.constructor.name.replace(/^_+/, "")}${url}>`;
}
