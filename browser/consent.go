package browser

import (
	"context"
	_ "embed"
	"slices"
	"sync"
	"time"
)

// consentJS finds, rejects and hides cookie banners without the rules of others; see the file.
//
//go:embed consent.js
var consentJS string

// How long a banner may be dealt with in all, how long the rules of the npm package may try, and how long a banner may take to go.
const (
	consentTime = 1500 * time.Millisecond
	rulesTime   = 900 * time.Millisecond
	vanishTime  = 300 * time.Millisecond
	consentStep = 50 * time.Millisecond
)

// What the rules of the npm package say of themselves: its name for the platform and what it did, "-" once it has given up. The second
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

// askText runs a script that gives a text, "" when it fails or takes longer.
func (p *Page) askText(ctx context.Context, end time.Time, script string, arg ...any) string {
	left := time.Until(end)
	if left <= 0 {
		return ""
	}
	value, err, answered := try(ctx, p, left, func() (any, error) { return p.page.Evaluate(script, arg...) })
	text, _ := value.(string)
	if err != nil || !answered {
		return ""
	}
	return text
}

// gone waits until no banner is shown.
func (p *Page) gone(ctx context.Context, end time.Time) bool {
	for until := time.Now().Add(vanishTime); ; {
		if p.consent(ctx, end, "find") == "" {
			return true
		}
		if time.Now().After(until) || p.Wait(ctx, consentStep) != nil {
			return false
		}
	}
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
	if until := time.Now().Add(rulesTime); until.Before(end) {
		end = until
	}
	p.askText(ctx, end, rules+"\n;''")
	for time.Now().Before(end) {
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
