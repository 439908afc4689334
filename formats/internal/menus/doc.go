// Package menus finds the menu of a restaurant on a page: sections, dishes, prices, diets.
//
// It uses the page's structured data, in JSON-LD, microdata and RDFa. It fetches nothing, so a menu that the page only
// links to isn't there.
//
// Start with [Find].
//
//   - find.go — [Page], Find: menus and sections
//   - merchant.go — whose menu it is
//   - items.go — dishes
package menus
