// Tabs as the WAI-ARIA practices describe them: one tab stop, arrows move and choose, Home and End.

// tabs makes the buttons of a tablist choose their panels. It gives a function that chooses one by its panel's id.
export function tabs(list, chosen = () => {}) {
	const all = [...list.querySelectorAll("[role=tab]")];
	const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
	function choose(tab, focus) {
		for (const t of all) {
			t.setAttribute("aria-selected", String(t === tab));
			t.tabIndex = t === tab ? 0 : -1;
			panel(t).hidden = t !== tab;
		}
		if (focus) tab.focus();
		if (list.scrollWidth > list.clientWidth) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
		chosen(panel(tab).id);
	}
	list.addEventListener("click", (e) => {
		const tab = e.target.closest("[role=tab]");
		if (tab) choose(tab);
	});
	list.addEventListener("keydown", (e) => {
		const i = all.indexOf(document.activeElement);
		const to = { ArrowRight: i + 1, ArrowLeft: i - 1 + all.length, Home: 0, End: all.length - 1 }[e.key];
		if (i < 0 || to === undefined) return;
		e.preventDefault();
		choose(all[to % all.length], true);
	});
	return (id) => {
		const tab = all.find((t) => t.getAttribute("aria-controls") === id);
		if (tab) choose(tab);
	};
}
