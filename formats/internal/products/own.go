package products

import (
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/structured"
)

// productTypes are the types of what is sold by itself. Works are products where they have
// offers.
var (
	productTypes = []string{"Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle", "Car", "Motorcycle"}
	workTypes    = []string{"Book", "VideoGame", "MusicAlbum", "SoftwareApplication", "MobileApplication", "WebApplication", "Course"}
)

// asides are the properties by which an item is not what the page is about.
var asides = []string{"isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor", "itemListElement", "item", "itemReviewed", "hasVariant",
	"isVariantOf", "mentions", "about", "hasPart", "isPartOf", "predecessorOf", "successorOf", "review", "makesOffer", "hasOfferCatalog", "owns", "model"}

// own is the page's own product, nil for none.
func (f *finder) own() *structured.Item {
	var list []*structured.Item
	for _, it := range f.Graph.Items {
		if (it.Is(productTypes...) || it.Is(workTypes...) && len(offersOf(it)) > 0) && !aside(it) {
			list = append(list, f.group(it))
		}
	}
	list = distinct(list)
	if len(list) == 0 || names(list) <= 1 {
		return richest(list)
	}
	best, most := []*structured.Item(nil), 1
	for _, it := range list {
		switch n := f.ownness(it); {
		case n > most:
			best, most = []*structured.Item{it}, n
		case n == most:
			best = append(best, it)
		}
	}
	if most == 1 {
		return nil
	}
	return richest(best)
}

// aside reports whether an item, or one that it is part of, stands beside the page's subject.
func aside(it *structured.Item) bool {
	for range 40 {
		if it == nil || it.Parent == nil {
			return false
		}
		if slices.Contains(asides, it.Via) {
			return true
		}
		it = it.Parent
	}
	return true
}

// group is the group that a product is a variant of, where the page describes it; else the
// product itself.
func (f *finder) group(it *structured.Item) *structured.Item {
	for _, g := range it.Items("isVariantOf") {
		if g.Is("ProductGroup", "ProductModel", "Product") && g.Text("name") != "" {
			return g
		}
	}
	if id := it.Text("inProductGroupWithID"); id != "" {
		for _, g := range f.Graph.Of("ProductGroup") {
			if g.Text("productGroupID") == id {
				return g
			}
		}
	}
	return it
}

// ownness counts what speaks for an item being the page's subject; 1 and less is nothing.
func (f *finder) ownness(it *structured.Item) int {
	n := 0
	for _, ref := range []string{it.Text("url"), it.ID, it.Text("mainEntityOfPage")} {
		if ref != "" && f.isSelf(ref) {
			n += 8
			break
		}
	}
	if it.Via == "mainEntity" {
		n += 4
	}
	if name := strings.ToLower(it.Text("name")); name != "" && strings.Contains(strings.ToLower(f.Title), name) {
		n += 4
	}
	if n > 0 && len(offersOf(it)) > 0 {
		n++
	}
	return n
}

// isSelf reports whether an address is the page's, whatever its fragment.
func (f *finder) isSelf(ref string) bool {
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		return strings.TrimSuffix(s, "/")
	}
	href := plain(f.Absolute(ref))
	return href != "" && (href == plain(f.URL) || href == plain(f.Canonical))
}

func distinct(list []*structured.Item) []*structured.Item {
	seen := map[*structured.Item]bool{}
	return slices.DeleteFunc(list, func(it *structured.Item) bool {
		before := seen[it]
		seen[it] = true
		return before
	})
}

// names counts the different ones.
func names(list []*structured.Item) int {
	seen := map[string]bool{}
	for _, it := range list {
		seen[strings.ToLower(it.Text("name"))] = true
	}
	return len(seen)
}

// richest is the one with variants, else with offers, else with the longest name; the first of
// equals, nil of none.
func richest(list []*structured.Item) *structured.Item {
	var best *structured.Item
	most := -1
	for _, it := range list {
		n := min(len(it.Text("name")), 1000)
		if len(offersOf(it)) > 0 {
			n += 10_000
		}
		if len(it.Items("hasVariant")) > 0 {
			n += 20_000
		}
		if n > most {
			best, most = it, n
		}
	}
	return best
}
