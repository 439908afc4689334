package browser

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/actions/actionstest"
	"github.com/winnow-go/winnow/browser/internal/elements"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// patience is for what will happen, however slow the machine.
const patience = 5 * time.Minute

func TestPage_keepsTheContractOfActions(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	reused := open(t, PageOptions{})
	run := actionstest.Run
	if raced() { // the rest is about what Chromium does
		run = actionstest.RunContract
	}
	run(t, func(t *testing.T, html string) actions.Page {
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
	in.Frames = func() []playwright.Frame { // the healthy one may be late too
		return []playwright.Frame{stuckFrame{over: over}, stuckFrame{over: over}}
	}
	_, err = in.Click(ctx, ".none", actions.ClickOptions{Timeout: time.Second})
	if f, ok := errors.AsType[*actions.Failure](err); !ok || f.Reason != actions.NoMatch || f.Detail != "Of the other frames 2 did not answer." {
		t.Errorf("got %v, want nothing matched and what did not answer", err)
	}
}

// slowAim is a frame that takes longer than others to say what a link does.
type slowAim struct{ playwright.Frame }

func (f slowAim) Evaluate(script string, given ...any) (any, error) {
	if strings.Contains(script, `hasAttribute("download")`) {
		time.Sleep(1500 * time.Millisecond)
	}
	return f.Frame.Evaluate(script, given...)
}

// A click whose link isn't known loses the tab that it opens, and its file.
func TestClick_aimHasTheTimeOfTheClick(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	p, _ := shown(t, `<iframe srcdoc="<a href=https://a.example/ download target=_blank onclick='return false'>x</a>"></iframe>`)
	in, aimed := elementsOf(p), elements.Link{}
	in.Aim = func(l elements.Link) { aimed = l }
	in.Frames = func() (all []playwright.Frame) {
		for _, f := range p.reader.Frames.All() {
			all = append(all, slowAim{f})
		}
		return all
	}
	done, err := in.Click(testContext(t), "a", actions.ClickOptions{Timeout: patience})
	if err != nil || done.Count != 1 || aimed != (elements.Link{Tab: "https://a.example/", Saves: true}) {
		t.Errorf("got %+v, %v, aimed at %+v", done, err, aimed)
	}
}

// lateFrame is a frame that answers from the second question on.
type lateFrame struct {
	playwright.Frame
	over  chan struct{}
	heard atomic.Bool
}

func (f *lateFrame) Evaluate(script string, given ...any) (any, error) {
	if f.heard.CompareAndSwap(false, true) {
		<-f.over
	}
	return f.Frame.Evaluate(script, given...)
}

// What all matches are isn't known before the frames have answered: there is the click's timeout for it.
func TestClick_waitsForFramesThatMayHaveTheOnlyMatches(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	p, _ := shown(t, `<iframe srcdoc="<button class=buy>x</button>"></iframe>`)
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	frames := p.reader.Frames.All()
	if len(frames) != 1 {
		t.Fatalf("got %d frames, want 1", len(frames))
	}
	in, late := elementsOf(p), &lateFrame{Frame: frames[0], over: over}
	in.Frames = func() []playwright.Frame { return []playwright.Frame{late} }
	done, err := in.Click(testContext(t), ".buy", actions.ClickOptions{All: true, Timeout: patience})
	if err != nil || done.Count != 1 || done.Notes[0] != "1 element was clicked, in the frame about:srcdoc." {
		t.Errorf("got %+v, %v, want the frame's match clicked", done, err)
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
	if _, err := p.tab.Page.Evaluate(`setTimeout(() => { for (const end = Date.now() + 1200; Date.now() < end;); }, 0)`); err != nil {
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
	const busy = `const busy = () => { for (const end = Date.now() + 700; Date.now() < end;); };`
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

// shown are documents of elements that people meet, and have an element p that says what was clicked.
func shown(t *testing.T, html string) (*Page, *Acting) {
	t.Helper()
	p := open(t, PageOptions{})
	visit(t, p, "about:blank")
	if err := p.tab.Page.SetContent(html + "<p id=p></p>"); err != nil {
		t.Fatal(err)
	}
	return p, follow(t, p)
}

func said(t *testing.T, a *Acting) string {
	t.Helper()
	got, err := a.Evaluate(testContext(t), "p.textContent")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Trim(string(got.Value), `"`)
}

// Where a document has no match of its own, one in its shadow trees is meant; a path enters such a tree.
func TestClick_looksIntoShadowTrees(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	const shadow = `<x-card><a class=both>x</a></x-card><button id=light class=twice>x</button><iframe srcdoc="<x-in></x-in><script>document.querySelector('x-in').attachShadow({mode: 'open'}).innerHTML =
			'<button class=framed>x</button>'</script>"></iframe><script>
		const card = document.querySelector("x-card").attachShadow({mode: "open"});
		card.innerHTML = '<button class=buy>x</button><button class=buy>y</button><button class=both>z</button><button class=twice>x</button><x-inner></x-inner><div id=box style="height:20px;overflow:auto"><div style="height:500px">';
		card.querySelector("x-inner").attachShadow({mode: "open"}).innerHTML = "<input class=deep><button class=buy>in</button>";
		card.addEventListener("click", e => { const at = e.composedPath()[0]; p.textContent += at.className + at.textContent });
		light.onclick = () => p.textContent += "light"</script>`
	_, clicked := shown(t, shadow)
	all := ""
	for selector, want := range map[string]string{".buy": "buyx", ".twice": "light", "x-card >>> .both": "bothz", "x-card >>> x-inner >>> .buy": "buyin", ".deep": "deep"} {
		press(t, clicked, selector)
		all += want
		if got := said(t, clicked); got != all {
			t.Errorf("%s: got %q, want %q", selector, got, all)
		}
	}
	p, a := shown(t, shadow)
	ctx := testContext(t)
	if _, err := a.WaitSelector(ctx, ".deep", patience); err != nil {
		t.Error(err)
	}
	if done, err := a.Click(ctx, ".buy", actions.ClickOptions{All: true, Timeout: patience}); err != nil || done.Count != 3 || done.Notes[0] != "3 elements were clicked." {
		t.Errorf("got %+v, %v, want three", done, err)
	}
	if done, err := a.Click(ctx, "x-card >>> x-inner >>> .buy", actions.ClickOptions{All: true, Timeout: patience}); err != nil || done.Count != 1 {
		t.Errorf("got %+v, %v, want one", done, err)
	}
	if done, err := a.Click(ctx, ".framed", actions.ClickOptions{Timeout: patience}); err != nil || len(done.Notes) != 1 {
		t.Errorf("got %+v, %v, want a note of the frame", done, err)
	}
	if err := a.Scroll(ctx, actions.ScrollOptions{Selector: "#box", Timeout: patience}); err != nil {
		t.Error(err)
	}
	if at, err := p.tab.Page.Evaluate("card.querySelector('#box').scrollTop"); err != nil || tab.Number(at) == 0 {
		t.Errorf("scrolled to %v, %v", at, err)
	}
	for selector, want := range map[string]string{
		"p >>> .buy": "nothing matched: p is no frame and has no open shadow tree", "x-none >>> .buy": "nothing matched: the path ends before x-none",
	} {
		if _, err := a.Click(ctx, selector, actions.ClickOptions{Timeout: 10 * time.Millisecond}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", selector, err, want)
		}
	}
}

// An element in a shadow tree that is replaced while it is waited for is the next one.
func TestClick_whatIsReplacedInAShadowTreeIsClickedStill(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	_, a := shown(t, `<x-card></x-card><script>
		const card = document.querySelector("x-card").attachShadow({mode: "open"});
		card.innerHTML = "<button class=buy disabled>x</button>";
		setTimeout(() => card.innerHTML = "<button class=buy>new</button>", 700);
		card.addEventListener("click", e => p.textContent += e.target.textContent)</script>`)
	press(t, a, ".buy")
	if got := said(t, a); got != "new" {
		t.Errorf("got %q", got)
	}
}

// Reasons name what a person would see.
func TestClick_namesWhatIsNeitherThereNorCovered(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	p, a := shown(t, `<div style="pointer-events:none"><button id=style>x</button></div><select><option id=option>x</select>
		<button class=each onclick="p.textContent++">1</button><button class=each disabled>2</button><iframe srcdoc="<button class=one>x</button>"></iframe>`)
	ctx := testContext(t)
	for selector, want := range map[string]string{
		"#style": "disabled: its style has pointer-events: none", "#option": "not visible: an option is chosen by keys, after a click on its select",
	} {
		if _, err := elementsOf(p).Click(ctx, selector, actions.ClickOptions{Timeout: time.Second}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", selector, err, want)
		}
	}
	done, err := a.Click(ctx, ".each", actions.ClickOptions{All: true, Timeout: time.Second})
	if actions.ReasonOf(err) != actions.Disabled || len(done.Notes) != 1 || done.Notes[0] != "Before this one 1 element was clicked." {
		t.Errorf("got %+v, %v, want how many were clicked before", done, err)
	}
	done, err = a.Click(ctx, ".one", actions.ClickOptions{All: true, Timeout: patience})
	if err != nil || len(done.Notes) != 1 || done.Notes[0] != "1 element was clicked, in the frame about:srcdoc." {
		t.Errorf("got %+v, %v, want the frame", done, err)
	}
	if _, err := a.WaitSelector(ctx, "#none", 1000001*time.Microsecond/1000); err == nil || !strings.Contains(err.Error(), "after 1ms:") {
		t.Errorf("got %v, want a round time", err)
	}
}

// A text of lines as other systems end them is typed with one Enter for each.
func TestType_linesOfOtherSystems(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	for _, text := range []string{"a\r\nb", strings.Repeat("a\r\n", 100)} {
		_, a := shown(t, `<textarea autofocus oninput="p.textContent = this.value"></textarea>`)
		press(t, a, "textarea")
		if err := a.Type(testContext(t), text); err != nil {
			t.Fatal(err)
		}
		if got := said(t, a); got != strings.ReplaceAll(text, "\r\n", `\n`) {
			t.Errorf("got %q", got)
		}
	}
}
