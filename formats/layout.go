package formats

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/formats/recipe"
)

// Sample is the skeleton of an HTML page for choosing selectors, at most limit bytes; see
// [recipe.Sample]. Of all other kinds it is empty.
func (d *DOM) Sample(limit int) string {
	if d.kind != kindHTML {
		return ""
	}
	return recipe.Sample(d.doc, limit)
}

// Apply reads data by a recipe; see [recipe.Apply]. A page that isn't HTML has none: null.
func (d *DOM) Apply(ctx context.Context, r recipe.Recipe, schema json.RawMessage) (json.RawMessage, recipe.Report, error) {
	if d.kind != kindHTML {
		return json.RawMessage("null"), recipe.Report{}, ctx.Err()
	}
	if d.said.Language == "" {
		d.said = d.metadata()
	}
	p := recipe.Page{Root: d.doc, Absolute: d.absolute, Date: isoDate, Language: d.said.Language}
	return recipe.Apply(ctx, p, r, schema)
}
