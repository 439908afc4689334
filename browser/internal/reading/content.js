// Serialises the document as it is seen: open shadow trees take the place of their hosts' children, visible frames are marked, what was
// hidden for the caller is left out. Gives {html} with the numbers of the marked frames, or {size} when it is too long. Their elements are kept
// under key. It runs in a world of its own, where the page's scripts have changed nothing; but forms and the document show elements under their
// names in any world, so properties are read by their getters.
// Where there is nothing of all this the browser's own serialisation is taken, as it is for every part that holds nothing of it.
([key, inner, hidden, limit, most]) => {
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (o) => get.call(o);
  };
  const method = (type, name) => {
    const run = type.prototype[name];
    return (o, ...args) => run.apply(o, args);
  };
  const [typeOf, childrenOf, parentOf, baseOf] = ["nodeType", "childNodes", "parentNode", "baseURI"].map((name) => getter(Node, name));
  const [attributesOf, nameOf, spaceOf, shadowOf, outerOf, innerOf] =
    ["attributes", "localName", "namespaceURI", "shadowRoot", "outerHTML", "innerHTML"].map((name) => getter(Element, name));
  const [widthOf, heightOf] = [getter(Element, "clientWidth"), getter(Element, "clientHeight")];
  const [rootOf, checkVisibility] = [method(Node, "getRootNode"), method(Element, "checkVisibility")];
  const find = (root, selector) => [...(root === document ? Document : root instanceof Element ? Element : DocumentFragment).prototype.querySelectorAll.call(root, selector)];
  const elementOf = getter(Document, "documentElement");
  const rootElement = elementOf(document), base = baseOf(document);

  const html = "http://www.w3.org/1999/xhtml";
  const special = new Set(), numbers = new Map(), elements = [], marked = [];
  const mark = (n) => {
    for (; n && !special.has(n); n = parentOf(n) || n.host) special.add(n);
  };
  const seen = (e) => checkVisibility(e, { visibilityProperty: true, opacityProperty: true }) && widthOf(e) > 1 && heightOf(e) > 1;
  const dropped = (e) => hidden && !checkVisibility(e) && getComputedStyle(e).getPropertyValue(hidden) !== "";
  // An object shows a document of its own, a picture, or nothing but what is in it.
  const [objectWindow, objectDocument] = ["contentWindow", "contentDocument"].map((name) => getter(HTMLObjectElement, name));
  const holdsHTML = (e) => objectWindow(e) && /html/.test(objectDocument(e)?.contentType ?? "html");
  const framed = (e) => spaceOf(e) === html && (/^i?frame$/.test(nameOf(e)) || nameOf(e) === "object" && holdsHTML(e));
  const scan = (root) => {
    for (const e of find(root, "*")) {
      const shadow = shadowOf(e);
      if (shadow) { mark(e); scan(shadow); }
      else if (dropped(e)) mark(e);
      else if (framed(e) && elements.length < most && seen(e)) {
        numbers.set(e, elements.push(e) - 1);
        mark(e);
      }
    }
  };
  scan(document);
  globalThis[key] = elements;

  const absolute = (address) => { try { return new URL(address, base).href; } catch { return address; } };
  const text = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const value = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/"/g, "&quot;");
  const tag = (e) => nameOf(e) === "frameset" ? "div" : spaceOf(e) === html ? nameOf(e) : e.nodeName;
  const open = (e) => {
    let out = "<" + tag(e);
    for (const a of attributesOf(e)) out += ` ${a.name}="${value(a.value)}"`;
    return out + ">";
  };
  const close = (e) => `</${tag(e)}>`;
  const shadowed = (n) => rootOf(n) !== document;
  const children = (e, inside) => {
    if (shadowOf(e)) return emitAll(childrenOf(shadowOf(e)), true);
    if (inside && nameOf(e) === "slot") {
      const given = e.assignedNodes();
      if (given.length) return given.map((n) => emit(n, shadowed(n))).join("");
    }
    return emitAll(childrenOf(e), inside);
  };
  const emitAll = (nodes, inside) => {
    let out = "";
    for (const n of nodes) out += emit(n, inside);
    return out;
  };
  const emit = (n, inside) => {
    const type = typeOf(n);
    if (type === 3) return text(n.data);
    if (type === 8) return `<!--${n.data}-->`;
    if (type !== 1) return "";
    if (numbers.has(n)) {
      const i = numbers.get(n);
      marked.push(i);
      const address = n.src || n.data; // of an object
      return `<div data-original-tag="${nameOf(n)}" data-src="${value(address ? absolute(address) : "")}"><!--${key}:${i}--></div>`;
    }
    if (inside && /^(style|link|script)$/.test(nameOf(n))) return ""; // it holds for the shadow tree only
    if (!inside && !special.has(n) || nameOf(n) === "template") return outerOf(n);
    if (special.has(n) && dropped(n)) return "";
    if (shadowOf(n) || childrenOf(n).length || inside && nameOf(n) === "slot") return open(n) + children(n, inside) + close(n);
    return outerOf(n);
  };

  if (!rootElement) return { html: "", frames: [] };
  let out = special.size ? emit(rootElement, false) : outerOf(rootElement);
  if (!inner) {
    const doctype = getter(Document, "doctype")(document);
    if (doctype) out = new XMLSerializer().serializeToString(doctype) + out;
    return out.length > limit ? { size: out.length } : { html: out, frames: marked };
  }
  if (out.length > limit) return { size: out.length };
  const copy = new DOMParser().parseFromString(out, "text/html"); // inert: nothing runs, nothing loads
  const copied = elementOf(copy);
  find(copied, "script, style, link, meta, base, title, noscript").forEach((e) => e.remove());
  const put = (e, name, value) => Element.prototype.setAttribute.call(e, name, value);
  const get = (e, name) => Element.prototype.getAttribute.call(e, name);
  for (const name of ["href", "src", "poster", "action", "cite", "data", "data-src", "data-original", "data-lazy-src"]) {
    for (const e of find(copied, `[${name}]`)) put(e, name, absolute(get(e, name)));
  }
  for (const name of ["srcset", "data-srcset"]) {
    for (const e of find(copied, `[${name}]`)) {
      const list = get(e, name).split(/,\s+/).map((part) => {
        const [address, ...rest] = part.trim().split(/\s+/);
        return [absolute(address), ...rest].join(" ");
      });
      put(e, name, list.join(", "));
    }
  }
  for (const e of find(copied, '[style*="url("]')) {
    put(e, "style", get(e, "style").replace(/url\(\s*(["']?)([^"'()]+)\1\s*\)/g, (_, quote, address) => `url(${quote}${absolute(address)}${quote})`));
  }
  const body = getter(Document, "body")(copy);
  return { html: body ? innerOf(body) : "", frames: marked };
}
