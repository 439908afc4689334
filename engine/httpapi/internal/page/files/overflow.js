// Tabs that don't fit: an edge that fades where there are more, and a button on each side that goes there.
import { h } from "./dom.js";

// overflow puts a tablist into a box with the buttons, which are there while it doesn't fit.
export function overflow(list) {
	const box = h("div", { class: "tabs-box" });
	list.replaceWith(box);
	const before = more(list, "‹", "Earlier tabs", -1), after = more(list, "›", "More tabs", 1);
	box.append(before, list, after);
	const look = () => {
		before.hidden = after.hidden = list.scrollWidth <= box.clientWidth;
		able(before, list.scrollLeft > 1);
		able(after, list.scrollLeft < list.scrollWidth - list.clientWidth - 1);
		box.classList.toggle("has-before", able(before));
		box.classList.toggle("has-after", able(after));
	};
	list.addEventListener("scroll", look);
	new ResizeObserver(look).observe(box);
	look();
}

function more(list, sign, name, way) {
	const go = () => list.scrollBy({ left: way * list.clientWidth * 0.7 });
	return h("button", { type: "button", class: "more", "aria-label": name, hidden: true, onclick: go }, sign);
}

// able says and reports whether a button leads anywhere. It keeps the focus when it doesn't.
function able(button, on) {
	if (on !== undefined) button.setAttribute("aria-disabled", String(!on));
	return !button.hidden && button.getAttribute("aria-disabled") === "false";
}
