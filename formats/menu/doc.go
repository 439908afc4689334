// Package menu finds the menu of a restaurant on a page: sections, dishes, prices, diets.
//
// It goes by what the page says for machines, in JSON-LD, microdata and RDFa; whoever can ask a
// model does so where [Menu.Missing] tells that there is nothing. It fetches nothing, so a menu
// that the page only links to isn't there.
//
// Start with [Find].
//
//   - menu.go — [Menu] and its parts, Missing, Clone
//   - find.go — [Page], Find: menus and sections
//   - merchant.go — whose menu it is
//   - items.go — dishes
package menu
