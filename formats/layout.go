package formats

import (
	"context"
	"encoding/json"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/dates"
	"github.com/winnow-go/winnow/formats/internal/hidden"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/recipe"
)

// Sample is the skeleton of an HTML page for choosing selectors, at most limit bytes, of what its
// readers see and of its microdata; see [recipe.Sample]. Of all other kinds it is empty.
func (d *DOM) Sample(ctx context.Context, limit int) (_ string, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return "", nil
	}
	t, _ := d.list()
	seen := t.NewMask()
	t.Each(seen, func(i int, n *html.Node) {
		seen[i] = nodes.IsUnseen(n) && !(n.DataAtom == atom.Meta && nodes.Attr(n, "itemprop") != "")
	})
	return recipe.Sample(t.Copy(new(nodes.Room), hidden.Mask(d.steps, t, seen), func(*html.Node) {}), limit), nil
}

// Apply reads data by a recipe; see [recipe.Apply]. A page that isn't HTML has none: null.
func (d *DOM) Apply(ctx context.Context, r recipe.Recipe, schema json.RawMessage) (_ json.RawMessage, _ recipe.Report, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return json.RawMessage("null"), recipe.Report{}, ctx.Err()
	}
	p := recipe.Page{Root: d.doc, Absolute: d.absolute, Date: dates.ISO, Language: d.metadata().Language}
	return recipe.Apply(ctx, p, r, schema)
}
