// Runs before the scripts of every document and worker that is replayed: the clock stands at the recording, and what is random is the same
// in each replay. Called with the moment in milliseconds and what seeds the random.
//
// Date stands at the moment and moves only where scripts could not go on otherwise: where it is read in an animation frame, by 100 ms; in a
// timeout of less than a second, and in an interval of less than 100 ms, by their delay; and by a millisecond each thousand times that it
// is read, for loops that wait for it. So debounced functions run, and animations end, six times as fast as the screen's: before the page is
// read; while what a page shows of the time, though it looks every second, is what it showed at the recording. performance.now moves with
// frames and all timers. Timers themselves are real.
//
// What is patched stays a proxy of what was there, so that it still looks native.
(function install(start, seed) {
  const g = globalThis, perf = g.performance, apply = Reflect.apply, Old = Date, real = Old.now();
  if (!perf || perf.timeOrigin === start) return; // it is there already
  const SPIN = 1000, FRAME = 100, SECOND = 1000, ANIMATION = 100, KNOWN = 1000;

  const patch = (owner, name, change) => {
    try { owner[name] = new Proxy(owner[name], { apply: change }); } catch { }
  };
  const patchGetter = (owner, name, change) => {
    const d = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!d || !d.get) return;
    d.get = new Proxy(d.get, { apply: (get, self, args) => change(apply(get, self, args), self) });
    Object.defineProperty(owner, name, d);
  };

  const soon = g.setTimeout.bind(g);
  // A clock in milliseconds since the moment. floor is where it goes when it is read.
  class Clock {
    at = 0; floor = 0; reads = 0;
    read() {
      if (this.floor > this.at) { this.at = this.floor; this.reads = 0; }
      if (++this.reads >= SPIN) { this.reads = 0; this.at++; }
      return this.at;
    }
    // A task begins, and ends behind the promises that it settles.
    enter(due) {
      this.floor = due;
      if (due > 0) soon(() => { if (this.floor === due) this.floor = 0; }, 0);
    }
  }
  const wall = new Clock(), passed = new Clock();
  passed.at = FRAME; // a page is never there at once
  const now = () => start + Math.floor(wall.read());
  const elapsed = () => Math.round(passed.read() * 10) / 10;
  const moved = (t) => { passed.at = Math.max(passed.at, t); };

  const wrapTimer = (name, limit) => patch(g, name, (timer, self, args) => {
    const [f, delay] = args, wait = Math.max(1, Number(delay) || 0);
    if (typeof f !== "function") return apply(timer, self, args);
    let due = passed.at + wait, wallDue = wait < limit ? wall.at + wait : 0;
    args[0] = function (...rest) {
      moved(due);
      wall.enter(wallDue);
      due = passed.at + wait;
      wallDue = wallDue && wallDue + wait;
      return apply(f, this, rest);
    };
    return apply(timer, self, args);
  });
  wrapTimer("setTimeout", SECOND);
  wrapTimer("setInterval", ANIMATION);
  let frame = -1, frameDue = 0;
  patch(g, "requestAnimationFrame", (ask, self, args) => {
    const f = args[0];
    if (typeof f === "function") args[0] = function (t) {
      if (t !== frame) {
        frame = t;
        frameDue = wall.at + FRAME;
        moved(passed.at + FRAME);
      }
      wall.enter(frameDue);
      return apply(f, this, [elapsed()]);
    };
    return apply(ask, self, args);
  });

  const Clocked = new Proxy(Old, {
    apply: () => new Old(now()).toString(),
    construct: (_, args, as) => Reflect.construct(Old, args.length ? args : [now()], as),
  });
  patch(Old, "now", now);
  Object.defineProperty(Old.prototype, "constructor", { value: Clocked, writable: true, configurable: true });
  Object.defineProperty(g, "Date", { value: Clocked, writable: true, configurable: true });

  const orNow = (args) => args[0] === undefined ? [now()] : args;
  patch(Intl.DateTimeFormat.prototype, "formatToParts", (f, self, args) => apply(f, self, orNow(args)));
  const formats = new WeakMap();
  patchGetter(Intl.DateTimeFormat.prototype, "format", (f) => {
    if (!formats.has(f)) formats.set(f, new Proxy(f, { apply: (_, self, args) => apply(f, self, orNow(args)) }));
    return formats.get(f);
  });
  if (g.Temporal) {
    const instant = () => g.Temporal.Instant.fromEpochMilliseconds(now());
    const zoned = (zone) => instant().toZonedDateTimeISO(zone === undefined ? g.Temporal.Now.timeZoneId() : zone);
    patch(g.Temporal.Now, "instant", instant);
    patch(g.Temporal.Now, "zonedDateTimeISO", (_, self, args) => zoned(args[0]));
    patch(g.Temporal.Now, "plainDateTimeISO", (_, self, args) => zoned(args[0]).toPlainDateTime());
    patch(g.Temporal.Now, "plainDateISO", (_, self, args) => zoned(args[0]).toPlainDate());
    patch(g.Temporal.Now, "plainTimeISO", (_, self, args) => zoned(args[0]).toPlainTime());
  }

  const origin = perf.timeOrigin;
  patch(g.Performance.prototype, "now", (f, self, args) => { apply(f, self, args); return elapsed(); });
  patchGetter(g.Performance.prototype, "timeOrigin", () => start);
  const timing = g.PerformanceTiming?.prototype;
  for (const name of Object.getOwnPropertyNames(timing || {})) patchGetter(timing, name, (t) => t && Math.round(t - origin + start));
  // Without a header that says it, a document was changed now.
  patchGetter(g.Document?.prototype, "lastModified", (text) => {
    if (Old.parse(text) < real - 2 * SECOND) return text;
    const t = new Old(start), two = (n) => String(n).padStart(2, "0");
    return `${two(t.getMonth() + 1)}/${two(t.getDate())}/${t.getFullYear()} ${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
  });
  // The browser's own clock decides when a cookie ends.
  const cookie = g.Document && Object.getOwnPropertyDescriptor(g.Document.prototype, "cookie");
  if (cookie?.set) {
    const later = (all, name, when) => isNaN(Old.parse(when)) ? all : name + new Old(Old.parse(when) - start + real).toUTCString();
    cookie.set = new Proxy(cookie.set, { apply: (set, self, [text]) => apply(set, self, [String(text).replace(/(;\s*expires=)([^;]+)/i, later)]) });
    Object.defineProperty(g.Document.prototype, "cookie", cookie);
  }

  // A generator of 32 bits: a hash of the seed, then mulberry32.
  const generator = (word) => {
    let h = 2166136261;
    for (const c of word) h = Math.imul(h ^ c.codePointAt(0), 16777619);
    return () => {
      let x = h = h + 0x6d2b79f5 | 0;
      x = Math.imul(x ^ x >>> 15, x | 1);
      x ^= x + Math.imul(x ^ x >>> 7, x | 61);
      return (x ^ x >>> 14) >>> 0;
    };
  };
  const random = generator("random " + seed), bits = generator("bits " + seed);
  patch(Math, "random", () => (random() * 2 ** 20 + (random() >>> 12)) / 2 ** 52);
  const fill = (bytes) => { for (let i = 0; i < bytes.length; i++) bytes[i] = bits(); };
  patch(g.Crypto.prototype, "getRandomValues", (f, self, args) => {
    const array = apply(f, self, args); // which checks it
    fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  });
  patch(g.Crypto.prototype, "randomUUID", (f, self, args) => {
    apply(f, self, args);
    const b = new Uint8Array(16);
    fill(b);
    b[6] = b[6] & 0x0f | 0x40;
    b[8] = b[8] & 0x3f | 0x80;
    return Array.from(b, (n) => n.toString(16).padStart(2, "0")).join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  });

  // Workers whose script no site sends begin with this script; into all others it is put as they are sent, which by plain http their address
  // has to ask for.
  const blobs = new Map();
  const made = (n) => `(${install})(${start}, ${JSON.stringify(`${seed} worker ${n}`)});\n`;
  patch(URL, "createObjectURL", (f, self, args) => {
    const address = apply(f, self, args);
    if (args[0] instanceof Blob && blobs.size < KNOWN) blobs.set(address, args[0]);
    return address;
  });
  patch(URL, "revokeObjectURL", (f, self, args) => { blobs.delete(String(args[0])); return apply(f, self, args); });
  const create = URL.createObjectURL;
  let workers = 0;
  const prepared = (address) => {
    const u = new URL(address, g.document ? document.baseURI : location.href), blob = blobs.get(u.href);
    if (blob) return create.call(URL, new Blob([made(++workers), blob], { type: blob.type || "text/javascript" }));
    if (u.protocol === "data:") {
      const comma = u.href.indexOf(","), head = u.href.slice(0, comma + 1), body = u.href.slice(comma + 1), code = made(++workers);
      if (!/;base64,$/i.test(head)) return head + encodeURIComponent(code) + body;
      const plain = unescape(encodeURIComponent(code));
      return head + btoa(plain + " ".repeat((3 - plain.length % 3) % 3)) + body;
    }
    if (u.protocol === "http:" && !g.isSecureContext) return u.href + (u.search ? "&" : "?") + "MARK";
    return address;
  };
  for (const name of ["Worker", "SharedWorker"]) {
    if (!g[name]) continue;
    const Real = g[name];
    const patched = new Proxy(Real, {
      construct(_, args, as) {
        let address;
        try { address = prepared(args[0]); } catch { return Reflect.construct(Real, args, as); }
        try { return Reflect.construct(Real, [address, ...args.slice(1)], as); } catch { return Reflect.construct(Real, args, as); }
      },
    });
    Real.prototype.constructor = patched;
    g[name] = patched;
  }
})
