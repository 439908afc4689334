// Runs one script and gives a JSON string that says what came of it: see ParseReturn in script.go.
// It must not be followed by a comment or statement: the source and the limit are appended as its arguments.
(async (source, limit) => {
  const AsyncFunction = (async () => {}).constructor;
  const parses = (make) => { try { make(); return true; } catch { return false; } };
  const cut = (text) => String(text).slice(0, 1000);

  // What a script may be is decided before anything runs, so that nothing runs twice.
  const asBody = () => new AsyncFunction(source);
  const asExpression = () => new AsyncFunction("return (\n" + source + "\n)");
  const statements = () => parses(() => (0, eval)("if (false) {\n" + source + "\n}"));
  // A static block has neither return nor await of its own, as a script has none, and is never run.
  const plain = () => parses(() => new Function("class C { static {\n" + source + "\n} }"));
  // A declaration would parse as an expression too, and declare nothing.
  const declares = /^\s*(async\s+function|function|class)\b/.test(source);
  const run = () => {
    if (!declares && parses(asExpression)) return asExpression().call(globalThis);
    const asks = !plain() && (/\bawait\b/.test(source) || !statements());
    if (asks && parses(asBody)) return asBody().call(globalThis);
    return (0, eval)(source);
  };

  const describe = (value) => {
    try { return cut(value); } catch { return Object.prototype.toString.call(value); }
  };
  const thrown = (error) => {
    if (typeof error !== "object" || error === null || error instanceof Error || error instanceof DOMException) return describe(error);
    try { return cut(JSON.stringify(error)); } catch { return describe(error); }
  };
  const isNode = (value) => typeof value === "object" && value !== null && (value === globalThis || value instanceof EventTarget);
  const carry = (value) => {
    if (value === undefined) return { type: "undefined" };
    if (isNode(value) || (typeof value === "number" && !Number.isFinite(value))) return { type: "unknown", text: describe(value) };
    let json;
    try { json = JSON.stringify(value); } catch { return { type: "unknown", text: describe(value) }; }
    if (json === undefined) return { type: "unknown", text: describe(value) };
    if (json.length > limit) return { length: json.length };
    return { type: typeof JSON.parse(json), json };
  };

  try { return JSON.stringify(carry(await run())); } catch (error) { return JSON.stringify({ thrown: thrown(error) }); }
});
