package browser

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/actions/actionstest"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// patience is for what will happen, however slow the machine.
const patience = 5 * time.Minute

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
		return follow(t, p)
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

// stuckFrame is a frame whose process does nothing until the test ends.
type stuckFrame struct {
	playwright.Frame
	over chan struct{}
}

func (f stuckFrame) Evaluate(string, ...any) (any, error) {
	<-f.over
	return nil, errors.New("the test is over")
}

// Frames that don't answer are left out, which is said.
func TestClick_saysHowManyFramesDidNotAnswer(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	p := open(t, PageOptions{})
	ctx, over := testContext(t), make(chan struct{})
	t.Cleanup(func() { close(over) })
	visit(t, p, "about:blank")
	if err := p.tab.Page.SetContent(`<iframe srcdoc="<button class=buy>x</button>"></iframe>`); err != nil {
		t.Fatal(err)
	}
	in := elementsOf(p)
	in.Frames = func() []playwright.Frame {
		return append([]playwright.Frame{stuckFrame{over: over}, stuckFrame{over: over}}, p.reader.Frames.All()...)
	}
	done, err := in.Click(ctx, ".buy", actions.ClickOptions{Timeout: patience})
	if err != nil || len(done.Notes) != 1 || !strings.HasSuffix(done.Notes[0], "Of the other frames 2 did not answer.") {
		t.Errorf("got %+v, %v, want a click with a note of 2 frames", done, err)
	}
	_, err = in.Click(ctx, ".none", actions.ClickOptions{Timeout: time.Second})
	if f, ok := errors.AsType[*actions.Failure](err); !ok || f.Reason != actions.NoMatch || f.Detail != "Of the other frames 2 did not answer." {
		t.Errorf("got %v, want nothing matched and what did not answer", err)
	}
}

// A main document that is busy for the whole timeout keeps nobody from looking into its frames.
func TestClick_looksIntoFramesAlsoWhenThePageWasBusy(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	p := open(t, PageOptions{})
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	visit(t, p, "about:blank")
	if _, err := p.tab.Page.Evaluate(`setTimeout(() => { for (const end = Date.now() + 1500; Date.now() < end;); }, 0)`); err != nil {
		t.Fatal(err)
	}
	in := elementsOf(p)
	in.Frames = func() []playwright.Frame { return []playwright.Frame{stuckFrame{over: over}} }
	_, err := in.Click(testContext(t), ".buy", actions.ClickOptions{Timeout: time.Second})
	if f, ok := errors.AsType[*actions.Failure](err); !ok || f.Detail != "Of the other frames 1 did not answer." {
		t.Errorf("got %v, want the frame that did not answer", err)
	}
}

// A click is no failure of the page's where the browser is slow: one that was done isn't reported as one that wasn't.
func TestClick_aSlowBrowserIsNoHindrance(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	const busy = `const busy = () => { for (const end = Date.now() + 1500; Date.now() < end;); };`
	for name, html := range map[string]string{
		"after the button is pressed": `<button onmousedown="busy()" onclick="this.textContent = 'clicked'">x</button><script>` + busy + `</script>`,
		"before": `<button onclick="this.textContent = 'clicked'">x</button><script>` + busy +
			`let frames = 0; const next = () => { busy(); if (++frames < 4) requestAnimationFrame(next) }; requestAnimationFrame(next)</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, PageOptions{})
			visit(t, p, "about:blank")
			if err := p.tab.Page.SetContent(html); err != nil {
				t.Fatal(err)
			}
			if _, err := elementsOf(p).Click(testContext(t), "button", actions.ClickOptions{Timeout: 500 * time.Millisecond}); err != nil {
				t.Error(err)
			}
			eventually(t, "the button is clicked", func() bool { return strings.Contains(contentOf(t, p), "clicked") })
		})
	}
}
