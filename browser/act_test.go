package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/actions/actionstest"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// patience is for what will happen, however slow the machine.
const patience = 30 * time.Second

func TestPage_keepsTheContractOfActions(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	reused := open(t, PageOptions{})
	actionstest.Run(t, func(t *testing.T, html string) actions.Page {
		p := reused // a page for each of the hundred documents is most of the suite's work
		if strings.Contains(t.Name(), "/scripts/") || strings.Contains(t.Name(), "/context/") {
			p = open(t, PageOptions{}) // what these leave behind isn't for others
		}
		visit(t, p, "about:blank") // a window without the former document's scripts
		ctx := testContext(t)
		if err := tab.Run(ctx, p.tab, "set the content", func() error { return p.tab.Page.SetContent(html) }); err != nil {
			t.Fatal(err)
		}
		return p
	})
}

func TestClick_doesNotWaitForASilentServer(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/leaving-for?url=/silent")
	if _, err := p.Click(testContext(t), "a", actions.ClickOptions{Timeout: 5 * time.Second}); err != nil {
		t.Errorf("got %v, want the click done", err)
	}
}
