// Maps of sites, and searches.
import { given, whole } from "./api.js";
import { at, h, link, plural, span, values } from "./dom.js";
import { submitting } from "./notice.js";

const most = 2000; // rows that are shown

export function start() {
	const map = at("map-form"), search = at("search-form");
	submitting(map, {
		status: at("map-status"), result: at("map-result"), busy: "Looking for pages …",
		request() {
			const v = values(map);
			return ["POST", "v2/map", given({ url: v.url.trim(), search: v.search.trim(), limit: whole(v.limit), sitemap: v.sitemap, origin: "page" })];
		},
		done({ body, took }) {
			at("map-status").textContent = `${plural(body.links.length, "link")} in ${span(took)}`;
			at("map-result").replaceChildren(warning(body), hits(body.links));
		},
	});
	submitting(search, {
		status: at("search-status"), result: at("search-result"), busy: "Searching …",
		request() {
			const v = values(search, "sources");
			return ["POST", "v2/search", given({ query: v.query.trim(), limit: whole(v.limit), sources: v.sources, origin: "page" })];
		},
		done({ body, took }) {
			const groups = Object.entries(body.data).filter(([, list]) => Array.isArray(list));
			at("search-status").textContent = `${plural(groups.reduce((n, [, list]) => n + list.length, 0), "hit")} in ${span(took)}`;
			at("search-result").replaceChildren(warning(body), ...groups.flatMap(([source, list]) => [h("h3", {}, source), hits(list)]));
		},
	});
}

const warning = (body) => (body.warning ? h("p", { class: "notice" }, body.warning) : "");

// hits lists addresses with what they say of themselves.
function hits(list) {
	if (!list.length) return h("p", { class: "empty" }, "Nothing was found.");
	return h("ol", { class: "hits" }, list.slice(0, most).map((l) => h("li", {}, l.title && h("strong", {}, l.title), link(l.url ?? l.imageUrl ?? ""), (l.description || l.snippet) && h("span", { class: "hint" }, l.description ?? l.snippet))),
		list.length > most && h("li", {}, `… ${plural(list.length - most, "more")}`));
}
