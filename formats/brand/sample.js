// Takes samples of how the page looks: a bounded number of elements of each kind with their computed styles, custom properties, colours of
// style sheets, candidates for the logo, and what the head says. It judges nothing; see samples.go for the meaning of the fields. It reads
// through the prototypes, since a page can shadow the members of document and of forms by the names of its elements.
() => {
  const MOST = { elements: 20000, buttons: 100, inputs: 25, each: 50, areas: 100, logos: 30, rules: 5000, declared: 300, variables: 500 };
  const started = performance.now();
  const late = () => performance.now() - started > 2500;
  const get = (o, name) => Reflect.get(Object.getPrototypeOf(o), name, o);
  const doc = (name) => Reflect.get(Document.prototype, name, document);
  const find = (root, selector) => (root === document ? Document : root instanceof Element ? Element : DocumentFragment).prototype.querySelectorAll.call(root, selector);
  const attr = (e, name) => Element.prototype.getAttribute.call(e, name) || "";
  const clip = (s, n) => String(s ?? "").slice(0, n);
  const px = (s) => { const n = parseFloat(s); return Number.isFinite(n) ? Math.round(n * 100) / 100 : 0; };
  const absolute = (ref) => { try { return ref ? new URL(ref, doc("baseURI")).href : ""; } catch { return ""; } };
  const fold = (s, n) => clip(clip(s, 20 * n).replace(/\s+/g, " ").trim(), n);

  // up is the parent as it is drawn, through shadow roots.
  const up = (e) => { const parent = get(e, "parentNode"); return parent instanceof ShadowRoot ? parent.host : parent; };
  const ancestors = (e, most) => {
    const list = [];
    for (let n = up(e); n instanceof Element && list.length < most; n = up(n)) list.push(n);
    return list;
  };
  const all = [];
  const walk = (root, depth) => {
    for (const e of find(root, "*")) {
      if (all.length >= MOST.elements) return;
      all.push(e);
      const shadow = get(e, "shadowRoot");
      if (shadow && depth < 20) walk(shadow, depth + 1);
    }
  };
  walk(document, 0);

  const styles = new Map(), boxes = new Map();
  const style = (e) => { if (!styles.has(e)) styles.set(e, getComputedStyle(e)); return styles.get(e); };
  const box = (e) => {
    if (!boxes.has(e)) {
      const r = Element.prototype.getBoundingClientRect.call(e);
      boxes.set(e, { x: px(r.x + scrollX), y: px(r.y + scrollY), w: px(r.width), h: px(r.height) });
    }
    return boxes.get(e);
  };
  const seen = (e) => {
    const r = box(e);
    return r.w > 1 && r.h > 1 && r.x + r.w > 0 && r.y + r.h > 0 && Element.prototype.checkVisibility.call(e, { opacityProperty: true, visibilityProperty: true });
  };
  const parts = { header: "header", banner: "header", nav: "nav", navigation: "nav", main: "main", footer: "footer", contentinfo: "footer", aside: "aside", complementary: "aside" };
  const region = (e) => {
    let found = "";
    for (const n of [e, ...ancestors(e, 100)]) found = parts[attr(n, "role")] || parts[n.localName] || found;
    return found; // the outermost: a header within main is no banner
  };
  const ownText = (e) => {
    let text = "";
    for (const n of get(e, "childNodes")) if (n.nodeType === 3) text += n.data;
    return text.trim();
  };
  const clear = (color) => color === "transparent" || /^rgba\(.*, 0\)$|\/ 0\)$/.test(color);
  const names = (e) => clip(attr(e, "class"), 200);

  const border = (s) => {
    let best = { width: 0, color: "" };
    for (const side of ["Bottom", "Top", "Left", "Right"]) {
      const width = px(s[`border${side}Width`]);
      if (s[`border${side}Style`] !== "none" && width > best.width) best = { width, color: s[`border${side}Color`] };
    }
    return best;
  };
  const look = (e, kind, more) => {
    const s = style(e), edge = border(s), text = kind === "area" ? "" : get(e, "textContent") || attr(e, "value") || attr(e, "aria-label");
    return {
      kind, tag: e.localName, label: fold(text, 60), length: Math.min(text.trim().length, 2000), region: region(e), classes: names(e), ...box(e),
      color: s.color, background: s.backgroundColor, image: s.backgroundImage === "none" ? "" : clip(s.backgroundImage.replace(/url\([^)]*\)/g, "url()"), 300),
      borderWidth: edge.width, borderColor: clip(edge.color, 100),
      radius: [s.borderTopLeftRadius, s.borderTopRightRadius, s.borderBottomRightRadius, s.borderBottomLeftRadius].map((r) => clip(r.split(" ")[0], 20)),
      shadow: s.boxShadow === "none" ? "" : clip(s.boxShadow, 200), family: clip(s.fontFamily, 400), size: px(s.fontSize), weight: px(s.fontWeight),
      lineHeight: clip(s.lineHeight, 20), padding: [s.paddingTop, s.paddingRight, s.paddingBottom, s.paddingLeft].map(px),
      margin: [s.marginTop, s.marginRight, s.marginBottom, s.marginLeft].map(px),
      duration: clip(s.transitionDuration.split(",")[0], 20), easing: clip(s.transitionTimingFunction.split(/,(?![^(]*\))/)[0], 60), ...more,
    };
  };

  // What each element is a sample of.
  const counts = {}, looks = [], areas = [], grids = [], widths = [], icons = [], inputs = [];
  const most = { button: MOST.buttons, input: MOST.inputs };
  const take = (e, kind, more) => {
    counts[kind] = (counts[kind] || 0) + 1;
    if (counts[kind] > (most[kind] || MOST.each)) return false;
    looks.push(look(e, kind, more));
    return true;
  };
  const buttonClass = /(^|[\s_-])(btn|button|cta)([\s_-]|$)/i;
  const isButton = (e) => {
    if (e.localName === "button" || attr(e, "role") === "button") return true;
    if (e.localName === "input") return /^(submit|button)$/i.test(attr(e, "type"));
    if (e.localName !== "a") return false;
    const s = style(e), r = box(e);
    if (r.h < 20 || r.h > 120 || r.w > 600 || find(e, "img, h1, h2, h3, p, div div").length) return false;
    const shaped = !clear(s.backgroundColor) || s.backgroundImage.includes("gradient") || border(s).width > 0 && px(s.borderLeftWidth) > 0;
    return shaped && px(s.paddingLeft) >= 4 || buttonClass.test(names(e));
  };
  const isInput = (e) => e.localName === "textarea" || e.localName === "select" ||
    e.localName === "input" && !/^(submit|button|checkbox|radio|hidden|image|file|range|color|reset)$/i.test(attr(e, "type"));
  const status = /(^|[\s_-])(success|warning|error|danger)([\s_-]|$)/i;
  const isIcon = (e) => e.localName === "svg" && box(e).w >= 8 && box(e).w <= 64 && Math.abs(box(e).w - box(e).h) <= 0.5 * box(e).w;
  const icon = (e) => {
    const shape = find(e, "path, circle, rect, line, polyline, polygon, use")[0], s = style(shape || e);
    return { fill: clip(s.fill, 100), stroke: clip(s.stroke, 100), ...box(e) };
  };
  const layout = (e) => {
    const s = style(e), r = box(e), tracks = s.gridTemplateColumns.split(" ");
    const columns = s.display.includes("grid") && /px$/.test(tracks[0]) ? tracks.length : 0;
    const gap = s.display.includes("grid") || s.display.includes("flex") ? px(s.columnGap) || px(s.rowGap) : 0;
    if ((columns > 1 || gap > 0) && grids.length < MOST.areas) grids.push({ columns, gap, ...r });
    if (/px$/.test(s.maxWidth) && r.w >= 320 && widths.length < MOST.areas) widths.push({ max: px(s.maxWidth), ...r });
  };
  const visit = (e) => {
    if (e instanceof SVGElement && e.localName !== "svg") return;
    const state = status.exec(names(e));
    if (state && !clear(style(e).color)) take(e, state[2].toLowerCase());
    if (/^(head|meta|link|script|style|title|base|template|noscript|source|option|br|html)$/.test(e.localName) || !seen(e)) return;
    if (e.localName === "svg") { if (isIcon(e) && icons.length < MOST.each) icons.push(icon(e)); return; }
    const s = style(e), r = box(e);
    if (isButton(e)) { if (!Element.prototype.matches.call(e, ":disabled")) take(e, "button", { submit: attr(e, "type") === "submit" }); }
    else if (isInput(e)) { if (take(e, "input")) inputs.push([e, looks.at(-1)]); }
    else if (/^h[1-6]$/.test(e.localName)) take(e, "heading");
    else if (e.localName === "p") take(e, "paragraph");
    else if (e.localName === "a") { if (get(e, "textContent").trim()) take(e, "link", { inline: /^(p|li|td|dd|blockquote)$/.test(up(e)?.localName || "") }); }
    else if (/^(code|pre|kbd|samp)$/.test(e.localName)) take(e, "code");
    else if (/^(small|figcaption|time)$/.test(e.localName)) take(e, "small");
    else if (!/^(body|nav)$/.test(e.localName) && ownText(e).length > 1) take(e, "text");
    if (r.w * r.h >= 2000 && /^(div|section|article|header|footer|nav|aside|main|li|form|figure|table|ul|dialog)$/.test(e.localName) || e.localName.includes("-")) {
      layout(e);
      if (!clear(s.backgroundColor) || s.backgroundImage.includes("gradient") || border(s).width > 0 || s.boxShadow !== "none") areas.push(e);
    }
  };
  for (const e of all) {
    if (late()) break;
    try { visit(e); } catch { } // its members are shadowed
  }
  const size = (e) => box(e).w * box(e).h;
  const widest = areas.toSorted((a, b) => size(b) - size(a)).slice(0, MOST.areas);
  for (const e of areas) if (widest.includes(e)) looks.push(look(e, "area"));

  // What is painted behind all: html, body, and what covers all of the page.
  const root = doc("documentElement"), body = doc("body");
  const height = Math.max(root.scrollHeight, innerHeight);
  const covers = [root, body, ...areas.filter((e) => box(e).w >= 0.9 * innerWidth && box(e).h >= 0.9 * height)].filter(Boolean);
  const ground = covers.slice(0, 20).map((e) => {
    const s = style(e);
    return { tag: e.localName, color: s.color, background: s.backgroundColor, image: s.backgroundImage.includes("gradient") ? clip(s.backgroundImage, 300) : "", scheme: s.colorScheme };
  });
  const themes = [root, body].filter(Boolean).map((e) => ({
    classes: clip(attr(e, "class"), 500),
    values: ["data-theme", "data-bs-theme", "data-color-mode", "data-color-scheme", "data-mode", "theme", "data-mantine-color-scheme"].map((name) => clip(attr(e, name), 50)).filter(Boolean),
  }));

  // Colours under names, and those that style sheets declare. A canvas knows the named ones.
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  const plain = (value) => {
    const v = value.trim();
    if (!/^[a-z]+$/i.test(v)) return v;
    if (/^currentcolor$/i.test(v)) return "";
    canvas.fillStyle = "#010203";
    canvas.fillStyle = v;
    return canvas.fillStyle === "#010203" || v === "transparent" ? "" : canvas.fillStyle;
  };
  const colorlike = /^(#[0-9a-f]{3,8}|(rgba?|hsla?|lab|lch|oklab|oklch|color)\(.*\)|[\d.]+(deg)?[\s,]+[\d.]+%[\s,]+[\d.]+%)$/i;
  const variables = [], known = new Set();
  for (const e of [root, body].filter(Boolean)) {
    for (const [name, values] of e.computedStyleMap()) {
      if (!name.startsWith("--") || known.has(name) || variables.length >= MOST.variables) continue;
      const value = plain(clip(values.map(String).join(""), 100));
      if (colorlike.test(value)) { known.add(name); variables.push({ name: clip(name, 80), value }); }
    }
  }
  const declared = new Map(), focus = [];
  let rules = 0;
  const declare = (list) => {
    for (const name of ["color", "background-color", "border-top-color", "border-bottom-color", "fill"]) {
      const value = plain(clip(list.getPropertyValue(name), 100));
      if (colorlike.test(value) && (declared.has(value) || declared.size < MOST.declared)) declared.set(value, (declared.get(value) || 0) + 1);
    }
  };
  const read = (list, depth) => {
    for (const rule of list) {
      if (++rules > MOST.rules || late()) return;
      if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue;
      if (rule instanceof CSSStyleRule) {
        declare(rule.style);
        if (/:focus/.test(rule.selectorText) && focus.length < 200) focus.push(rule);
      }
      if (rule.cssRules && depth < 10) read(rule.cssRules, depth + 1);
      if (rule instanceof CSSImportRule && rule.styleSheet && depth < 10) try { read(rule.styleSheet.cssRules, depth + 1); } catch { }
    }
  };
  for (const sheet of [...doc("styleSheets"), ...doc("adoptedStyleSheets")].slice(0, 100)) {
    try { if (!sheet.disabled) read(sheet.cssRules, 0); } catch { } // of another origin
  }
  const resolved = (e, value) => {
    for (let i = 0; i < 5 && value.includes("var("); i++) {
      value = clip(value, 300).replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (_, name, other) => style(e).getPropertyValue(name).trim() || other || "");
    }
    return value;
  };
  const focused = (e) => {
    let found = "";
    for (const rule of focus) {
      const selector = rule.selectorText.replace(/\s*,\s*/g, ",").replace(/:focus(-visible)?(?![-\w])/g, "").replace(/(^|[,>+~ ])(?=,|$)/g, "$1*");
      try { if (!Element.prototype.matches.call(e, selector)) continue; } catch { continue; }
      for (const name of ["border-color", "border-bottom-color", "border", "outline-color", "outline", "box-shadow"]) {
        const value = resolved(e, rule.style.getPropertyValue(name)).split(/\s(?![^(]*\))/).map(plain).join(" ");
        if (/#|\(/.test(value)) { found = clip(value, 200); break; }
      }
    }
    return found;
  };
  for (const [e, sample] of inputs) sample.focus = focused(e);

  // Pictures that may be the logo.
  const logoName = /logo|brand|wordmark/i;
  const hints = (e) => fold([e, ...ancestors(e, 3)].map((n) => [attr(n, "class"), attr(n, "id"), attr(n, "aria-label"), attr(n, "title"), attr(n, "data-testid")].map((s) => clip(s, 100)).join(" ")).join(" "), 400);
  const link = (e) => [e, ...ancestors(e, 20)].find((n) => n.localName === "a" && (attr(n, "href") || attr(n, "xlink:href")));
  const picture = (e) => {
    if (e.localName === "img") return "img";
    if (e.localName === "svg") return ancestors(e, 50).some((n) => n.localName === "svg") ? "" : "svg";
    if (logoName.test(names(e) + attr(e, "id")) && /url\(/.test(style(e).backgroundImage)) return "background";
    return "";
  };
  let written = 0;
  const inert = DOMImplementation.prototype.createHTMLDocument.call(doc("implementation"), ""); // no element of the page comes to life in it
  const clone = (n) => inert.importNode(n, true);
  const draw = (e) => { // the picture alone, as it is painted here
    const parts = [e, ...find(e, "*")];
    if (parts.length > 500) return "";
    const copy = clone(e), twins = [copy, ...find(copy, "*")];
    parts.forEach((from, i) => {
      const s = style(from), to = twins[i], painted = /^(path|circle|rect|line|polyline|polygon|ellipse|text|tspan|use)$/.test(from.localName);
      const set = (name, usual) => { const v = s.getPropertyValue(name); if (v && v !== usual) to.setAttribute(name, v); };
      if (painted) for (const [name, usual] of [["fill", ""], ["stroke", "none"], ["stroke-width", "1px"], ["fill-rule", "nonzero"]]) set(name, usual);
      if (from.localName === "stop") set("stop-color", "");
      set("opacity", "1");
      if (s.display === "none" && painted) to.setAttribute("display", "none");
    });
    for (const to of find(copy, "use")) {
      const ref = attr(to, "href") || attr(to, "xlink:href"), symbol = ref.startsWith("#") && Document.prototype.getElementById.call(document, ref.slice(1));
      if (!symbol || find(symbol, "*").length > 500) continue;
      const inner = inert.createElementNS("http://www.w3.org/2000/svg", "g");
      for (const name of ["fill", "stroke", "transform"]) if (attr(to, name)) inner.setAttribute(name, attr(to, name));
      for (const n of symbol.localName === "symbol" ? get(symbol, "childNodes") : [symbol]) inner.append(clone(n));
      if (attr(symbol, "viewBox") && !attr(copy, "viewBox")) copy.setAttribute("viewBox", attr(symbol, "viewBox"));
      to.replaceWith(inner);
    }
    for (const n of [...find(copy, "*")]) {
      if (n.localName === "a") n.replaceWith(...get(n, "childNodes"));
      else if (/^(script|foreignObject|style|animate.*|set|image|use|metadata)$/i.test(n.localName)) n.remove();
    }
    for (const n of [copy, ...find(copy, "*")]) {
      for (const a of [...get(n, "attributes")]) {
        if (/^(on|class$|style$|data-|aria-|role$)/i.test(a.name) || /href$/i.test(a.name) && !a.value.startsWith("#")) n.removeAttribute(a.name);
      }
    }
    copy.setAttribute("width", box(e).w || 24);
    copy.setAttribute("height", box(e).h || 24);
    copy.setAttribute("color", style(e).color);
    const text = new XMLSerializer().serializeToString(copy);
    if (text.length > 100_000 || written + text.length > 500_000) return "";
    written += text.length;
    return text;
  };
  const address = (e, kind) => {
    if (kind === "background") return absolute(/url\("?([^")]*)"?\)/.exec(style(e).backgroundImage)?.[1]);
    if (kind !== "img") return "";
    const src = absolute(e.currentSrc || attr(e, "src"));
    if (src.startsWith("data:")) written += src.length;
    return src.startsWith("blob:") || src.length > 100_000 || written > 500_000 ? "" : src;
  };
  const candidate = (e, visible) => {
    const kind = picture(e);
    if (!kind) return null;
    const where = region(e), home = link(e), named = hints(e);
    if (where !== "header" && where !== "nav" && !logoName.test(named + " " + attr(e, "src") + " " + attr(e, "alt")) && !(home && box(e).y < 300)) return null;
    const title = kind === "svg" ? find(e, "title")[0]?.textContent : "";
    return {
      kind, src: address(e, kind), svg: kind === "svg" ? draw(e) : "", alt: fold(attr(e, "alt") || title || attr(e, "aria-label") || attr(home || e, "aria-label") || attr(home || e, "title"), 100),
      href: home ? clip(absolute(attr(home, "href") || attr(home, "xlink:href")), 2000) : "", hints: named, region: where, visible, ...box(e),
    };
  };
  const logos = [];
  for (const wanted of [true, false]) {
    for (const e of all) {
      if (logos.length >= (wanted ? MOST.logos : 5) || late()) break;
      try {
        const found = (e.localName === "img" || e.localName === "svg" || logoName.test(names(e) + attr(e, "id"))) && seen(e) === wanted && candidate(e, wanted);
        if (found && (found.src || found.svg)) logos.push(found);
      } catch { }
    }
  }

  // What the head says, and how the text is written.
  const meta = {};
  for (const e of [...find(document, "meta")].slice(0, 500)) {
    const name = (attr(e, "property") || attr(e, "name")).toLowerCase();
    if (/^(og:site_name|og:image|og:image:url|application-name|apple-mobile-web-app-title|theme-color|color-scheme)$/.test(name)) meta[name] ??= fold(attr(e, "content"), 2000);
  }
  const links = [...find(document, "link[rel][href]")].filter((e) => /icon/i.test(attr(e, "rel"))).slice(0, 20)
    .map((e) => ({ rel: clip(attr(e, "rel").toLowerCase(), 50), href: absolute(attr(e, "href")), sizes: clip(attr(e, "sizes"), 50) })).filter((l) => l.href.length <= 20_000);
  const data = [...find(document, 'script[type="application/ld+json" i]')].slice(0, 10).map((e) => get(e, "textContent")).filter((s) => s.length <= 64_000);
  const text = [...find(document, "h1, h2, h3, p, li, button, a")].slice(0, 500).filter((e) => !find(e, "p, li").length && seen(e)).map((e) => clip(get(e, "textContent"), 2000)).join("\n");
  const part = (name) => { const e = all.find((e) => (parts[attr(e, "role")] || parts[e.localName]) === name && region(e) === name && seen(e)); return e ? box(e).h : 0; };
  const heading = all.find((e) => e.localName === "h1" && seen(e));
  return {
    url: location.href, base: clip(doc("baseURI"), 2000), title: fold(doc("title"), 300), heading: heading ? fold(get(heading, "textContent"), 200) : "",
    siteName: meta["og:site_name"] || "", appName: meta["application-name"] || meta["apple-mobile-web-app-title"] || "",
    image: clip(absolute(meta["og:image"] || meta["og:image:url"]), 2000), themeColor: plain(meta["theme-color"] || ""), schemes: meta["color-scheme"] || "",
    prefersDark: matchMedia("(prefers-color-scheme: dark)").matches, width: innerWidth, height: px(height),
    themes, ground, variables, declared: [...declared].map(([value, count]) => ({ value, count })), looks, icons, grids, widths, logos, links, data,
    headerHeight: part("header"), footerHeight: part("footer"), characters: text.length, emojis: (text.match(/\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/gu) || []).length,
  };
}
