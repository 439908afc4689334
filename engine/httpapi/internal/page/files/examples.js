// Addresses to try, as the server offers them: buttons that fill a form.
import { at, h } from "./dom.js";

// start puts the buttons into the forms.
export function start() {
	const first = at("examples").content.querySelector("button");
	if (!first) return;
	at("console-code").value = `await page.goto(${JSON.stringify(home(first.dataset.url))});\nawait page.title()`;
	for (const row of document.querySelectorAll("[data-examples]")) offer(row);
}

function offer(row) {
	row.append(h("span", { class: "hint" }, "Try"), at("examples").content.cloneNode(true));
	row.hidden = false;
	row.addEventListener("click", (e) => {
		const button = e.target.closest("button");
		if (button) fill[row.dataset.examples](row.closest("form"), button.dataset);
	});
}

const home = (url) => (URL.canParse(url) ? new URL("/", url).href : url);

const fill = {
	scrape(form, { url, formats }) {
		form.elements.url.value = url;
		const wanted = formats.split(" ").filter(Boolean);
		for (const box of form.elements.formats) if (wanted.length) box.checked = wanted.includes(box.value);
		done(form, form.elements.url);
	},
	map(form, { url }) {
		form.elements.url.value = home(url);
		done(form, form.elements.url);
	},
	jobs(form, { url }) {
		const { kind, urls } = form.elements;
		if (kind.value === "crawl") form.elements.url.value = home(url);
		else if (!urls.value.split("\n").includes(url)) urls.value = `${urls.value.trimEnd()}\n${url}`.trimStart();
		done(form, kind.value === "crawl" ? form.elements.url : urls);
	},
};

// done lets the form show the fields of what is chosen now.
function done(form, field) {
	form.dispatchEvent(new Event("change"));
	field.focus();
}
