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
	consentTime = 6 * time.Second
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

// handleConsent deals with the banner that is shown, if any: rejects it, or hides it when that doesn't make it go. It reports whether
// there was one. What fails here leaves the page as it is.
func (p *Page) handleConsent(ctx context.Context) bool {
	end := time.Now().Add(consentTime)
	if limit, ok := ctx.Deadline(); ok && time.Until(limit)/3 < consentTime {
		end = time.Now().Add(time.Until(limit) / 3)
	}
	name := p.consent(ctx, end, "find")
	if name == "" {
		return false
	}
	done := p.rejectByRules(ctx, end)
	if done == "" {
		if name := p.consent(ctx, end, "reject"); name != "" {
			done = name + ": rejected"
		}
	}
	if done != "" {
		p.handled.add(done)
		if p.gone(ctx, end) {
			return true
		}
	}
	if hidden := p.consent(ctx, end.Add(consentStep), "hide"); hidden != "" {
		p.handled.add(hidden + ": hidden")
	}
	return true
}

// consent runs one step of consentJS.
func (p *Page) consent(ctx context.Context, end time.Time, step string) string {
	return p.askText(ctx, end, consentJS, []any{step, p.hiddenName()})
}

// askText runs a script that returns a text, "" when it fails or takes longer.
func (p *Page) askText(ctx context.Context, end time.Time, script string, arg ...any) string {
	left := time.Until(end)
	if left <= 0 {
		return ""
	}
	value, err, answered := tab.Try(ctx, p.tab, left, func() (any, error) { return p.tab.Page.Evaluate(script, arg...) })
	text, _ := value.(string)
	if err != nil || !answered {
		return ""
	}
	return text
}

// gone waits until no banner is shown.
func (p *Page) gone(ctx context.Context, end time.Time) bool {
	for range vanishSteps {
		if p.consent(ctx, end, "find") == "" {
			return true
		}
		if p.Wait(ctx, consentStep) != nil {
			return false
		}
	}
	return p.consent(ctx, end, "find") == ""
}

// rejectByRules lets the rules of the npm package reject, where it is installed. It returns what they did, "" for nothing.
func (p *Page) rejectByRules(ctx context.Context, end time.Time) string {
	find := p.pool.consentRules
	if p.rules != nil {
		find = p.rules
	}
	rules := find()
	if rules == "" {
		return ""
	}
	p.askText(ctx, end, rules+"\n;''")
	for range rulesSteps {
		switch answer := p.askText(ctx, end, rulesAnswer); answer {
		case "":
			if p.Wait(ctx, consentStep) != nil {
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

// handledList is what was done about banners, in order.
type handledList struct {
	mu   sync.Mutex
	list []string
}

func (h *handledList) add(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(what) < 200 && len(h.list) < 20 && !slices.Contains(h.list, what) {
		h.list = append(h.list, what)
	}
}

// Handled returns what was done about cookie banners on this page, such as "OneTrust: rejected" or "cookie banner: hidden". It is safe
// for concurrent use, also after Close.
func (p *Page) Handled() []string {
	p.handled.mu.Lock()
	defer p.handled.mu.Unlock()
	return slices.Clone(p.handled.list)
}

// consentRules are the installed rules of the npm package, "" without.
func (p *Pool) consentRules() string {
	inst := p.Installation()
	if inst == nil {
		return ""
	}
	return install.ConsentRules(inst.found.Cache)
}
