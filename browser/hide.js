// Hides what the selectors match, by a style sheet that isn't part of the document. The property marks what was hidden so.
(selectors, property) => {
  if (window.top !== window) return;
  const sheet = new CSSStyleSheet();
  for (const s of selectors) {
    try { sheet.insertRule(`${s} { display: none !important; ${property}: 1 }`, sheet.cssRules.length); } catch { } // not a selector here
  }
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
