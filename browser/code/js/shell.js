// One shell per call, and the way from the sandbox's loopback to the browser's debugging port, which the browser command speaks to.
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const os = require("node:os");
const path = require("node:path");

const pidFile = path.join(process.env.HOME, ".agent-browser", "default.pid"); // of the browser command's own process
let setup, environment;

// reachable fails when no program answers on the socket.
function reachable(socket) {
	return new Promise((resolve, reject) => {
		const probe = net.connect(socket, () => {
			probe.destroy();
			resolve();
		});
		probe.on("error", reject);
	});
}

// others are the processes that the call has left: all but this one, the sandbox's first, and the browser command's own, which stays
// so that its references to elements stay good.
function others() {
	const own = new Set([1, process.pid, process.ppid]);
	return fs.readdirSync("/proc").map(Number).filter((pid) => {
		if (!(pid > 1) || own.has(pid)) return false;
		try {
			return fs.readlinkSync(`/proc/${pid}/exe`) !== setup.cli;
		} catch {
			return false; // it has ended
		}
	});
}

function kill(pid) {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// it has ended
	}
}

// sweep kills what the call has left, and reports whether it is all gone. That takes seconds on a busy machine. Where it
// isn't gone the worker is replaced, and the browser command's references to elements are lost.
async function sweep(group) {
	if (group) kill(-group);
	if (!setup.alone) return true;
	for (let round = 0; round < 1000; round++) {
		const left = others();
		if (left.length === 0) return true;
		left.forEach(kill);
		await new Promise((resolve) => setTimeout(resolve, round < 50 ? 2 : 10));
	}
	return false;
}

// shell runs the code in a process group of its own.
function shell(code) {
	return new Promise((resolve) => {
		// The code comes by a descriptor: it may be longer than an argument may be.
		const child = spawn(setup.shell, ["--noprofile", "--norc", ...shellWords()], {
			cwd: process.env.HOME, env: environment, detached: true, stdio: ["ignore", 1, 2, "pipe"],
		});
		child.stdio[3].on("error", () => {}); // it has ended without reading
		child.stdio[3].end(code);
		child.on("error", (error) => {
			writeAll(2, String(error) + "\n");
			resolve({ exit: 127 });
		});
		child.on("exit", (exit, signal) => resolve({ exit: exit ?? 128 + os.constants.signals[signal], group: child.pid }));
	});
}

// shellWords are the shell's arguments. In a sandbox nothing gets a session of its own, nor with it a group:
// a first shell makes one for a second. It waits without job control: "wait -f" sometimes turns in circles for ever, on a shell that has ended.
function shellWords() {
	const code = 'eval "$(cat <&3)" 3<&-';
	if (!setup.alone) return ["-c", code];
	return ["-c", 'set -m; "$0" --noprofile --norc -c "$1" & set +m; exec 2>/dev/null 3<&-; wait $!', setup.shell, code];
}

async function run({ id, code, mark }) {
	try {
		await reachable(setup.cdp);
		await wake();
	} catch (error) {
		return answer({ id, ...trouble(error) });
	}
	const { exit, group } = await shell(code);
	const clean = await sweep(group);
	writeAll(1, mark);
	writeAll(2, mark);
	answer({ id, exit, last: !clean });
}

// awake starts the browser command's own process where there is none, and reports whether it answers. Started by a call, that process would
// change the call's pipes. On a busy machine, to which it leaves the processor, it may take seconds.
function awake() {
	return new Promise((resolve) => {
		const child = spawn(setup.cli, ["tab"], { cwd: process.env.HOME, env: environment, stdio: "ignore", timeout: 10000, killSignal: "SIGKILL" });
		child.on("error", () => resolve(false));
		child.on("exit", (exit) => resolve(exit !== null));
	});
}

// wake restarts that process when it doesn't answer: a tab that fails to load a page can bring it to a stop.
async function wake() {
	if (await awake()) return;
	try {
		kill(Number(fs.readFileSync(pidFile, "utf8")));
	} catch {
		return; // it never was there
	}
	await awake();
}

async function prepare(message) {
	setup = message;
	try {
		await reachable(setup.cdp);
		const server = relay("port:0", "unix:" + setup.cdp);
		await once(server, "listening");
		environment = {
			HOME: process.env.HOME, LANG: process.env.LANG, TERM: "dumb",
			PATH: path.dirname(setup.cli) + ":/usr/local/bin:/usr/bin:/bin",
			// The command makes the pipe that it writes to fail when that is full, for all that write to it afterwards: it gets one of its own.
			"BASH_FUNC_agent-browser%%": '() { command agent-browser "$@" | cat; return "${PIPESTATUS[0]}"; }',
			AGENT_BROWSER_CDP: String(server.address().port), AGENT_BROWSER_NO_VERSION_CHECK: "1",
		};
		await wake();
	} catch (error) {
		return answer({ id: 0, ...trouble(error) });
	}
	answer({ id: 0 });
}

serve((message) => (setup ? run(message) : prepare(message)));
