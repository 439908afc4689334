// Makes a page look the same each time that it is drawn, and says what is to be masked. It runs apart from the page's scripts.
async (o) => {
  const roots = (root) => [root, ...Array.from(root.querySelectorAll("*")).flatMap((e) => (e.shadowRoot ? roots(e.shadowRoot) : []))];
  const MARK = "--enginetest-still", STYLE = `*, *::before, *::after {
    caret-color: transparent !important; transition: none !important; scroll-behavior: auto !important; ${MARK}: 1 }`;
  const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const soon = (promise, ms) => Promise.race([promise, new Promise((done) => setTimeout(done, ms))]);
  const frame = () => soon(new Promise((done) => requestAnimationFrame(done)), 1000);

  // The fonts of the machine are replaced; those that the page brings stay.
  const own = new Set();
  for (const f of o.fonts) {
    const there = [...document.fonts].some((g) => g.family.replace(/"/g, "") === f.family && g.weight === f.weight);
    if (!there) document.fonts.add(await new FontFace(f.family, bytes(f.data).buffer, { weight: f.weight }).load());
    own.add(f.family);
  }
  const brought = new Set([...document.fonts].map((f) => f.family.replace(/["']/g, "")).filter((name) => !own.has(name)).map((n) => n.toLowerCase()));
  const MONO = /mono|courier|consol|menlo|typewriter/i;
  const dress = (elements) => {
    const wanted = elements.map((e) => {
      const names = getComputedStyle(e).fontFamily.split(",").map((n) => n.trim().replace(/["']/g, ""));
      const kept = names.filter((n) => brought.has(n.toLowerCase())), mono = names.some((n) => MONO.test(n));
      return [...kept, mono ? o.mono : o.sans].map((n) => JSON.stringify(n)).join(", ");
    });
    elements.forEach((e, i) => e.style?.setProperty("font-family", wanted[i], "important"));
  };
  for (const root of roots(document)) {
    if (o.fonts.length) dress(Array.from(root.querySelectorAll("*")));
    if (![...root.adoptedStyleSheets].some((s) => s.cssRules[0]?.cssText.includes(MARK))) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    }
    for (const a of root.getAnimations()) {
      try { a.effect.getComputedTiming().endTime === Infinity ? a.cancel() : a.finish(); } catch { }
    }
  }
  await soon(document.fonts.ready, 5000);
  await soon(Promise.all([...document.images].filter((i) => i.complete).map((i) => i.decode().catch(() => { }))), 5000);
  await frame();
  await frame();

  const result = { Masks: [], Bad: [], Ratio: devicePixelRatio };
  for (const selector of o.mask) {
    let found = [];
    try { found = roots(document).flatMap((r) => [...r.querySelectorAll(selector)]); } catch { }
    if (!found.length) result.Bad.push(selector);
    for (const e of found) {
      const r = e.getBoundingClientRect(), [x, y] = o.full ? [scrollX, scrollY] : [0, 0];
      result.Masks.push({ X: r.x + x, Y: r.y + y, W: r.width, H: r.height });
    }
  }
  return result;
}
