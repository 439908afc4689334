package drive

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/toolloop"
)

// Hand does single things to a page for a model that the caller runs.
type Hand struct{ d *drive }

// NewHand looks at the page. Of the options MaxChars, Allow and Secrets count. Errors are those of [Run].
func NewHand(ctx context.Context, page Page, o Options) (*Hand, error) {
	d := &drive{page: page, o: o.withDefaults(), out: Outcome{Complete: true}}
	if err := d.useSecrets(); err != nil {
		return nil, err
	}
	return &Hand{d}, d.look(ctx)
}

// Snapshot is what the page showed last. References of it hold until the next.
func (h *Hand) Snapshot() Snapshot { return h.d.snapshot }

// Do calls a tool of [Run]: click, type, select, press, scroll, wait, and goto where Allow is set. What the page or the rules refuse, and
// what is no tool or has wrong arguments, is a Result that has Failed. An error is the page's.
func (h *Hand) Do(ctx context.Context, tool string, arguments json.RawMessage) (toolloop.Result, error) {
	tools := slices.DeleteFunc(h.d.tools(), func(t toolloop.Tool) bool { return t.Name == "extract" || t.Name == "done" })
	for _, t := range tools {
		if t.Name == tool {
			h.d.before = h.d.snapshot
			return t.Run(ctx, arguments)
		}
	}
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return toolloop.Refuse("%.40q is no tool; there are %s.", tool, strings.Join(names, ", ")), nil
}
