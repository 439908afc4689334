package reader

// Part is what content without a gap in it belongs to: a paragraph, a heading or an item where Whole is set, else what stands between such
// in a larger element. Numbers count in reading order from 1, over all pages; Order is that of marked content.
type Part struct {
	Number, Order int
	Whole         bool
}

// inline are the roles of what stands in a line (ISO 32000-1, 14.8.4.4), and of what is no element of its own.
var inline = map[string]bool{
	"Span": true, "Quote": true, "Reference": true, "BibEntry": true, "Code": true, "Link": true, "Annot": true, "Em": true, "Strong": true,
	"Sub": true, "Ruby": true, "RB": true, "RT": true, "RP": true, "Warichu": true, "WT": true, "WP": true, "Formula": true, "Figure": true,
	"Form": true, "NonStruct": true, "Private": true, "Lbl": true, "LBody": true,
	"": true, // the reference of an annotation
}

// whole are the roles of what is one paragraph.
var whole = map[string]bool{
	"P": true, "H": true, "H1": true, "H2": true, "H3": true, "H4": true, "H5": true, "H6": true, "Title": true, "LI": true, "LBody": true,
	"TOCI": true, "Caption": true, "Note": true, "FENote": true, "BlockQuote": true, "TH": true, "TD": true,
}

// begins begins a part with an element, and reports whether what is in it is one paragraph. The first paragraph of an item goes on
// after the item's mark.
func (t *Tags) begins(role string, outer bool) bool {
	if inline[role] {
		return outer || whole[role]
	}
	if !t.label || role == "LI" {
		t.part++
	}
	return whole[role]
}
