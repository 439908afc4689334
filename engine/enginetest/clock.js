// Runs before each document's own scripts and makes its time stand, until an event of the test advances it. Timers run by real time;
// those that are due by then run when the time is advanced, in order. What begins with a dollar sign is replaced.
(() => {
  const NAME = "$NAME", RealDate = Date;
  let now = $START;
  if (!document.dispatchEvent(new CustomEvent(NAME + ":set", { detail: now, cancelable: true }))) return; // it is there already

  RealDate.now = () => now;
  window.Date = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length ? args : [now], made === window.Date ? target : made),
    apply: () => new RealDate(now).toString(),
  });
  RealDate.prototype.constructor = window.Date;
  const formats = Intl.DateTimeFormat.prototype, format = Object.getOwnPropertyDescriptor(formats, "format"), toParts = formats.formatToParts;
  Object.defineProperty(formats, "format", { ...format, get() {
    const of = format.get.call(this);
    return (date = now) => of(date);
  } });
  formats.formatToParts = function formatToParts(date = now) { return toParts.call(this, date); };
  if (window.Temporal) {
    const at = (zone = Temporal.Now.timeZoneId()) => Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
    Object.assign(Temporal.Now, {
      instant: () => at().toInstant(), zonedDateTimeISO: at, plainDateTimeISO: (zone) => at(zone).toPlainDateTime(),
      plainDateISO: (zone) => at(zone).toPlainDate(), plainTimeISO: (zone) => at(zone).toPlainTime(),
    });
  }

  const timers = new Map(); // id → {due, every, run}, by the clock
  const start = { timeout: window.setTimeout, interval: window.setInterval };
  const stop = window.clearTimeout; // which ends intervals too
  const schedule = (begin, repeats) => function (callback, delay, ...args) {
    if (typeof callback !== "function") return begin.call(window, callback, delay, ...args);
    const wait = Math.max(0, Math.floor(Number(delay)) || 0), timer = { due: now + wait, every: repeats ? Math.max(1, wait) : 0 };
    timer.run = () => {
      if (!repeats) timers.delete(id);
      return callback.apply(window, args);
    };
    const id = begin.call(window, () => timer.run(), delay);
    timers.set(id, timer);
    return id;
  };
  const end = (id) => {
    timers.delete(Number(id));
    stop.call(window, id);
  };
  window.setTimeout = schedule(start.timeout, false);
  window.setInterval = schedule(start.interval, true);
  window.clearTimeout = window.clearInterval = end;

  const pause = () => new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });
  const advance = async (by) => {
    const until = now + by;
    for (let runs = 0; runs < 10_000; runs++) {
      const [id, next] = [...timers].reduce((a, b) => (b[1].due < a[1].due ? b : a), [0, { due: Infinity }]);
      if (next.due > until) break;
      now = Math.max(now, next.due);
      next.due += next.every;
      if (!next.every) stop.call(window, id);
      try { next.run(); } catch (error) { reportError(error); }
      await pause(); // what it has promised goes on, and may set further timers
    }
    now = until;
  };
  document.addEventListener(NAME + ":set", (event) => {
    event.preventDefault();
    now = event.detail;
  });
  document.addEventListener(NAME, (event) => {
    event.preventDefault();
    advance(event.detail).finally(() => document.dispatchEvent(new CustomEvent(NAME + ":done")));
  });
})();
