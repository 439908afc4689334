// Package drawing finds the pictures in drawings of Office Open XML: which relation leads to each, and what its author says of it. It
// reads no parts and no pictures. Start from Pictures, or Anchored for the drawings of a sheet.
package drawing

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// Picture is a picture in a drawing.
type Picture struct {
	// ID is that of a relation of the part that the drawing is in.
	ID string
	// Alt is the picture's own description; "" for none.
	Alt string
}

// Pictures are those of a drawing in a text or of a sheet, in its order, but for those in text boxes and in alternatives, which are read by
// themselves, and for those that aren't shown.
func Pictures(n *xmltree.Node) (list []Picture) {
	n.All(func(k *xmltree.Node) {
		switch k.Name {
		case "pic:pic", "xdr:pic":
			list = append(list, pictured(k)...)
		case "v:imagedata":
			list = append(list, Picture{ID: cmp.Or(k.Attr("r:id"), k.Attr("relid")), Alt: k.Attr("title")})
		}
	}, "pic:pic", "xdr:pic", "v:imagedata", "w:txbxContent", "mc:AlternateContent")
	return list
}

// pictured is what a picture element holds: one picture, or none that is shown.
func pictured(n *xmltree.Node) (list []Picture) {
	var p Picture
	shown := true
	n.All(func(k *xmltree.Node) {
		p.Alt = cmp.Or(p.Alt, k.Attr("descr"), k.Attr("title"))
		hidden := k.Attr("hidden")
		shown = shown && hidden != "1" && hidden != "true"
	}, "pic:cNvPr", "xdr:cNvPr")
	if p.ID = Embedded(n); shown && p.ID != "" {
		list = append(list, p)
	}
	return list
}

// Embedded is the relation that leads to the first picture inside an element, such as one of a slide; "" for none.
func Embedded(n *xmltree.Node) (id string) {
	n.All(func(k *xmltree.Node) { id = cmp.Or(id, k.Attr("r:embed")) }, "a:blip")
	return id
}

// Anchored are the pictures of a sheet's drawing by the cells that they stand at, row by row.
func Anchored(root *xmltree.Node) (list []Picture) {
	type anchor struct {
		row, col int
		pictures []Picture
	}
	var anchors []anchor
	root.All(func(n *xmltree.Node) {
		from := n.Find("xdr:from")
		a := anchor{row: number(from.Find("xdr:row")), col: number(from.Find("xdr:col")), pictures: Pictures(n)}
		anchors = append(anchors, a)
	}, "xdr:twoCellAnchor", "xdr:oneCellAnchor", "xdr:absoluteAnchor")
	slices.SortStableFunc(anchors, func(a, b anchor) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col)) })
	for _, a := range anchors {
		list = append(list, a.pictures...)
	}
	return list
}

// number is 0 for what is none.
func number(n *xmltree.Node) int {
	v, err := strconv.Atoi(n.Content())
	if err != nil {
		return 0
	}
	return v
}
