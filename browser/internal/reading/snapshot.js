// What a page shows, as rows of an accessibility tree, and what is asked about the elements that have got a number in it. It runs in a
// world of its own, where the page's scripts have changed nothing and see nothing of it; but forms and the document show elements under
// their names in any world, so what the page could cover is read by its getter. What is kept of a document lies under key.
// ops: rows, about, fit, focus, choose, scroll, place.
([key, op, ...args]) => {
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (o) => get.call(o);
  };
  const method = (type, name) => {
    const run = type.prototype[name];
    return (o, ...args) => run.apply(o, args);
  };
  const [typeOf, childrenOf, parentOf, connected] = ["nodeType", "childNodes", "parentNode", "isConnected"].map((name) => getter(Node, name));
  const [shadowOf, nameOf, elementSlot] = ["shadowRoot", "localName", "assignedSlot"].map((name) => getter(Element, name));
  const slotOf = (n) => (n instanceof Element ? elementSlot(n) : n.assignedSlot);
  const [attribute, matches, closest, checkVisibility, boxOf, intoView, scrollBy, put, rects] =
    ["getAttribute", "matches", "closest", "checkVisibility", "getBoundingClientRect", "scrollIntoView", "scrollBy", "setAttribute", "getClientRects"].map((name) => method(Element, name));
  const [widthOf, heightOf, leftOf, topOf] = ["clientWidth", "clientHeight", "clientLeft", "clientTop"].map((name) => getter(Element, name));
  const [rootOf, contains, fire] = [method(Node, "getRootNode"), method(Node, "contains"), method(EventTarget, "dispatchEvent")];
  const focus = (e) => (e instanceof SVGElement ? SVGElement : HTMLElement).prototype.focus.call(e);
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const style = (e) => getComputedStyle(e);
  const state = (globalThis[key] ??= { numbers: new WeakMap(), elements: new Map(), frames: [], secret: new WeakSet() });

  const fold = (s, most = 300) => {
    s = String(s ?? "").slice(0, 4 * most).replace(/\s+/g, " ").trim();
    return s.length > most ? s.slice(0, most) + "…" : s;
  };
  const isHTML = (e) => e instanceof HTMLElement;
  const typeName = (e) => (e instanceof HTMLInputElement ? e.type : "");
  const above = (e) => slotOf(e) || parentOf(e) || e.host;
  const over = (e) => { const p = above(e); return p instanceof Element ? p : p && p.host; };
  const labels = (e) => {
    const type = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement].find((t) => e instanceof t);
    return type ? [...(getter(type, "labels")(e) || [])] : [];
  };
  const hasArea = (e) => { const b = boxOf(e); return b.width > 0 && b.height > 0; };
  const visible = (e) => hasArea(e) && style(e).visibility === "visible" && checkVisibility(e);
  // What is clicked in the stead of an invisible element, as for checkboxes that a page redraws.
  const target = (e) => (visible(e) && +style(e).opacity > 0 ? e : labels(e).find(visible) || e);

  // Hidden: from people's eyes, by whatever means that leaves the text in the document.
  const clipped = (e, s) => {
    if (s.position === "absolute" || s.position === "fixed") {
      if (/^rect\(0(px)?,? ?0(px)?,? ?0(px)?,? ?0(px)?\)$|^rect\(1px,? ?1px,? ?1px,? ?1px\)$/.test(s.clip)) return true;
    }
    if (/^inset\((50|100)%/.test(s.clipPath) || /^circle\(0/.test(s.clipPath)) return true;
    if (s.overflowX === "visible" || s.display === "inline" || s.display === "contents") return false;
    const b = boxOf(e);
    return b.width <= 1 || b.height <= 1;
  };
  const faint = (s) => parseFloat(s.fontSize) < 3 || /^rgba\(.*, 0\)$/.test(s.color) && !/text/.test(s.backgroundClip);
  const shownText = (n, parent) => {
    if (!parent) return "";
    const s = style(parent);
    if (s.visibility !== "visible" || faint(s)) return "";
    const range = document.createRange();
    range.selectNodeContents(n);
    for (const r of range.getClientRects()) {
      if (r.width > 0 && r.height > 0 && r.right + scrollX > 0 && r.bottom + scrollY > 0) return n.data;
    }
    return "";
  };
  const skipped = /^(script|style|noscript|template|head|link|meta|title|base|param|source|track|datalist)$/;
  const pruned = (e, s) =>
    skipped.test(nameOf(e)) || s.display === "none" || s.contentVisibility === "hidden" || attribute(e, "aria-hidden") === "true" && !contains(e, document.activeElement) ||
    +s.opacity === 0 && !(e instanceof HTMLInputElement) || clipped(e, s);
  const inner = (e) => {
    if (shadowOf(e)) return childrenOf(shadowOf(e));
    if (e instanceof HTMLSlotElement) {
      const given = e.assignedNodes();
      if (given.length) return given;
    }
    return childrenOf(e);
  };

  const own = (e) => {
    const role = fold(attribute(e, "role"), 40).toLowerCase().split(" ")[0];
    return role === "none" || role === "presentation" ? "" : /^[a-z]+$/.test(role) ? role : "";
  };
  const inputs = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", file: "file", color: "color" };
  const tags = {
    button: "button", summary: "button", textarea: "textbox", nav: "navigation", main: "main", aside: "complementary", form: "form", dialog: "dialog", fieldset: "group",
    ul: "list", ol: "list", li: "listitem", table: "table", tr: "row", img: "img", iframe: "frame", frame: "frame", option: "option", video: "video", audio: "audio", progress: "progressbar", meter: "meter", output: "status",
  };
  const roleOf = (e) => {
    const name = nameOf(e);
    if (name === "iframe" || name === "frame") return "frame";
    if (e instanceof HTMLInputElement) return e.type === "hidden" ? "" : own(e) || inputs[e.type] || "textbox";
    if (e instanceof HTMLSelectElement) return e.multiple || e.size > 1 ? "listbox" : "combobox";
    if (own(e)) return own(e);
    if ((name === "a" || name === "area") && attribute(e, "href") !== null) return "link";
    if (/^h[1-6]$/.test(name)) return "heading";
    if (name === "svg") return attribute(e, "aria-label") ? "img" : "";
    if (isHTML(e) && /^(|true|plaintext-only)$/.test(attribute(e, "contenteditable") ?? "no")) return "textbox";
    return tags[name] || "";
  };
  const acted = /^(link|button|textbox|searchbox|checkbox|radio|switch|combobox|listbox|slider|spinbutton|file|color|tab|menuitem|menuitemcheckbox|menuitemradio|option|treeitem)$/;
  const actable = (e, role, s) => {
    if (acted.test(role)) return !(nameOf(e) === "option");
    if (e === document.body || e === document.documentElement || role === "frame") return false;
    if (e instanceof HTMLLabelElement) return false;
    if (attribute(e, "onclick") !== null || +attribute(e, "tabindex") >= 0 && attribute(e, "tabindex") !== null) return true;
    const up = over(e);
    return s.cursor === "pointer" && !(up && style(up).cursor === "pointer");
  };

  // The visible text of an element, with what pictures are called.
  const gather = (e, most) => {
    let out = "";
    const visit = (n) => {
      if (out.length > most) return;
      const type = typeOf(n);
      if (type === 3) { out += shownText(n, over(n)); return; }
      if (type !== 1) return;
      const s = style(n);
      if (pruned(n, s)) return;
      const name = nameOf(n);
      if (name === "img") { out += ` ${attribute(n, "alt") ?? ""} `; return; }
      if (name === "select" || name === "textarea") return;
      if (name === "svg") { out += ` ${attribute(n, "aria-label") ?? ""} `; return; }
      const apart = !/^(inline|contents)$/.test(s.display);
      if (apart || name === "br") out += " ";
      for (const c of inner(n)) visit(c);
      if (apart) out += " ";
    };
    for (const c of inner(e)) visit(c);
    return fold(out, most);
  };
  const byContent = /^(link|button|heading|tab|menuitem|menuitemcheckbox|menuitemradio|option|treeitem|switch|checkbox|radio|clickable)$/;
  const nameFor = (e, role) => {
    const ids = fold(attribute(e, "aria-labelledby")).split(" ").filter(Boolean).slice(0, 5);
    const root = rootOf(e);
    const named = ids.map((id) => (root.getElementById ? root.getElementById(id) : null)).filter((o) => o instanceof Element && checkVisibility(o)).map((o) => gather(o, 200)).join(" ");
    if (named.trim()) return fold(named);
    if (fold(attribute(e, "aria-label"))) return fold(attribute(e, "aria-label"));
    const label = labels(e).map((l) => gather(l, 200)).join(" ");
    if (label.trim()) return fold(label);
    if (e instanceof HTMLInputElement && role === "button") return fold(e.type === "image" ? attribute(e, "alt") : e.value) || e.type;
    if (nameOf(e) === "img") return fold(attribute(e, "alt"));
    if (nameOf(e) === "fieldset") { const legend = Element.prototype.querySelector.call(e, ":scope > legend"); return legend ? gather(legend, 200) : ""; }
    const text = byContent.test(role) ? gather(e, 300) : "";
    return text || fold(attribute(e, "placeholder")) || fold(attribute(e, "title"));
  };
  const isSecret = (e) => {
    if (e instanceof HTMLInputElement && (e.type === "password" || /password|one-time-code|cc-(number|csc)/.test(attribute(e, "autocomplete") ?? ""))) state.secret.add(e);
    return state.secret.has(e); // once a secret, always: a page may show what was typed
  };
  const active = () => {
    let e = document.activeElement;
    while (e && shadowOf(e) && shadowOf(e).activeElement) e = shadowOf(e).activeElement;
    return e;
  };
  const valueOf = (e) => {
    if (e instanceof HTMLSelectElement) return [...e.selectedOptions].map((o) => fold(o.label, 100)).join(", ");
    if (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement) return e.value;
    if (isHTML(e) && e.isContentEditable) return gather(e, 500);
    return attribute(e, "aria-valuetext") ?? attribute(e, "aria-valuenow") ?? "";
  };
  const properties = (e, role) => {
    const out = [];
    const flag = (name, on) => { if (on) out.push([name]); };
    const aria = (name) => attribute(e, "aria-" + name);
    if (role === "heading") out.push(["level", fold(aria("level") ?? nameOf(e).slice(1), 3)]);
    if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role)) flag("checked", e instanceof HTMLInputElement ? e.checked : aria("checked") === "true");
    if (/^(textbox|searchbox|combobox|listbox|spinbutton|slider|color|progressbar|meter)$/.test(role)) {
      const value = valueOf(e);
      if (isSecret(e)) { flag("secret", true); flag("filled", value !== ""); }
      else if (value !== "") out.push(["value", fold(value, 500)]);
    }
    if (e instanceof HTMLInputElement && /^(email|url|tel|date|time|month|week|datetime-local)$/.test(e.type)) out.push(["type", e.type]);
    if (e instanceof HTMLSelectElement) out.push(["options", ...[...e.options].slice(0, 40).map((o) => fold(o.label, 80))]);
    if (role === "link") out.push(["url", fold(attribute(e, "href") ?? "", 200)]);
    flag("disabled", matches(e, ":disabled") || aria("disabled") === "true");
    flag("required", e.required === true || aria("required") === "true");
    flag("readonly", e.readOnly === true);
    flag("invalid", aria("invalid") === "true");
    flag("selected", aria("selected") === "true");
    flag("pressed", aria("pressed") === "true");
    if (nameOf(e) === "summary") flag(parentOf(e) && parentOf(e).open ? "expanded" : "collapsed", true);
    else if (aria("expanded") !== null) flag(aria("expanded") === "true" ? "expanded" : "collapsed", true);
    flag("current", aria("current") !== null && aria("current") !== "false");
    flag("focused", e === active());
    return out;
  };

  // rows: [depth, role, name, properties, number, frame], number 0 and frame -1 where there is none.
  const rows = (interactive, next, mostRows, mostText) => {
    const out = [];
    let pending = "", size = 0, cut = false;
    state.elements = new Map();
    state.frames = [];
    const push = (row) => {
      size += row[2].length + 20 + row[3].reduce((n, p) => n + p.join("").length, 0);
      if (out.length >= mostRows || size > mostText) cut = true;
      else out.push(row);
    };
    const flush = (depth) => {
      const text = fold(pending, 20000).replace(/^\| /, "").replace(/ \|$/, "");
      pending = "";
      if (text && !interactive && /[^|\s]/.test(text)) push([depth, "text", text, [], 0, -1]);
    };
    const number = (e) => {
      let n = state.numbers.get(e);
      if (!n) state.numbers.set(e, (n = next++));
      state.elements.set(n, e);
      return n;
    };
    const structure = /^(navigation|main|complementary|banner|contentinfo|search|region|form|dialog|alertdialog|alert|status|group|list|listitem|table|row|menu|menubar|tablist|tabpanel|toolbar|tree|article|feed|frame)$/;
    const kept = /^(dialog|alertdialog|form|frame|navigation|main)$/; // with interactive alone
    const closed = /^(textbox|searchbox|combobox|listbox|slider|spinbutton|file|color|img|frame|video|audio|progressbar|meter)$/;
    const visit = (n, depth, quiet) => {
      if (cut) return;
      const type = typeOf(n);
      if (type === 3) { if (!quiet) pending += shownText(n, over(n)); return; }
      if (type === 1) element(n, depth, quiet);
    };
    const inside = (e, depth, quiet) => { for (const c of inner(e)) visit(c, depth, quiet); };
    const element = (e, depth, quiet) => {
      const s = style(e), name = nameOf(e);
      let role = roleOf(e);
      if (pruned(e, s)) {
        if (!(acted.test(role) && s.display !== "none" && labels(e).some(visible))) return;
      }
      const block = !/^(inline|contents|inline-block|inline-flex|inline-grid)$/.test(s.display);
      const cell = name === "td" || name === "th";
      if (block && !cell || name === "br") flush(depth);
      if (cell) pending += " | ";
      const act = s.visibility === "visible" && (!quiet || acted.test(role)) && actable(e, role, s);
      if (act && !role || act && structure.test(role)) { flush(depth); role = acted.test(role) ? role : structure.test(role) && role !== "listitem" && role !== "row" ? role : "clickable"; }
      if (act || role === "heading" || role === "img" && !quiet) return leaf(e, role, depth, act, quiet);
      if (role === "frame") { flush(depth); return frame(e, depth); }
      if (structure.test(role) && !quiet && (!interactive || kept.test(role))) { flush(depth); group(e, role, depth); }
      else if (!closed.test(role)) inside(e, depth, quiet);
      if (block && !cell) flush(depth);
    };
    const unseen = (e) => style(e).visibility !== "visible" || faint(style(e));
    const leaf = (e, role, depth, act, quiet) => {
      if (unseen(e) && !act) return;
      let name = nameFor(e, role);
      if (role === "img" && !act) { if (name && !interactive) { flush(depth); push([depth, "img", name, [], 0, -1]); } return; }
      if (role === "clickable" && name.length > 200) name = ""; // its text stands below it
      flush(depth);
      if (act || name && (!interactive || role === "heading")) push([depth, role, name, properties(e, role), act ? number(e) : 0, -1]);
      if (!closed.test(role)) inside(e, depth + 1, quiet || acted.test(role) || role === "heading" || role === "clickable" && name !== "");
      if (!quiet) flush(depth + 1);
    };
    const group = (e, role, depth) => {
      const at = out.length;
      push([depth, role, role === "list" || role === "listitem" || role === "row" || role === "table" ? fold(attribute(e, "aria-label")) : nameFor(e, role), [], 0, -1]);
      inside(e, depth + 1, false);
      flush(depth + 1);
      if (out.length === at + 1 && !cut) out.pop();
    };
    const frame = (e, depth) => {
      if (!visible(e) || widthOf(e) <= 1 || heightOf(e) <= 1 || state.frames.length >= 40) return;
      push([depth, "frame", fold(attribute(e, "title") || attribute(e, "name")), [], 0, state.frames.push(e) - 1]);
    };
    const root = document.body || document.documentElement;
    if (root) visit(root, 0, false);
    flush(0);
    return { rows: out, next, cut, title: fold(getter(Document, "title")(document)), url: location.href };
  };

  // The element of a number, or why there is none.
  const find = (n) => {
    const e = state.elements.get(n);
    return e && connected(e) ? e : null;
  };

  // A selector that finds this element alone, also in another visit; "" where there is none in the main document's own tree.
  const quote = (s) => `"${s.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\a ")}"`;
  const alone = (selector, e) => { try { const found = all(selector); return found.length === 1 && found[0] === e; } catch { return false; } };
  const lasting = (id) => id && id.length < 60 && !/\d{4,}|[0-9a-f]{8,}|^:|^\d/i.test(id);
  const short = (e) => {
    const name = CSS.escape(nameOf(e)), id = attribute(e, "id"), tries = [];
    if (lasting(id)) tries.push("#" + CSS.escape(id));
    for (const a of ["data-testid", "data-test", "name", "aria-label", "placeholder", "href", "title", "alt"]) {
      const value = attribute(e, a);
      if (value && value.length < 120) tries.push(`${name}[${a}=${quote(value)}]`);
    }
    if (/^(input|button)$/.test(nameOf(e)) && attribute(e, "type")) tries.push(`${name}[type=${quote(attribute(e, "type"))}]`);
    return tries.find((t) => alone(t, e)) || "";
  };
  const selector = (e) => {
    if (rootOf(e) !== document) return "";
    let tail = "";
    for (let at = e; at instanceof Element && at !== document.documentElement; at = parentOf(at)) {
      const known = at === document.body ? "body" : short(at);
      if (known && alone(known + tail, e)) return known + tail;
      let nth = 1;
      for (let b = at.previousElementSibling; b; b = b.previousElementSibling) if (nameOf(b) === nameOf(at)) nth++;
      tail = ` > ${CSS.escape(nameOf(at))}:nth-of-type(${nth})` + tail;
    }
    return "";
  };
  const opensTab = (e) => {
    const submit = e instanceof HTMLButtonElement && e.type === "submit" || e instanceof HTMLInputElement && /^(submit|image)$/.test(e.type);
    const by = submit ? e.form : closest(e, "a[href], area[href]");
    const name = by && ((submit && attribute(e, "formtarget")) || attribute(by, "target") || (all("base[target]")[0] || { target: "" }).target);
    return by && name && !/^_(self|top|parent)$/i.test(name) ? by : null;
  };
  const about = (n) => {
    const e = find(n);
    if (!e) return null;
    const role = roleOf(e) || "clickable", tab = opensTab(e), on = target(e);
    return {
      role, name: nameFor(e, role), type: typeName(e), secret: isSecret(e), filled: !!valueOf(e), origin: location.origin,
      selector: selector(e), click: on === e ? "" : selector(on), opensTab: !!tab, url: role === "link" && e.href ? String(e.href) : "",
    };
  };

  // Whether an element could be clicked now: [reason, detail, x, y] in the words of actions.Reason; x and y in the document's viewport.
  const tag = (e) => {
    let text = "<" + nameOf(e);
    for (const a of ["id", "class", "role", "name"]) if (attribute(e, a)) text += ` ${a}="${attribute(e, a).slice(0, 60)}"`;
    return text + ">";
  };
  const at = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found && shadowOf(found)) {
      const deeper = shadowOf(found).elementFromPoint(x, y);
      if (!deeper || deeper === found) break;
      found = deeper;
    }
    return found;
  };
  const within = (e, n) => {
    for (; n; n = above(n)) if (n === e) return true;
    return false;
  };
  const middle = (e) => {
    for (const r of rects(e)) {
      const x = (Math.max(r.left, 0) + Math.min(r.right, innerWidth)) / 2, y = (Math.max(r.top, 0) + Math.min(r.bottom, innerHeight)) / 2;
      if (r.width > 0 && r.height > 0 && x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight && r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight) return [x, y];
    }
    return null;
  };
  const fit = (n) => {
    const e = find(n);
    if (!e) return ["detached", "", 0, 0];
    const on = target(e);
    if (!visible(on)) return ["not visible", "", 0, 0];
    if (matches(e, ":disabled") || closest(e, "[aria-disabled=true]")) return ["disabled", "", 0, 0];
    if (!middle(on) || !isIn(on)) intoView(on, { block: "center", inline: "center", behavior: "instant" });
    const point = middle(on);
    if (!point) return ["not visible", "", 0, 0];
    const found = at(...point), near = [on, e, ...labels(e)];
    if (found && !near.some((o) => within(o, found))) return ["covered by", tag(found), 0, 0];
    return ["", "", ...point];
  };
  const isIn = (e) => { const b = boxOf(e); return b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight && b.right <= innerWidth; };

  switch (op) {
    case "rows": return JSON.stringify(rows(...args));
    case "about": return JSON.stringify(about(...args));
    case "fit": return JSON.stringify(fit(...args));
    case "place": { // a point of a frame's document in this one
      const [i, x, y] = args, e = state.frames[i];
      if (!e || !connected(e)) return JSON.stringify(["detached", "", 0, 0]);
      const b = boxOf(e), s = style(e), px = x + b.left + leftOf(e) + parseFloat(s.paddingLeft), py = y + b.top + topOf(e) + parseFloat(s.paddingTop);
      const found = at(px, py);
      return JSON.stringify(found === e ? ["", "", px, py] : [found ? "covered by" : "not visible", found ? tag(found) : "", 0, 0]);
    }
    case "stay": { // a link or form opens no tab of its own
      const e = find(args[0]), by = e && opensTab(e);
      if (by) { put(by, "target", "_self"); if (attribute(e, "formtarget")) put(e, "formtarget", "_self"); }
      return JSON.stringify(!!by);
    }
    case "focus": {
      const e = find(args[0]);
      if (e) focus(e);
      return JSON.stringify(!!e && (active() === e || within(e, active())));
    }
    case "choose": {
      const e = find(args[0]), want = args[1];
      if (!(e instanceof HTMLSelectElement)) return JSON.stringify(e ? "no list" : "detached");
      if (matches(e, ":disabled")) return JSON.stringify("disabled");
      const options = [...e.options].filter((o) => !o.disabled);
      const same = (o, f) => f(fold(o.label)) === f(fold(want)) || f(o.value) === f(want);
      const option = options.find((o) => same(o, (s) => s)) || options.find((o) => same(o, (s) => s.toLowerCase()));
      if (!option) return JSON.stringify("no option");
      if (e.multiple) option.selected = true;
      else e.selectedIndex = option.index;
      fire(e, new Event("input", { bubbles: true, composed: true }));
      fire(e, new Event("change", { bubbles: true }));
      return JSON.stringify("");
    }
    case "scroll": {
      const e = find(args[0]);
      if (e) { intoView(e, { block: "nearest", inline: "nearest", behavior: "instant" }); scrollBy(e, { top: args[1] * heightOf(e), behavior: "instant" }); }
      return JSON.stringify(!!e);
    }
  }
}
