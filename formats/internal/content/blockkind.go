package content

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// BlockKind is what a block beside the main content is for.
type BlockKind string

// All kinds of blocks; [BlockKinds] lists them.
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

// BlockKinds are all kinds of blocks.
func BlockKinds() []BlockKind {
	return []BlockKind{
		BlockNavigation, BlockHeader, BlockFooter, BlockSidebar, BlockRelated, BlockComments, BlockReviews, BlockForm, BlockControls,
		BlockNewsletter, BlockShare, BlockOverlay, BlockAdvert, BlockHidden, BlockByline, BlockCaption, BlockLinks, BlockText,
	}
}

// blockTags are the kinds of elements that are for one thing only.
var blockTags = map[atom.Atom]BlockKind{
	atom.Nav: BlockNavigation, atom.Aside: BlockSidebar, atom.Dialog: BlockOverlay, atom.Figcaption: BlockCaption, atom.Time: BlockByline,
	atom.Form: BlockForm, atom.Fieldset: BlockForm, atom.Label: BlockForm,
	atom.Button: BlockControls, atom.Select: BlockControls, atom.Option: BlockControls, atom.Textarea: BlockForm,
}

// blockRoles are the ARIA roles whose kind is not that of all roles of their boilerplate.
var blockRoles = map[string]BlockKind{
	"navigation": BlockNavigation, "menu": BlockNavigation, "menubar": BlockNavigation, "banner": BlockHeader, "contentinfo": BlockFooter,
	"complementary": BlockSidebar, "search": BlockForm,
}

// blockNames are the kinds of the words in class and id that mark boilerplate.
var blockNames = func() map[string]BlockKind {
	kinds := make(map[string]BlockKind)
	enter := func(names []string, kind func(string) BlockKind) {
		for _, name := range names {
			kinds[name] = kind(name)
		}
	}
	for k, names := range boilerplateNames {
		enter(names, func(name string) BlockKind { return blockKindOf(k, name) })
	}
	for k, names := range map[BlockKind][]string{
		BlockNavigation: tagNames, BlockHidden: hiddenNames, BlockAdvert: adNames, BlockNewsletter: newsletterNames, BlockRelated: relatedNames,
		BlockShare: shareNames, BlockByline: authorNames,
	} {
		enter(names, func(string) BlockKind { return k })
	}
	return kinds
}()

// blockKindOf is the kind of an element that a rule takes for boilerplate k, by its name.
func blockKindOf(k kind, name string) BlockKind {
	switch k {
	case frame:
		return frameKind(name)
	case box:
		return BlockOverlay
	case comment:
		return BlockComments
	case review:
		return BlockReviews
	case form:
		return BlockForm
	case control, action:
		return BlockControls
	case unshown:
		return BlockHidden
	}
	return ""
}

// frameKind sorts the parts of a site's frame by the words in their names.
func frameKind(name string) BlockKind {
	for _, part := range []struct {
		kind  BlockKind
		names []string
	}{
		{BlockFooter, []string{"footer", "colophon", "copyright", "bottom"}},
		{BlockHeader, []string{"header", "masthead", "top"}},
		{BlockSidebar, []string{"side", "rail", "secondary", "widget"}},
	} {
		for _, s := range part.names {
			if strings.Contains(name, s) {
				return part.kind
			}
		}
	}
	return BlockNavigation
}

// ownKind is the kind that an element's own tag, role, names and style say; "" when they say nothing. inside reports that it is in an
// article, whose headers and footers are its own.
func ownKind(e *node, inside bool) BlockKind {
	if k := blockTags[e.DataAtom]; k != "" {
		return k
	}
	if role := attr(e.Node, "role"); role != "" {
		if k := roleKind(role); k != "" {
			return k
		}
	}
	switch {
	case e.DataAtom == atom.Header && !inside:
		return BlockHeader
	case e.DataAtom == atom.Footer && !inside:
		return BlockFooter
	case e.mark.kind != none:
		return nameKind(e)
	case e.mark.signs != 0:
		return signKind(e.mark.signs)
	}
	return styleKind(e)
}

func roleKind(role string) BlockKind {
	if k := blockRoles[role]; k != "" {
		return k
	}
	return blockKindOf(roles[role], role)
}

// nameKind is the kind of the first word of class and id that marks boilerplate.
func nameKind(e *node) BlockKind {
	for _, key := range []string{"class", "id"} {
		for name := range strings.FieldsSeq(attr(e.Node, key)) {
			if k := blockNames[strings.ToLower(name)]; k != "" {
				return k
			}
		}
	}
	return ""
}

func signKind(s signs) BlockKind {
	switch {
	case s&signApart != 0:
		return BlockOverlay
	case s&signPost != 0:
		return BlockComments
	case s&(signMeta|signUser|signSignature|signName) != 0:
		return BlockByline
	}
	return ""
}

func styleKind(e *node) BlockKind {
	for _, a := range e.Attr {
		switch {
		case a.Key == "hidden", a.Key == "style" && hides(a.Val):
			return BlockHidden
		case a.Key == "aria-modal" && a.Val == "true":
			return BlockOverlay
		}
	}
	return ""
}

// topicKinds are the kinds of sections with a heading of that topic.
var topicKinds = map[topic]BlockKind{
	related: BlockRelated, popular: BlockRelated, opinions: BlockReviews, answering: BlockComments,
	letters: BlockNewsletter, discussion: BlockComments,
}

// isLine reports a kind of which a larger block may well have some: it doesn't split the block into parts.
func (k BlockKind) isLine() bool {
	switch k {
	case BlockByline, BlockCaption, BlockControls:
		return true
	}
	return false
}
