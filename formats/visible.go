package formats

import (
	"context"

	"github.com/winnow-go/winnow/formats/internal/hidden"
)

// VisibleText is the text of the main content, or where that has none of the whole page, as
// [Options.OnlyVisible] defines it, white space folded to single spaces. For a page that is not HTML it is all text.
func (d *DOM) VisibleText(ctx context.Context) (_ string, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return d.wholeText(), nil
	}
	t, unseen := d.list()
	if text := t.Text(hidden.Mask(d.steps, t, d.mainMask())); text != "" {
		return text, nil
	}
	return t.Text(hidden.Mask(d.steps, t, unseen)), nil
}
