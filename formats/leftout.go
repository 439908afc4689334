package formats

import "github.com/winnow-go/winnow/formats/internal/content"

// LeftOut sums up the parts of one kind beside a page's main content: see [Options.LeftOut].
type LeftOut struct {
	Kind BlockKind `json:"kind"`
	// Blocks is how many separate parts of the page are of the kind. Parts without a word don't count.
	Blocks int `json:"blocks"`
	// Words of all of them.
	Words int `json:"words"`
	// FirstLine is the first line of the block with most words, white space folded, at most 80 bytes. A longer line is cut
	// between words and ends with "…".
	FirstLine string `json:"firstLine"`
}

// BlockKind is what a block beside the main content is for.
type BlockKind string

// All kinds of blocks; BlockKinds lists them.
const (
	BlockNavigation BlockKind = "navigation" // menus, breadcrumbs, pagers, tables of contents, tags
	BlockHeader     BlockKind = "header"     // the site's banner
	BlockFooter     BlockKind = "footer"
	BlockSidebar    BlockKind = "sidebar"
	BlockRelated    BlockKind = "related" // other pages, other things to buy
	BlockComments   BlockKind = "comments"
	BlockReviews    BlockKind = "reviews"
	BlockForm       BlockKind = "form"     // fields to fill in, with their labels
	BlockControls   BlockKind = "controls" // buttons, toolbars, choices
	BlockNewsletter BlockKind = "newsletter"
	BlockShare      BlockKind = "share"   // ways to share the page or to follow its site
	BlockOverlay    BlockKind = "overlay" // dialogs, consent boxes, notices
	BlockAdvert     BlockKind = "advert"
	BlockHidden     BlockKind = "hidden"  // what browsers don't show
	BlockByline     BlockKind = "byline"  // who wrote the text, and when
	BlockCaption    BlockKind = "caption" // of a picture
	BlockLinks      BlockKind = "links"   // anything else that is mostly links
	BlockText       BlockKind = "text"    // anything else
)

// BlockKinds returns all kinds of a [LeftOut].
func BlockKinds() []BlockKind {
	var kinds []BlockKind
	for _, k := range content.BlockKinds() {
		kinds = append(kinds, BlockKind(k))
	}
	return kinds
}

// leftOutOf is what a tree has between two masks.
func leftOutOf(t *content.Tree, all, kept content.Mask) []LeftOut {
	var list []LeftOut
	for _, l := range t.LeftOut(all, kept) {
		list = append(list, LeftOut{Kind: BlockKind(l.Kind), Blocks: l.Blocks, Words: l.Words, FirstLine: l.FirstLine})
	}
	return list
}
