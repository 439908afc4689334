// The key, and the box in which a person gives it. The box has a place of its own on the page: it covers nothing.
import { key } from "./api.js";
import { at } from "./dom.js";

// start calls changed when another key is used.
export function start(changed) {
	const button = at("key"), form = at("key-form");
	button.addEventListener("click", () => (form.hidden ? open() : close(true)));
	form.addEventListener("submit", (e) => {
		e.preventDefault();
		use(at("key-value").value.trim(), changed);
	});
	at("key-forget").addEventListener("click", () => use("", changed));
	document.addEventListener("keydown", (e) => { if (e.key === "Escape" && !form.hidden) close(true); });
	// A click, not the press before it: what is clicked moves when the box goes.
	const outside = (e) => !form.contains(e.target) && !button.contains(e.target);
	document.addEventListener("click", (e) => { if (!form.hidden && outside(e)) close(false); });
	show();
}

function show() {
	at("key-state").textContent = key.get() ? "API key set" : "No API key";
}

function open() {
	at("key-form").hidden = false;
	at("key").setAttribute("aria-expanded", "true");
	at("key-value").focus();
}

function close(back) {
	at("key-form").hidden = true;
	at("key-value").value = "";
	at("key").setAttribute("aria-expanded", "false");
	if (back) at("key").focus();
}

function use(secret, changed) {
	key.set(secret);
	show();
	close(true);
	changed();
}
