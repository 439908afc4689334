// Runs before every document's own scripts. Counts what the page still has to do by script, and offers one hidden function that
// answers with a word when nothing is left. The patched functions are proxies of the real ones, so that they still look native.
(() => {
  if (window.top !== window) return;
  const QUIET = 150, POLL_QUIET = 900, LONG = 3000, TEXT_CAP = 3000, SHORT = 1000, TIMER_AGE = 2500, NEST = 4, TEXT = 200;
  const now = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  const born = now();
  const seen = new Map();     // address without query → how often asked
  const pending = new Map();  // token → {since, repeated}
  const timers = new Set();   // ids of short one-shot timers
  let changed = born, nest = 0;

  const begin = (address) => {
    let key = "";
    try { const u = new URL(address, document.baseURI); key = u.origin + u.pathname; } catch { }
    const count = (seen.get(key) || 0) + 1;
    if (seen.size < 1000 || seen.has(key)) seen.set(key, count);
    const token = {};
    if (pending.size < 1000) pending.set(token, { since: now(), repeated: count > 2 });
    return token;
  };
  const end = (token) => { if (pending.delete(token)) changed = Math.max(changed, now() - QUIET / 2); };
  const patch = (owner, name, apply) => {
    try { owner[name] = new Proxy(owner[name], { apply }); } catch { }
  };

  patch(window, "fetch", (real, self, args) => {
    let address = "";
    try { address = String(args[0] && args[0].url || args[0]); } catch { }
    const token = begin(address);
    const promise = Reflect.apply(real, self, args);
    // Of a stream only the head counts: it may go on for ever. Reading a body as a whole counts for itself.
    promise.then(() => later(end, 0, token), () => end(token));
    return promise;
  });
  for (const name of ["text", "json", "arrayBuffer", "blob", "formData"]) {
    patch(Response.prototype, name, (real, self, args) => {
      const token = begin(self.url);
      const promise = Reflect.apply(real, self, args);
      promise.then(() => later(end, 0, token), () => end(token));
      return promise;
    });
  }
  const addresses = new WeakMap();
  patch(XMLHttpRequest.prototype, "open", (real, self, args) => {
    try { addresses.set(self, String(args[1])); } catch { }
    return Reflect.apply(real, self, args);
  });
  patch(XMLHttpRequest.prototype, "send", (real, self, args) => {
    const token = begin(addresses.get(self) || "");
    self.addEventListener("loadend", () => end(token), { once: true });
    try { return Reflect.apply(real, self, args); } catch (e) { end(token); throw e; }
  });
  patch(window, "setTimeout", (real, self, args) => {
    const [fn, delay] = args;
    const depth = nest + 1;
    const wait = Number(delay) || 0;
    if (typeof fn !== "function" || wait > SHORT || depth > NEST || now() - born > TIMER_AGE) return Reflect.apply(real, self, args);
    let id;
    args[0] = function (...rest) {
      timers.delete(id);
      const outer = nest;
      nest = depth;
      try { return Reflect.apply(fn, this, rest); } finally { nest = outer; }
    };
    id = Reflect.apply(real, self, args);
    if (timers.size < 1000) timers.add(id);
    return id;
  });
  patch(window, "clearTimeout", (real, self, args) => { timers.delete(args[0]); return Reflect.apply(real, self, args); });

  // An element that comes or a long text counts as a change; a ticking counter doesn't.
  const matters = (nodes) => {
    for (const n of nodes) {
      if (n.nodeType === 1 && !/^(SCRIPT|STYLE|LINK|META)$/.test(n.nodeName)) return true;
      if (n.nodeType === 3 && n.data.length > 40) return true;
    }
    return false;
  };
  new MutationObserver((list) => {
    for (const m of list) {
      if (m.type === "childList" ? matters(m.addedNodes) : m.target.data.length > 40) { changed = now(); return; }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });

  const verdict = (started, cap) => {
    const t = now(), quiet = t - changed;
    if (t - started >= cap) return "cap";
    let open = timers.size + (document.readyState === "loading" ? 1 : 0), odd = 0;
    for (const p of pending.values()) p.repeated || t - p.since > LONG ? odd++ : open++;
    if (open === 0 && odd === 0 && quiet >= QUIET) return "quiet";
    if (open === 0 && quiet >= POLL_QUIET) return "polling";
    const text = document.body ? document.body.textContent.length : 0;
    if (t - started >= TEXT_CAP && text >= TEXT) return "cap";
    return "";
  };
  const wait = (cap) => new Promise((resolve) => {
    const started = now();
    const look = () => {
      const word = verdict(started, cap);
      word ? resolve(word) : later(look, 25);
    };
    look();
  });
  Object.defineProperty(window, "WATCHER", { value: wait });
})();
