// Serialises the document as it is seen: open shadow trees take the place of their hosts' children, frames that are to be read are marked,
// what was hidden for the caller is left out. Gives {html} with the numbers of the marked frames, or {size} when it is too long.
// Where there is nothing of all this the browser's own serialisation is taken, as it is for every part that holds nothing of it.
([frames, key, inner, hidden, limit]) => {
  const special = new Set(), marked = [];
  const mark = (n) => {
    for (; n && !special.has(n); n = n.parentNode || n.host) special.add(n);
  };
  const seen = (e) => {
    const box = e.getBoundingClientRect();
    return e.checkVisibility() && box.width > 1 && box.height > 1;
  };
  const dropped = (e) => hidden && !e.checkVisibility() && getComputedStyle(e).getPropertyValue(hidden) !== "";
  const scan = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) { mark(e); scan(e.shadowRoot); }
      else if (dropped(e)) mark(e);
    }
  };
  const numbers = new Map();
  frames.forEach((e, i) => { if (seen(e)) { numbers.set(e, i); mark(e); } });
  scan(document);

  const absolute = (address) => { try { return new URL(address, document.baseURI).href; } catch { return address; } };
  const text = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const value = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/"/g, "&quot;");
  const html = "http://www.w3.org/1999/xhtml";
  const open = (e) => {
    let tag = "<" + (e.localName === "frameset" ? "div" : e.namespaceURI === html ? e.localName : e.nodeName);
    for (const a of e.attributes) tag += ` ${a.name}="${value(a.value)}"`;
    return tag + ">";
  };
  const close = (e) => `</${e.localName === "frameset" ? "div" : e.namespaceURI === html ? e.localName : e.nodeName}>`;
  const shadowed = (n) => n.getRootNode() !== document;
  const children = (e, inside) => {
    if (e.shadowRoot) return emitAll(e.shadowRoot.childNodes, true);
    if (inside && e.localName === "slot") {
      const given = e.assignedNodes();
      if (given.length) return given.map((n) => emit(n, shadowed(n))).join("");
    }
    return emitAll(e.childNodes, inside);
  };
  const emitAll = (nodes, inside) => {
    let out = "";
    for (const n of nodes) out += emit(n, inside);
    return out;
  };
  const emit = (n, inside) => {
    if (n.nodeType === 3) return text(n.data);
    if (n.nodeType === 8) return `<!--${n.data}-->`;
    if (n.nodeType !== 1) return "";
    if (numbers.has(n)) {
      const i = numbers.get(n);
      marked.push(i);
      return `<div data-original-tag="${n.localName}" data-src="${value(n.src ? absolute(n.src) : "")}"><!--${key}:${i}--></div>`;
    }
    if (inside && /^(style|link|script)$/.test(n.localName)) return ""; // it holds for the shadow tree only
    if (!inside && !special.has(n) || n.localName === "template") return n.outerHTML;
    if (special.has(n) && dropped(n)) return "";
    if (n.shadowRoot || n.childNodes.length || inside && n.localName === "slot") return open(n) + children(n, inside) + close(n);
    return n.outerHTML;
  };

  const root = document.documentElement;
  if (!root) return { html: "", frames: [] };
  let out = special.size ? emit(root, false) : root.outerHTML;
  if (!inner) {
    if (document.doctype) out = new XMLSerializer().serializeToString(document.doctype) + out;
    return out.length > limit ? { size: out.length } : { html: out, frames: marked };
  }
  if (out.length > limit) return { size: out.length };
  const copy = new DOMParser().parseFromString(out, "text/html"); // inert: nothing runs, nothing loads
  copy.querySelectorAll("script, style, link, meta, base, title, noscript").forEach((e) => e.remove());
  for (const name of ["href", "src", "poster", "action", "cite", "data"]) {
    for (const e of copy.querySelectorAll(`[${name}]`)) e.setAttribute(name, absolute(e.getAttribute(name)));
  }
  for (const e of copy.querySelectorAll("[srcset]")) {
    const list = e.getAttribute("srcset").split(/,\s+/).map((part) => {
      const [address, ...rest] = part.trim().split(/\s+/);
      return [absolute(address), ...rest].join(" ");
    });
    e.setAttribute("srcset", list.join(", "));
  }
  return { html: copy.body ? copy.body.innerHTML : "", frames: marked };
}
