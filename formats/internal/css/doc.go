// Package css matches the elements of a page by CSS selectors.
// It does so in time that grows with the page and not with its depth or width: what a selector learns about the
// elements above, beside and below an element is remembered. Cascadia reads the selectors and knows their simple
// parts; by itself it tries each way up a tree again for each part, which on deep pages has no end.
//
//	css.go       Selector, and matching by the parts of one
//	compile.go   a selector cut into its parts
//	relative.go  conditions on other elements: :has, :not, :contains and the :nth- family
package css
