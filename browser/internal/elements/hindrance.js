// Says what stands in the way of an element: [reason, detail], with an empty reason when nothing does, and, to "find", whether the match
// is in a shadow tree. The words are those of actions.Reason.
([path, act]) => {
  const visible = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(e).visibility === "visible";
  };
  const tag = (e) => {
    let text = "<" + e.localName;
    for (const a of [...e.attributes].slice(0, 10)) text += ` ${a.name}="${a.value.slice(0, 100)}"`;
    return text + ">";
  };
  const above = (root, x, y) => {
    let at = root.elementFromPoint(x, y);
    while (at && at.shadowRoot) {
      const inner = at.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === at) break;
      at = inner;
    }
    return at;
  };
  const within = (e, at) => {
    for (let n = at; n; n = n.assignedSlot || n.parentNode || n.host) if (n === e) return true;
    return false;
  };
  let all;
  try { all = matches(path); } catch (e) { return ["invalid selector", String(e.message).slice(0, 300)]; }
  if (all.length === 0) return ["nothing matched", ""];
  if (act === "see") return all.some(visible) ? ["", ""] : ["not visible", ""];
  const e = act instanceof Element ? act : all[0];
  if (act === "find") return ["", "", e.getRootNode() !== document];
  if (!e.isConnected) return ["detached", ""];
  if (!visible(e)) return ["not visible", e.localName === "option" ? "an option is chosen by keys, after a click on its select" : ""];
  if (e.matches(":disabled") || e.closest("[aria-disabled=true]")) return ["disabled", ""];
  if (getComputedStyle(e).pointerEvents === "none") return ["disabled", "its style has pointer-events: none"];
  e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const middle = () => {
    const box = e.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const reason = () => {
    const [x, y] = middle();
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return ["out of view", ""];
    const at = above(document, x, y), label = e.closest("label");
    if (at && !within(e, at) && !(label && within(label, at))) return ["covered by", tag(at)];
    return ["", ""];
  };
  // What moves is elsewhere two pictures later. A window that draws none is taken as it is.
  return new Promise((done) => {
    const before = middle();
    const look = () => done(middle().some((v, i) => Math.abs(v - before[i]) > 0.5) ? ["moving", ""] : reason());
    requestAnimationFrame(() => requestAnimationFrame(look));
    setTimeout(look, 500);
  });
}
