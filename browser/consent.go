package browser

import (
	"context"
	_ "embed"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// consentJS finds, rejects and hides cookie banners without third-party rules; see the file.
//
//go:embed consent.js
var consentJS string

// How long a banner may be handled in all, how often the rules of the npm package are queried (0.9 s), and how often whether the banner
// has gone (0.3 s). They are counted, not timed, so that a browser that answers slowly, whose page is slow too, comes to the same end.
const (
	consentTime = 15 * time.Second
	shortly     = time.Second // for hiding alone, where there is no time for more
	rulesSteps  = 18
	vanishSteps = 6
	consentStep = 50 * time.Millisecond
)

// The rules' own report: the npm package's name for the platform and its action, "-" once it has given up. The second
// tier of its heuristics presses whatever closes a banner that offers no choice.
const rulesAnswer = `() => {
	const it = window.autoconsentStandalone;
	if (!it) return "-";
	const result = it.messages.find((m) => m.type === "optOutResult");
	if (result) return result.result ? result.cmp + (/TIER2/.test(result.cmp) ? ": closed" : ": rejected") : "-";
	return it.instance.state.lifecycle === "nothingDetected" ? "-" : "";
}`

// banners deals with the cookie banners of a page.
type banners struct {
	tab   *tab.Tab
	rules func() string // of the npm package, "" without

	mu      sync.Mutex
	handled []string // what was done, in order
	unseen  bool     // whether one is shown is not known: the page had no time to answer
	looks   int      // that were begun; the last one's answer counts
	visits  int      // of documents whose records were dropped
}

// handle deals with the banner that is shown, if any: rejects it, or hides it when that doesn't make it go. It reports whether
// there was one. What fails here leaves the page as it is.
func (b *banners) handle(ctx context.Context, hiddenName string) bool {
	return b.handleUntil(ctx, within(ctx, consentTime), hiddenName)
}

// within is the end of a time, or of a third of what ctx has left.
func within(ctx context.Context, d time.Duration) time.Time {
	if limit, ok := ctx.Deadline(); ok {
		d = min(d, time.Until(limit)/3)
	}
	return time.Now().Add(d)
}

// handleUntil waits for no answer after the end, but for a moment for that of hiding.
func (b *banners) handleUntil(ctx context.Context, end time.Time, hiddenName string) bool {
	if b.find(ctx, end, hiddenName) == "" {
		return false
	}
	b.deal(ctx, end, hiddenName)
	return true
}

// deal rejects the banner that was found, or hides it: that is begun also where the time is over, as the page does it when it has the time.
func (b *banners) deal(ctx context.Context, end time.Time, hiddenName string) {
	done := b.rejectByRules(ctx, end)
	if done != "" {
		b.add(done)
	} else {
		done = b.act(ctx, end, "reject", "rejected", hiddenName)
	}
	if done != "" && b.gone(ctx, end, hiddenName) {
		return
	}
	if now := time.Now(); now.After(end) {
		end = now
	}
	b.act(ctx, end.Add(consentStep), "hide", "hidden", hiddenName)
}

// hideNow hides the banner that is shown, if any, where there is no time for more.
func (b *banners) hideNow(ctx context.Context, hiddenName string) {
	b.act(ctx, within(ctx, shortly), "hide", "hidden", hiddenName)
}

// find names the banner that is shown, "" for none, or where there is no answer.
func (b *banners) find(ctx context.Context, end time.Time, hiddenName string) string {
	look := b.look()
	return b.askText(ctx, end, func() (any, error) {
		value, err := b.tab.Page.Evaluate(consentJS, []any{"find", hiddenName})
		b.saw(look, err)
		return value, err
	})
}

// act is step for what changes the page, which is noted as outcome. That is done also where the answer comes after the end: the page is
// changed then, too, and its content is read later.
func (b *banners) act(ctx context.Context, end time.Time, step, outcome, hiddenName string) string {
	run, document := b.script(consentJS, []any{step, hiddenName}), b.document()
	look := b.look()
	return b.askText(ctx, end, func() (any, error) {
		value, err := run()
		b.saw(look, err)
		if name, _ := value.(string); err == nil && name != "" {
			b.addTo(document, name+": "+outcome)
		}
		return value, err
	})
}

// had reports whether a selector means a part of a banner that was rejected or hidden on this document.
func (b *banners) had(ctx context.Context, selector, hiddenName string) bool {
	name := b.askText(ctx, time.Now().Add(consentTime), b.script(consentJS, []any{"had", hiddenName, selector}))
	return name != ""
}

// script is a call of a script in the page.
func (b *banners) script(text string, arg ...any) func() (any, error) {
	return func() (any, error) { return b.tab.Page.Evaluate(text, arg...) }
}

// askText makes a call that returns a text, "" when it fails or takes longer.
func (b *banners) askText(ctx context.Context, end time.Time, call func() (any, error)) string {
	left := time.Until(end)
	if left <= 0 {
		return ""
	}
	value, err, answered := tab.Try(ctx, b.tab, left, call)
	text, _ := value.(string)
	if err != nil || !answered {
		return ""
	}
	return text
}

// gone waits until no banner is shown.
func (b *banners) gone(ctx context.Context, end time.Time, hiddenName string) bool {
	for range vanishSteps {
		if b.find(ctx, end, hiddenName) == "" {
			return true
		}
		if b.tab.Wait(ctx, consentStep) != nil {
			return false
		}
	}
	return b.find(ctx, end, hiddenName) == ""
}

// rejectByRules lets the rules of the npm package reject, where it is installed. It returns what they did, "" for nothing.
func (b *banners) rejectByRules(ctx context.Context, end time.Time) string {
	rules := b.rules()
	if rules == "" {
		return ""
	}
	b.askText(ctx, end, b.script(rules+"\n;''"))
	for range rulesSteps {
		switch answer := b.askText(ctx, end, b.script(rulesAnswer)); answer {
		case "":
			if b.tab.Wait(ctx, consentStep) != nil {
				return ""
			}
		case "-":
			return ""
		default:
			return answer
		}
	}
	return ""
}

// document is the number of this one among those of the tab.
func (b *banners) document() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.visits
}

// add notes what was done.
func (b *banners) add(what string) { b.addTo(b.document(), what) }

// addTo notes what was done to a document, unless its tab shows another one by now.
func (b *banners) addTo(document int, what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if document == b.visits && len(what) < 200 && len(b.handled) < 20 && !slices.Contains(b.handled, what) {
		b.handled = append(b.handled, what)
	}
}

// look begins a look at what is shown, or a change of it: until it is answered, that is not known.
func (b *banners) look() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.looks++
	b.unseen = true
	return b.looks
}

// saw notes that a look was answered, unless another one has begun since.
func (b *banners) saw(look int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if look == b.looks && err == nil {
		b.unseen = false
	}
}

// left reports whether a banner may be shown all the same.
func (b *banners) left() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.unseen
}

// done returns what was done.
func (b *banners) done() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.handled)
}

// forget drops what was done.
func (b *banners) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handled, b.unseen = nil, false
	b.looks++
	b.visits++
}

// consentRules are the installed rules of the npm package, "" without.
func (p *Pool) consentRules() string {
	inst := p.Installation()
	if inst == nil {
		return ""
	}
	return install.ConsentRules(inst.found.Cache)
}
