// Tries to get out of a session through its driver, and writes what came of each try as JSON. Arguments: the package of the driver, the session's
// socket, and a JSON object of what is aimed at.
"use strict";

const [library, endpoint, aims] = process.argv.slice(2);
const { chromium } = require(library);
const { secret, folder, forbidden, allowed } = JSON.parse(aims);
const told = {};

// attempt gives a try six seconds; what has to succeed has as long as a busy machine takes.
async function attempt(name, act, limit = 6000) {
	let timer;
	const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no end")), limit)));
	try {
		told[name] = String(await Promise.race([act(), late]));
	} catch (error) {
		told[name] = "failed: " + String(error.message).slice(0, 300);
	}
	clearTimeout(timer);
}

const pages = new Map(); // of contexts: making one is slow

const patience = 120000;

async function shown(context, address, timeout = 4000) {
	if (!pages.has(context)) pages.set(context, await context.newPage());
	const page = pages.get(context);
	for (let tries = 0; ; tries++) {
		try {
			await page.goto(address, { timeout });
			return await page.evaluate(() => document.documentElement.innerText);
		} catch (error) {
			if (tries > 20 || !String(error.message).includes("interrupted")) throw error; // by the page that tells of the error before
			await new Promise((done) => setTimeout(done, 50));
		}
	}
}

const cdpDownload = async (browser, page) => {
	const cdp = await browser.newBrowserCDPSession();
	await cdp.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
	await page.goto(allowed);
	await page.evaluate(() => {
		const a = document.createElement("a");
		a.href = "data:application/octet-stream,got";
		a.download = "out";
		a.click();
	});
	await new Promise((done) => setTimeout(done, 500));
	return "asked";
};

const cdpContext = async (browser) => {
	const cdp = await browser.newBrowserCDPSession();
	for (const proxyServer of ["direct://", forbidden]) {
		const { browserContextId } = await cdp.send("Target.createBrowserContext", { proxyServer });
		await cdp.send("Target.createTarget", { url: forbidden + "/cdp", browserContextId });
		await cdp.send("Target.createTarget", { url: "file://" + secret, browserContextId });
	}
	await new Promise((done) => setTimeout(done, 500));
	return "asked";
};

const upload = async (page) => {
	await page.goto("about:blank");
	await page.setContent("<input type=file>");
	const frame = page.mainFrame();
	await frame._channel.setInputFiles({ selector: "input", localPaths: [secret], strict: false, timeout: 500 });
	return await page.evaluate(() => document.querySelector("input").files[0].text());
};

let saver; // a page that may download

const download = async (browser, path) => {
	if (!saver) {
		saver = await (await browser.newContext({ acceptDownloads: true })).newPage();
		await saver.goto(allowed);
	}
	const page = saver;
	const [one] = await Promise.all([
		page.waitForEvent("download", { timeout: 4000 }),
		page.evaluate(() => {
			const a = document.createElement("a");
			a.href = "data:application/octet-stream,got";
			a.download = "out";
			a.click();
		}),
	]);
	await one._artifact._channel.saveAs({ path });
	return "saved";
};

const har = async (browser) => {
	const context = await browser.newContext();
	const options = { content: "embed", path: folder + "/out.har", harPath: folder + "/out.har" };
	const { harId } = await context.tracing._channel.harStart({ options });
	await shown(context, allowed);
	const answer = await context.tracing._channel.harExport({ harId, mode: "archive" });
	await answer.artifact._channel?.saveAs?.({ path: folder + "/out.har" });
	return "exported";
};

const video = async (browser) => {
	const context = await browser._channel.newContext({ recordVideo: { dir: folder, size: { width: 100, height: 100 } } });
	return context ? "recorded" : "no";
};

async function main() {
	const browser = await chromium.connect(endpoint);
	const context = browser.contexts()[0];
	const page = context.pages()[0];
	await attempt("control: an allowed site", () => shown(context, allowed, patience), patience);
	await attempt("control: a file that is inside", () => shown(context, "file:///opt/session/relay.js", patience), patience);
	for (const file of [secret, "/etc/passwd", "/proc/1/environ", "/proc/1/root" + secret, folder])
		await attempt("file " + file, () => shown(context, "file://" + file));
	for (const address of [forbidden + "/page", "http://[::1]:3128/", "http://169.254.169.254/"])
		await attempt("page " + address, () => shown(context, address));
	for (const server of [forbidden, "direct://"])
		await attempt("proxy " + server, async () => shown(await browser.newContext({ proxy: { server } }), forbidden + "/proxy"));
	await attempt("request", async () => (await context.request.get(forbidden + "/request", { timeout: 3000 })).text());
	await attempt("request through another proxy", async () =>
		(await (await browser.newContext({ proxy: { server: forbidden } })).request.get(forbidden + "/request", { timeout: 3000 })).text());
	await attempt("upload", () => upload(page));
	await attempt("download", () => download(browser, folder + "/out.bin"));
	await attempt("download to the sockets", () => download(browser, "/run/session/out.bin"));
	await attempt("download to the scripts", () => download(browser, "/opt/session/cli.js"));
	await attempt("har", () => har(browser));
	await attempt("video", () => video(browser));
	await attempt("another browser", () => browser.browserType()._channel.launch({ executablePath: "/bin/sh", args: ["-c", "cat " + secret], timeout: 3000 }));
	await attempt("raw download behaviour", () => cdpDownload(browser, page));
	await attempt("raw contexts", () => cdpContext(browser));
	for (const one of browser.contexts()) if (one !== context) await one.close();
	console.log(JSON.stringify(told));
	process.exit(0);
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
