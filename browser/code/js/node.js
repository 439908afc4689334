// JavaScript. V8's own mode for consoles gives await everywhere, names that may be declared again, and the last expression's value.
const inspector = require("node:inspector");
const { Writable } = require("node:stream");

const load = require, program = process; // user code may assign the global names
const session = new inspector.Session();
const sink = {};
let sinkId, tab, maxResult, failed;

function post(method, params) {
	return new Promise((resolve, reject) => {
		session.post(method, params, (error, result) => (error ? reject(new Error(error.message)) : resolve(result)));
	});
}

// local is the value that the inspector speaks of, in an object: the value may be a promise.
async function local(remote) {
	const argument = {};
	for (const key of ["objectId", "unserializableValue", "value"]) if (key in remote) argument[key] = remote[key];
	const functionDeclaration = "function (value) { this.value = value; }";
	await post("Runtime.callFunctionOn", { objectId: sinkId, functionDeclaration, arguments: [argument] });
	const { value } = sink;
	delete sink.value;
	return { value };
}

async function evaluate(code) {
	const expression = code + "\n//# sourceURL=code.js";
	const { result, exceptionDetails } = await post("Runtime.evaluate", { expression, replMode: true, awaitPromise: true, objectGroup: "call" });
	try {
		if (exceptionDetails) throw (await local(exceptionDetails.exception ?? result)).value;
		const { value } = await local(result);
		return await value;
	} finally {
		await post("Runtime.releaseObjectGroup", { objectGroup: "call" });
	}
}

// complain writes an uncaught error, without the frames of this program.
function complain(error) {
	failed = true;
	let text = error instanceof Error ? error.stack || String(error) : "Uncaught " + util.inspect(error);
	const own = text.search(/\n\s+at (Session\.post \(node:inspector|.*\(?\[stdin\])/);
	if (own >= 0) text = text.slice(0, own);
	if (error?.code === "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING" || /import statement outside a module/.test(text)) {
		text = String(error) + '\nThere is no import here: use require("...").';
	}
	writeAll(2, text + "\n");
}

// status is what a program of the code alone would end with: the process goes on, with the next code.
function status() {
	const chosen = program.exitCode & 255;
	program.exitCode = undefined;
	return failed ? 1 : chosen;
}

async function run({ id, code, mark }) {
	failed = false;
	let result;
	try {
		await tab.connect();
	} catch (error) {
		return answer({ id, ...trouble(error) });
	}
	try {
		result = render(await evaluate(code));
	} catch (error) {
		complain(error);
	}
	await new Promise(setImmediate); // uncaught rejections are reported now
	writeAll(1, mark);
	writeAll(2, mark);
	if (failed) result = undefined;
	answer({ id, exit: status(), result: result?.slice(0, maxResult) });
}

// define makes a name that user code may declare or assign again.
function define(name, get) {
	const value = (value) => Object.defineProperty(globalThis, name, { configurable: true, enumerable: true, writable: true, value });
	Object.defineProperty(globalThis, name, { configurable: true, enumerable: true, get, set: value });
}

// output is a stream that has written when write returns. Node's own for pipes write later when their reader is slow.
function output(fd) {
	const stream = new Writable({
		decodeStrings: false,
		write(chunk, encoding, done) {
			writeAll(fd, typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
			done();
		},
	});
	return Object.assign(stream, { fd });
}

async function prepare(setup) {
	maxResult = setup.max;
	try {
		tab = new Tab(setup);
		await tab.connect();
	} catch (error) {
		return answer({ id: 0, ...trouble(error) });
	}
	session.connect();
	const key = "sink" + process.hrtime.bigint();
	globalThis[key] = sink;
	sinkId = (await post("Runtime.evaluate", { expression: key })).result.objectId;
	delete globalThis[key];
	for (const name of ["page", "context", "browser"]) define(name, () => tab[name]);
	for (const [name, fd] of [["stdout", 1], ["stderr", 2]]) Object.defineProperty(process, name, { configurable: true, value: output(fd) });
	// The usual console passes each line to the inspector, which keeps them.
	globalThis.console = new (load("node:console").Console)({ stdout: process.stdout, stderr: process.stderr });
	globalThis.require = Object.assign((name) => (/^playwright(-core)?$/.test(name) ? tab.playwright : load(name)), load);
	process.on("uncaughtException", complain);
	process.on("unhandledRejection", complain);
	answer({ id: 0 });
}

let prepared = false;
serve((message) => {
	if (prepared) return run(message);
	prepared = true;
	return prepare(message);
});
