package browser

import (
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/actions/actionstest"
)

func TestPage_keepsTheContractOfActions(t *testing.T) {
	needsBrowser(t)
	actionstest.Run(t, func(t *testing.T, html string) actions.Page {
		p := open(t, PageOptions{})
		ctx := testContext(t)
		if err := run(ctx, p, "set the content", func() error { return p.page.SetContent(html) }); err != nil {
			t.Fatal(err)
		}
		return p
	})
}
