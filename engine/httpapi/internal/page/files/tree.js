// The pages of a crawl as a tree of their addresses: a branch for each part of a path, with its state and the reason for it.
import { h, link, number } from "./dom.js";

const maxNodes = 2000;
const signs = { waiting: "○", done: "✓", failed: "✕", skipped: "–" };

// Tree grows as pages are found. A page that is done or failed stays so.
export class Tree {
	constructor() {
		Object.assign(this, { roots: new Map(), pages: new Map(), counts: {} });
		this.list = h("ul", { class: "branch" });
		this.rest = h("p", { class: "hint", hidden: true });
		this.element = h("div", { class: "tree", tabindex: "0", role: "region", "aria-label": "Pages of the crawl" }, this.list, this.rest);
	}

	// set says how a page stands, and why.
	set(address, state, reason = "") {
		const page = this.page(address);
		if (!page || page.final || page.state === state && page.reason === reason || state === "waiting" && page.state) return;
		this.counts[page.state] = (this.counts[page.state] ?? 0) - 1;
		this.counts[state] = (this.counts[state] ?? 0) + 1;
		Object.assign(page, { state, reason, final: state === "done" || state === "failed" });
		page.sign.textContent = signs[state];
		page.word.textContent = state;
		page.word.className = "badge " + state;
		page.why.textContent = reason;
		page.name.replaceChildren(link(address, page.part));
	}

	// full says that nothing more can come into the tree, and nothing in it waits.
	full() {
		return !this.rest.hidden && !this.counts.waiting;
	}

	// waiting lists the addresses of which nothing has come.
	waiting() {
		return [...this.pages].filter(([, page]) => page.state === "waiting").map(([address]) => address);
	}

	summary() {
		return Object.keys(signs).filter((s) => this.counts[s] > 0).map((s) => `${number(this.counts[s])} ${s}`).join(", ");
	}

	// page finds the branch of an address; undefined where it is no web address, or the tree is full.
	page(address) {
		if (this.pages.has(address)) return this.pages.get(address);
		const parts = partsOf(address);
		if (!parts || this.pages.size >= maxNodes) return void (parts && this.overfull());
		let at = { children: this.roots, list: this.list };
		for (const part of parts) at = branch(at, part);
		this.pages.set(address, at);
		return at;
	}

	overfull() {
		this.rest.hidden = false;
		this.rest.textContent = `… and more: the tree shows ${number(maxNodes)} pages.`;
	}
}

// partsOf gives the host and the parts of the path. The query is part of the last.
function partsOf(address) {
	if (!URL.canParse(address)) return undefined;
	const { protocol, host, pathname, search, hash } = new URL(address);
	if (!/^https?:$/.test(protocol)) return undefined;
	const parts = [host, ...pathname.split("/").filter(Boolean).map((p) => "/" + p)];
	parts[parts.length - 1] += (parts.length > 1 && pathname.endsWith("/") ? "/" : "") + search + hash;
	return parts;
}

// branch finds a child, or makes it at its place in the order of names.
function branch(parent, part) {
	if (parent.children.has(part)) return parent.children.get(part);
	const child = {
		part, children: new Map(), list: h("ul", { class: "branch" }),
		sign: h("span", { class: "sign", "aria-hidden": "true" }, "·"), name: h("span", { class: "name" }, part),
		word: h("span", { class: "word" }), why: h("span", { class: "about" }),
	};
	child.element = h("li", {}, h("p", { class: "page" }, child.sign, child.name, child.word, child.why));
	const later = [...parent.children.values()].filter((c) => c.part > part);
	const next = later.reduce((a, b) => (!a || b.part < a.part ? b : a), undefined);
	parent.list.insertBefore(child.element, next?.element ?? null);
	if (parent.element && !parent.list.parentNode) parent.element.append(parent.list);
	parent.children.set(part, child);
	return child;
}
