// matches are those of a path of selectors: each but the last means an element, whose open shadow tree the next one is for. Where a tree
// has no match of its own, those in open shadow trees within it count. An invalid selector throws.
const inTree = (root, selector) => {
  const own = [...root.querySelectorAll(selector)];
  if (own.length) return own;
  for (const e of root.querySelectorAll("*")) if (e.shadowRoot) own.push(...inTree(e.shadowRoot, selector));
  return own;
};
const matches = (path) => {
  const last = path.length - 1;
  const root = path.slice(0, last).reduce((root, selector) => root && inTree(root, selector)[0]?.shadowRoot, document);
  return root ? inTree(root, path[last]) : [];
};
