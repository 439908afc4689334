// Runs before every document's own scripts. Counts what the page still has to do by script, and offers one hidden function that
// answers with a word when nothing is left. The patched functions are proxies of the real ones, so that they still look native.
(() => {
  if (window.top !== window) return;
  const QUIET = 150, CALM = 50, POLL_QUIET = 900, LONG = 3000, TEXT_CAP = 3000, SHORT = 1000, TIMER_AGE = 2500, NEST = 4, TEXT = 200, PLACE_QUIET = 2500, LATE = 100, FRAMES = 10;
  const now = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  const born = now();
  const seen = new Map();     // address without query → how often asked
  const pending = new Map();  // token → {since, repeated}
  const timers = new Set();   // ids of short one-shot timers
  const working = new Set();  // {until} of what storage, compilers, decoders and workers have still to answer
  const frames = new Set();   // names of the first frames and idle moments that are waited for
  let changed = born, nest = 0, looked = -Infinity, waits = false;
  let whole = false;    // has been loaded: a script that opens the document again need not close it
  let restless = false; // more may come than is counted here: the page uses other ways to run later, or something has run since load
  const STREAM = /\.(m3u8|mpd|ts|m4s|mp4|webm|mp3|aac)$/i; // media comes in pieces without an end

  const begin = (address) => {
    let key = "";
    try { const u = new URL(address, document.baseURI); key = u.origin + u.pathname; } catch { }
    const count = (seen.get(key) || 0) + 1;
    if (seen.size < 1000 || seen.has(key)) seen.set(key, count);
    const token = {};
    if (pending.size < 1000 && !STREAM.test(key)) pending.set(token, { since: now(), repeated: count > 2 });
    return token;
  };
  window.addEventListener("load", () => { whole = true; }, { once: true });
  const parsing = () => document.readyState === "loading" && !whole;
  const ran = () => { restless ||= whole || document.readyState === "complete"; };
  const end = (token) => {
    if (!pending.delete(token)) return;
    changed = Math.max(changed, now() - QUIET / 2);
    ran();
  };
  const patch = (owner, name, apply) => {
    try { owner[name] = new Proxy(owner[name], { apply }); } catch { }
  };

  patch(window, "fetch", (real, self, args) => {
    let address = "";
    try {
      address = String(args[0] && args[0].url || args[0]);
      if (args[1] && args[1].keepalive || args[0] && args[0].keepalive) return Reflect.apply(real, self, args); // a beacon
    } catch { }
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
      ran();
      const outer = nest;
      nest = depth;
      try { return Reflect.apply(fn, this, rest); } finally { nest = outer; }
    };
    id = Reflect.apply(real, self, args);
    if (timers.size < 1000) timers.add(id);
    return id;
  });
  patch(window, "clearTimeout", (real, self, args) => { timers.delete(args[0]); return Reflect.apply(real, self, args); });

  const runsLater = (real, self, args) => { restless = true; return Reflect.apply(real, self, args); };
  const waitFor = (work, until) => {
    work.until = until;
    if (working.size < 1000) working.add(work);
  };
  // What answers once does so by a promise or an IDBRequest; the next step gets a moment more.
  const answers = (real, self, args) => {
    restless = true;
    const answer = Reflect.apply(real, self, args), request = answer ?? self.request, work = {}; // a cursor's
    const over = () => { work.until = now() + CALM; };
    waitFor(work, Infinity);
    if (typeof request?.then === "function") request.then(over, over);
    else for (const event of ["success", "error", "blocked"]) request?.addEventListener(event, over, { once: true });
    return answer;
  };
  const patchAll = (apply, list) => {
    for (const [owner, names] of list) for (const name of names) if (owner && name in owner) patch(owner, name, apply);
  };
  patchAll(runsLater, [
    [window, ["setInterval", "postMessage"]], [window.MessagePort?.prototype, ["postMessage"]],
    [window.ResizeObserver?.prototype, ["observe"]], [window.Scheduler?.prototype, ["postTask", "yield"]],
    [window.ReadableStream?.prototype, ["getReader", "pipeTo", "pipeThrough"]],
  ]);
  const rows = ["get", "getAll", "getKey", "getAllKeys", "count", "openCursor", "openKeyCursor", "put", "add"];
  patchAll(answers, [
    [window, ["createImageBitmap"]], [window.IDBFactory?.prototype, ["open", "databases"]], [window.IDBObjectStore?.prototype, rows],
    [window.IDBIndex?.prototype, rows], [window.IDBCursor?.prototype, ["continue", "advance"]],
    [window.CacheStorage?.prototype, ["match", "open", "keys", "has"]], [window.Cache?.prototype, ["match", "matchAll", "keys", "put"]],
    [window.StorageManager?.prototype, ["getDirectory", "estimate"]], [window.FileSystemDirectoryHandle?.prototype, ["getFileHandle"]],
    [window.FileSystemFileHandle?.prototype, ["getFile"]], [window.Blob?.prototype, ["text", "arrayBuffer"]],
    [window.ServiceWorkerContainer?.prototype, ["getRegistration", "getRegistrations"]],
    [window.SubtleCrypto?.prototype, ["importKey", "deriveKey", "deriveBits", "decrypt", "digest"]],
    [window.WebAssembly, ["instantiate", "instantiateStreaming", "compile", "compileStreaming"]],
  ]);
  // The browser's own processes decide when a frame comes, or a worker's answer. Animations and workers have no end: of the former
  // the first frames count, of the latter each answer for a second.
  let requested = 0;
  for (const [ask, cancel] of [["requestAnimationFrame", "cancelAnimationFrame"], ["requestIdleCallback", "cancelIdleCallback"]]) {
    patch(window, ask, (real, self, args) => {
      restless = true;
      const [fn] = args;
      if (typeof fn !== "function" || ++requested > FRAMES) return Reflect.apply(real, self, args);
      let id = 0;
      args[0] = function (...rest) { frames.delete(ask + id); return Reflect.apply(fn, this, rest); };
      id = Reflect.apply(real, self, args);
      frames.add(ask + id);
      return id;
    });
    patch(window, cancel, (real, self, args) => { frames.delete(ask + args[0]); return Reflect.apply(real, self, args); });
  }
  const works = new WeakMap(); // of workers
  const hears = (worker) => {
    if (!works.has(worker)) {
      const work = {}, over = () => { work.until = now() + CALM; };
      works.set(worker, work);
      for (const event of ["message", "error"]) worker.addEventListener(event, over);
    }
    waitFor(works.get(worker), now() + SHORT);
  };
  if (window.Worker) patch(Worker.prototype, "postMessage", (real, self, args) => { hears(self); return Reflect.apply(real, self, args); });
  const inView = []; // elements of which the page waits until they are in view
  if (window.IntersectionObserver) patch(IntersectionObserver.prototype, "observe", (real, self, args) => {
    if (inView.length < 1000 && args[0] instanceof Element) inView.push(new WeakRef(args[0]));
    return runsLater(real, self, args);
  });
  const blank = (e) => e.textContent.trim() === "" && e.localName !== "img" && !e.querySelector("img, svg, video, canvas, iframe, input");
  const unseen = (e) => {
    const box = e?.getBoundingClientRect();
    if (!box || box.top < innerHeight || box.width < 40 || box.height < 40) return false; // seen, or the end of a list
    const style = getComputedStyle(e), ends = box.bottom + scrollY >= document.documentElement.scrollHeight - 1;
    return blank(e) && !ends || style.opacity === "0" || style.visibility === "hidden";
  };
  const makes = {
    construct(real, args, as) {
      restless = true;
      const made = Reflect.construct(real, args, as);
      if (window.Worker && made instanceof Worker) hears(made);
      return made;
    },
  };
  for (const name of ["Worker", "SharedWorker", "WebSocket", "EventSource", "BroadcastChannel", "Image"]) {
    try {
      const patched = new Proxy(window[name], makes);
      patched.prototype.constructor = patched;
      window[name] = patched;
    } catch { }
  }

  // Scripts and styles that scripts add are often the next part of the program.
  const follow = (nodes) => {
    if (parsing()) return; // the parser waits for its own
    for (const n of nodes) {
      if (n.nodeName === "SCRIPT" ? !n.src : n.nodeName !== "LINK" || n.rel !== "stylesheet") continue;
      const token = begin(n.src || n.href), done = () => end(token);
      n.addEventListener("load", done, { once: true });
      n.addEventListener("error", done, { once: true });
    }
  };
  // An element that comes or a long text counts as a change; a ticking counter doesn't.
  const matters = (nodes) => {
    for (const n of nodes) {
      if (n.nodeType === 1 && !/^(SCRIPT|STYLE|LINK|META)$/.test(n.nodeName)) return true;
      if (n.nodeType === 3 && n.data.length > 40) return true;
    }
    return false;
  };
  new MutationObserver((list) => {
    for (const m of list) if (m.type === "childList") follow(m.addedNodes);
    for (const m of list) {
      if (m.type === "childList" ? matters(m.addedNodes) : m.target.data.length > 40) { changed = now(); ran(); return; }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });

  // What stands where content is still to come.
  const PLACE = "[aria-busy=true], [role=progressbar], [class*=skeleton i], [class*=shimmer i], [class*=spinner i], [class*=loader i], [class~=loading i]";
  const empty = (e) => {
    if (e.nodeName === "IMG" || e.textContent.trim().length > 30) return false;
    const box = e.getBoundingClientRect();
    return box.width > 3 && box.height > 3 && box.top < innerHeight && box.bottom > 0 && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const placeholder = () => {
    const body = document.body;
    if (!body) return true;
    const text = body.textContent.length < 5000 ? body.innerText.trim() : "enough";
    if (text === "" && document.scripts.length && !body.querySelector("img, svg, canvas, video, iframe, object, input")) return true;
    if (text.length < 300 && /^(loading|please wait|just a moment|bitte warten|wird geladen|chargement|cargando)\b|\b(loading|wird geladen|chargement|cargando)\s*(\.{2,}|…)/i.test(text)) return true;
    let n = 0;
    for (const e of body.querySelectorAll(PLACE)) {
      if (n++ > 50) return false;
      if (empty(e)) return true;
    }
    return false;
  };
  // awaited answers at most ten times a second: looking makes the browser lay the page out.
  const awaited = (t) => {
    if (t - looked < 100) return waits;
    looked = t;
    try { waits = placeholder(); } catch { waits = false; }
    return waits;
  };

  const verdict = (started, cap) => {
    const t = now(), quiet = t - changed;
    if (t - started >= cap) return "cap";
    let open = timers.size + (parsing() ? 1 : 0), odd = 0;
    for (const work of working) if (work.until <= t) working.delete(work);
    if (t - started < LONG) open += working.size + frames.size; // afterwards what never comes to an end would make the wait one for the cap
    for (const p of pending.values()) p.repeated || t - p.since > LONG ? odd++ : open++;
    const still = open === 0 && (odd === 0 && quiet >= (restless || window.length ? QUIET : CALM) || quiet >= POLL_QUIET);
    if (still && awaited(t)) return quiet >= PLACE_QUIET ? "placeholder" : "";
    if (still) return odd === 0 ? "quiet" : "polling";
    const text = document.body ? document.body.textContent.length : 0;
    if (t - started >= TEXT_CAP && text >= TEXT) return "cap";
    return "";
  };
  // again: an earlier answer came too early, since something loads that is not seen here.
  const wait = (cap, again) => new Promise((resolve) => {
    restless ||= again;
    const started = now();
    let due = started;
    const look = () => {
      // On a busy machine this look comes late, and so does what the page would have changed meanwhile: that time was not quiet.
      changed += Math.min(now() - due, LATE);
      due = now() + 25;
      const word = verdict(started, cap);
      word ? resolve(word) : later(look, 25);
    };
    look();
  });
  wait.unseen = () => inView.some((ref) => unseen(ref.deref()));
  Object.defineProperty(window, "WATCHER", { value: wait });
})();
