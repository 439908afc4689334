
"use strict";
(() => {
	const at = (id) => document.getElementById(id);
	const screen = at("screen"), stage = at("stage"), keys = at("keys"), address = at("address");
	const pen = screen.getContext("2d");
	const mac = /Mac|iPhone|iPad/.test(navigator.platform);
	const size = { width: 0, height: 0 }; // of the picture, in the page's own pixels
	let socket, control = false, ended = false, said = "connecting", wait = 500, drawn = Promise.resolve(), notices;

	// What is said above the picture. Everything that comes from the page is set as text.
	const phases = { connecting: "Connecting …", live: "Live", ended: "Ended" };
	function setPhase(phase, more) {
		if (phase === "live" && !size.width) phase = "connecting"; // until the first picture is drawn there is nothing to operate
		at("state").dataset.phase = phase;
		at("state").textContent = phases[phase] + (phase === "live" && control ? ", you control it" : "") + (more ? ": " + more : "");
		stage.classList.toggle("stale", phase !== "live");
	}
	function setPlace(url, title) {
		at("title").textContent = title;
		at("url").textContent = url;
		screen.setAttribute("aria-label", "The browser's page: " + (title || url));
		document.title = (title || url || "Live view").slice(0, 200);
		if (document.activeElement !== address) address.value = url;
	}
	function notify(text) {
		at("notice").textContent = text;
		clearTimeout(notices);
		notices = setTimeout(() => { at("notice").textContent = ""; }, 6000);
	}

	// The connection.
	function connect() {
		const base = location.href.replace(/[?#].*$/, "").replace(/\/$/, "").replace(/^http/, "ws");
		socket = new WebSocket(base + "/socket");
		socket.binaryType = "arraybuffer";
		socket.onmessage = (e) => {
			wait = 500;
			typeof e.data === "string" ? hear(JSON.parse(e.data)) : draw(e.data);
		};
		socket.onclose = lost;
	}
	function send(message) {
		if (ended) return;
		if (socket.readyState === WebSocket.OPEN) return socket.send(JSON.stringify(message));
		if (message.type !== "seen" && message.input?.kind !== "move") notify("There is no connection; what was done meanwhile is lost.");
	}
	function hear(m) {
		switch (m.type) {
		case "hello": return setMode(m.control, m.steer);
		case "state": setPhase(said = m.phase); return setPlace(m.url, m.title);
		case "notice": return notify(m.text);
		case "ended": return end(m.reason);
		}
	}
	function end(reason) {
		ended = true;
		setPhase("ended", reason);
		setMode(false, false);
		socket.close();
	}
	// A connection that breaks is made again, unless the address is known no more.
	async function lost() {
		if (ended) return;
		setPhase(said = "connecting");
		await new Promise((done) => setTimeout(done, wait));
		wait = Math.min(wait * 2, 10000);
		const known = await fetch(location.href, { method: "HEAD", cache: "no-store" }).then((r) => r.status !== 404, () => true);
		known ? connect() : end("the address is known no more");
	}
	function setMode(operate, steer) {
		control = operate;
		stage.classList.toggle("control", operate);
		keys.hidden = at("tools").hidden = !operate;
		at("steer").hidden = !steer;
		at("where").hidden = false;
	}
	// Pictures are drawn in order, and acknowledged when they are seen.
	function draw(data) {
		const head = new DataView(data);
		const width = head.getUint16(0), height = head.getUint16(2);
		const picture = createImageBitmap(new Blob([new Uint8Array(data, 4)], { type: "image/jpeg" }));
		drawn = drawn.then(async () => {
			try {
				const image = await picture;
				if (screen.width !== image.width || screen.height !== image.height) [screen.width, screen.height] = [image.width, image.height];
				pen.drawImage(image, 0, 0);
				image.close();
				[size.width, size.height] = [width, height];
				if (at("state").dataset.phase === "connecting") setPhase(said);
			} catch { /* the next one */ }
			send({ type: "seen" });
		});
	}

	// The mouse.
	const names = ["left", "middle", "right", "back", "forward"];
	const held = (e) => (e.altKey ? 1 : 0) | (e.ctrlKey || (mac && e.metaKey) ? 2 : 0) | (e.metaKey && !mac ? 4 : 0) | (e.shiftKey ? 8 : 0);
	const act = (input) => { if (control && size.width) send({ type: "input", input }); };
	function place(e) {
		const box = screen.getBoundingClientRect();
		const inside = (v, most) => Math.max(0, Math.min(most - 1, v));
		return { x: inside((e.clientX - box.left) * size.width / box.width, size.width), y: inside((e.clientY - box.top) * size.height / box.height, size.height) };
	}
	let moved, framed = false, pressed = 0;
	function flushMove() {
		framed = false;
		if (moved) act(moved);
		moved = null;
	}
	function move(e) {
		if (e.target !== screen && !pressed) return;
		moved = { kind: "move", ...place(e), buttons: e.buttons, modifiers: held(e) };
		if (!framed) { framed = true; requestAnimationFrame(flushMove); }
	}
	function button(kind, e) {
		flushMove();
		act({ kind, ...place(e), button: names[e.button] || "left", buttons: e.buttons, clicks: Math.min(3, Math.max(1, e.detail)), modifiers: held(e) });
	}
	screen.addEventListener("mousedown", (e) => {
		if (!control) return;
		e.preventDefault();
		keys.focus({ preventScroll: true });
		pressed = e.buttons;
		button("down", e);
	});
	addEventListener("mouseup", (e) => {
		if (!pressed) return;
		pressed = e.buttons;
		button("up", e);
	});
	addEventListener("mousemove", move);
	screen.addEventListener("contextmenu", (e) => { if (control) e.preventDefault(); });
	screen.addEventListener("wheel", (e) => {
		if (!control) return;
		e.preventDefault();
		const unit = [1, 16, size.height][e.deltaMode];
		act({ kind: "wheel", ...place(e), deltaX: e.deltaX * unit, deltaY: e.deltaY * unit, modifiers: held(e) });
	}, { passive: false });

	// Fingers: a tap clicks, a drag scrolls.
	let touch = null;
	screen.addEventListener("pointerdown", (e) => {
		if (e.pointerType === "mouse" || !control || !e.isPrimary) return;
		e.preventDefault();
		touch = { ...place(e), from: place(e), dragged: false };
	});
	screen.addEventListener("pointermove", (e) => {
		if (!touch || e.pointerType === "mouse" || !e.isPrimary) return;
		const now = place(e), scale = size.width / screen.clientWidth;
		if (!touch.dragged && Math.hypot(now.x - touch.from.x, now.y - touch.from.y) < 8 * scale) return;
		act({ kind: "wheel", ...touch.from, deltaX: touch.x - now.x, deltaY: touch.y - now.y });
		touch = { ...touch, ...now, dragged: true };
	});
	screen.addEventListener("pointerup", (e) => {
		if (!touch || e.pointerType === "mouse" || !e.isPrimary) return;
		if (!touch.dragged) {
			act({ kind: "move", ...touch.from });
			act({ kind: "down", ...touch.from, button: "left", buttons: 1, clicks: 1 });
			act({ kind: "up", ...touch.from, button: "left", clicks: 1 });
		}
		touch = null;
	});
	screen.addEventListener("pointercancel", () => { touch = null; });
	// Without this, a finger would be a mouse too.
	for (const kind of ["touchstart", "touchend"]) screen.addEventListener(kind, (e) => { if (control) e.preventDefault(); }, { passive: false });

	// Keys go through a field that is always empty but for one character, which lets a phone's keyboard delete.
	const blank = "\u200b";
	const empty = () => { keys.value = blank; keys.setSelectionRange(1, 1); };
	const down = new Map();
	const composing = (e) => e.isComposing || ["Process", "Unidentified", "Dead"].includes(e.key);
	const text = (e) => {
		const graph = e.getModifierState("AltGraph");
		return [...e.key].length === 1 && (graph || !(e.ctrlKey || e.metaKey) && (mac || !e.altKey)) ? e.key : "";
	};
	const plain = (e) => (e.getModifierState("AltGraph") || mac && e.altKey && text(e) ? held(e) & 12 : held(e));
	const named = (e) => (mac && e.key === "Meta" ? "Control" : e.key);
	keys.addEventListener("keydown", (e) => {
		if (composing(e)) return;
		if (e.key === "Escape" && e.shiftKey) { lift(); e.preventDefault(); at("type").focus(); return; }
		if ((e.ctrlKey || e.metaKey) && !e.altKey && e.key.toLowerCase() === "v") return; // "paste" follows
		e.preventDefault();
		const key = { key: named(e), code: e.code.slice(0, 64) };
		down.set(e.code, key);
		act({ kind: "press", ...key, text: text(e), repeat: e.repeat, modifiers: plain(e) });
	});
	keys.addEventListener("keyup", (e) => {
		const key = down.get(e.code);
		if (!key) return;
		e.preventDefault();
		down.delete(e.code);
		act({ kind: "lift", ...key, modifiers: held(e) });
		if (mac && e.key === "Meta") lift(); // of keys beside it no end is told
	});
	function lift() {
		for (const key of down.values()) act({ kind: "lift", ...key });
		down.clear();
	}
	function stroke(key) {
		for (const kind of ["press", "lift"]) act({ kind, key, code: key });
	}
	keys.addEventListener("blur", lift);
	keys.addEventListener("focus", empty);
	keys.addEventListener("beforeinput", (e) => {
		if (e.isComposing) return;
		const key = e.inputType.startsWith("delete") ? "Backspace" : e.inputType === "insertLineBreak" || e.inputType === "insertParagraph" ? "Enter" : "";
		if (key) { e.preventDefault(); stroke(key); }
	});
	keys.addEventListener("input", (e) => { if (!e.isComposing) flushText(); });
	keys.addEventListener("compositionend", () => setTimeout(flushText));
	function flushText() {
		insert(keys.value.replaceAll(blank, ""));
		empty();
	}
	function insert(all) {
		const characters = [...all];
		if (characters.length > 50000) notify("Only the first 50,000 characters were sent.");
		if (characters.length) act({ kind: "text", text: characters.slice(0, 50000).join("") });
	}
	keys.addEventListener("paste", (e) => {
		e.preventDefault();
		insert(e.clipboardData.getData("text/plain"));
	});
	at("type").addEventListener("click", () => keys.focus());

	// The address and the history.
	at("steer").addEventListener("submit", (e) => {
		e.preventDefault();
		const wanted = address.value.trim();
		if (!wanted) return;
		send({ type: "goto", address: /^(https?:|data:|about:)/i.test(wanted) ? wanted : "https://" + wanted });
		address.blur();
	});
	for (const [id, steps] of [["back", -1], ["forward", 1], ["reload", 0]]) {
		at(id).addEventListener("click", () => send({ type: "travel", steps }));
	}
	connect();
})();
