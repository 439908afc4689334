package products

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/product"
)

// read makes a product of an item and of those that say more of the same.
func (f *finder) read(own *structured.Item) *product.Product {
	p := &product.Product{}
	for _, it := range f.same(own) {
		p.Title = cmp.Or(p.Title, short(plainText(it.Text("name", "headline"))))
		p.Brand = cmp.Or(p.Brand, short(it.Text("brand", "manufacturer")))
		p.Category = cmp.Or(p.Category, category(it))
		p.Description = cmp.Or(p.Description, cut(plainText(it.Text("description")), maxText))
		f.addVariants(p, it)
	}
	return p
}

// same are the item and the others of its kind and name that stand for themselves: pages say
// the same in two notations.
func (f *finder) same(own *structured.Item) []*structured.Item {
	list := []*structured.Item{own}
	name := strings.ToLower(own.Text("name"))
	for _, it := range f.Graph.Of(productTypes...) {
		if it != own && name != "" && strings.ToLower(it.Text("name")) == name && !aside(it) && len(list) < 10 {
			list = append(list, it)
		}
	}
	return list
}

// category joins what an item says of its place.
func category(it *structured.Item) string {
	list := it.Texts("category")
	if len(list) == 0 {
		return ""
	}
	if len(list) == 1 {
		parts := strings.FieldsFunc(list[0], func(r rune) bool { return r == '>' || r == '›' || r == '»' })
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		list = slices.DeleteFunc(parts, func(s string) bool { return s == "" || strings.Contains(s, "://") })
	}
	return short(strings.Join(list[:min(len(list), 10)], " > "))
}

// breadcrumbs are the way to the page without its beginning and its end.
func (f *finder) breadcrumbs(title string) string {
	for _, list := range f.Graph.Of("BreadcrumbList") {
		crumbs := list.Items("itemListElement")
		slices.SortStableFunc(crumbs, func(a, b *structured.Item) int { return position(a) - position(b) })
		var names []string
		for _, c := range crumbs[:min(len(crumbs), 20)] {
			name, ref := crumb(c)
			if name == "" || strings.EqualFold(name, title) || ref != "" && (f.isSelf(ref) || f.isFront(ref)) {
				continue
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			return short(strings.Join(names, " > "))
		}
	}
	return ""
}

func crumb(c *structured.Item) (name, ref string) {
	name = c.Text("name")
	for _, inner := range c.Items("item") {
		return cmp.Or(name, inner.Text("name")), cmp.Or(inner.ID, inner.Text("url"))
	}
	return name, c.Text("item", "url")
}

func position(c *structured.Item) int {
	n, _ := strconv.Atoi(c.Text("position"))
	return min(max(n, 0), 1000)
}

// isFront reports whether an address is that of a site's first page.
func (f *finder) isFront(ref string) bool {
	u, err := url.Parse(f.Absolute(ref))
	return err == nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
}

// images of an item, absolute, each once.
func (f *finder) images(it *structured.Item) []product.Image {
	var list []product.Image
	for _, v := range it.All("image", "images", "photo") {
		img := product.Image{URL: v.Text}
		if v.Item != nil {
			img = product.Image{URL: cmp.Or(v.Item.Text("contentUrl", "url"), v.Item.ID), Alt: short(v.Item.Text("caption", "name", "description"))}
		}
		list = f.addImage(list, img)
	}
	return list
}

func (f *finder) addImage(list []product.Image, img product.Image) []product.Image {
	img.URL = f.Absolute(strings.TrimSpace(img.URL))
	known := func(other product.Image) bool { return other.URL == img.URL }
	if img.URL == "" || len(img.URL) > 10_000 || len(list) >= maxImages || slices.ContainsFunc(list, known) {
		return list
	}
	return append(list, img)
}

// plainText drops the tags that data of pages has in texts.
func plainText(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.Write(z.Text())
		default:
			b.WriteByte(' ')
		}
	}
}
