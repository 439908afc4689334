package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/locale"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/portion"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// Limits of the service's options.
const (
	defaultTimeout = 60 * time.Second
	minTimeout     = time.Second
	maxTimeout     = 300 * time.Second
	maxWaitFor     = 60 * time.Second
)

var patience = defaultTimeout // of engines that are made from now on: tests on busy machines have more

// plan is a request with its defaults filled in and every option checked: the
// rest of the scrape sees no "maybe".
type plan struct {
	scraping.Request
	source  string // the URL as asked for
	timeout time.Duration
	portion portion.Request
	replay  *Profile // the profile as the caller gave it
}

// resolve fills in defaults and checks every option. Nothing is accepted that
// can't be honoured.
func (e *Engine) resolve(rawURL string, o ScrapeOptions) (*plan, error) {
	href, err := parseTarget(rawURL)
	if err != nil {
		return nil, err
	}
	p := &plan{
		source: rawURL,
		Request: scraping.Request{Request: page.Request{
			URL:     href,
			Formats: o.Formats,
			Headers: o.Headers,
			WaitFor: o.WaitFor,
			Mobile:  o.Mobile,
			Actions: o.Actions,
			Profile: profileOf(o.Profile),
			Owner:   o.Owner,
			Mode:    page.Mode(cmp.Or(o.Render, e.options.Render)),

			MinConfidence: cmp.Or(o.MinConfidence, e.options.MinConfidence),
			Entry:         page.EntryOf(e.client.Access(), href, skipTLS(o), o.SkipTLSVerification),
			BlockAds:      isTrue(o.BlockAds, true),
			Observe:       observer(o.OnStep),
		}},
		timeout: cmp.Or(o.Timeout, e.patience),
		replay:  o.Profile,
	}
	if len(p.Formats) == 0 {
		p.Formats = []formats.Format{{Type: formats.Markdown}}
	}
	p.Rendering = render.Request{Options: renderingOptions(p.Formats, o), Raw: p.Wants(formats.RawBase64)}
	if err := p.check(o); err != nil {
		return nil, err
	}
	e.pages.Rules.Apply(&p.Request.Request)
	if p.Rendering.Files, err = e.fileOptions(o.Parsers); err != nil {
		return nil, err
	}
	if err := e.planProxies(p, o); err != nil {
		return nil, err
	}
	if err := e.checkRetention(o); err != nil {
		return nil, err
	}
	if err := e.checkModel(p, o); err != nil {
		return nil, err
	}
	return p, p.planCaching(o)
}

// checkRetention refuses zero data retention where the operator hasn't enabled it,
// and what would keep something all the same.
func (e *Engine) checkRetention(o ScrapeOptions) error {
	switch {
	case !o.ZeroDataRetention:
		return nil
	case !e.options.AllowZeroDataRetention:
		want := "false: the operator has not enabled it (Options.AllowZeroDataRetention)"
		return &OptionError{Field: "zeroDataRetention", Value: true, Want: want}
	case o.Profile != nil && isTrue(o.Profile.SaveChanges, true):
		return &OptionError{Field: "profile.saveChanges", Value: true, Want: "false with zeroDataRetention, which keeps nothing"}
	}
	return nil
}

// maxOwner is room for any name or id.
const maxOwner = 256

func checkOwner(o ScrapeOptions) error {
	if len(o.Owner) > maxOwner || strings.Contains(o.Owner, weburl.KeyEnd) {
		return &OptionError{Field: "owner", Value: o.Owner, Want: fmt.Sprintf("at most %d bytes, none of them zero", maxOwner)}
	}
	return nil
}

// profileOf is how a request uses its profile; nil for none.
func profileOf(p *Profile) *page.Profile {
	if p == nil {
		return nil
	}
	return &page.Profile{Name: p.Name, Save: isTrue(p.SaveChanges, true)}
}

// observer hands steps to the caller's function; nil for none.
func observer(onStep func(Step)) func(page.Step) {
	if onStep == nil {
		return nil
	}
	return func(s page.Step) { onStep(Step(s)) }
}

// check runs every rule; the first that fails is the answer.
func (p *plan) check(o ScrapeOptions) error {
	rules := []func(ScrapeOptions) error{
		p.checkFormats, p.checkPortion, p.checkTracking, checkLeftOut, checkOwner, p.checkTimes, checkActions, checkProfile,
		p.checkHeaders, p.checkLocation, p.checkRender, p.checkRobots,
	}
	for _, rule := range rules {
		if err := rule(o); err != nil {
			return err
		}
	}
	return nil
}

func isTrue(b *bool, def bool) bool { return b == nil && def || b != nil && *b }

// skipTLS by the rulings: secrets aren't sent over an unverified connection.
func skipTLS(o ScrapeOptions) bool {
	secrets := len(o.Headers) > 0 || len(o.Actions) > 0 || o.Profile != nil
	return isTrue(o.SkipTLSVerification, !secrets)
}

// renderingOptions says what formats has to make. Screenshots, comparisons and branding aren't made from the tree.
func renderingOptions(asked []formats.Format, o ScrapeOptions) formats.Options {
	r := formats.Options{
		OnlyMainContent:    isTrue(o.OnlyMainContent, true),
		LeftOut:            o.LeftOut,
		IncludeTags:        o.IncludeTags,
		ExcludeTags:        o.ExcludeTags,
		RemoveBase64Images: isTrue(o.RemoveBase64Images, true),
	}
	for _, f := range asked {
		if f.Type == formats.Screenshot || f.Type == formats.ChangeTracking || f.Type == formats.Branding {
			continue
		}
		r.Formats = append(r.Formats, portion.Rendered(f.Type))
		r.Selectors = append(r.Selectors, f.Selectors...)
	}
	return r
}

func (p *plan) checkFormats(ScrapeOptions) error {
	if err := formats.ValidateSet(p.Formats); err != nil {
		return err
	}
	for i, f := range p.Formats {
		if _, err := enrich.FieldsOf(&f); err != nil {
			field := fmt.Sprintf("formats[%d].schema", i)
			return &OptionError{Field: field, Value: string(f.Schema), Want: "a JSON Schema that can be used", Err: err}
		}
	}
	return p.Rendering.Options.Validate()
}

// checkPortion refuses budgets that can't be kept to.
func (p *plan) checkPortion(o ScrapeOptions) (err error) {
	p.portion, err = portion.Plan(p.Formats, o.Budget)
	return ownOption(err)
}

// checkLeftOut refuses to list what is left out where nothing is.
func checkLeftOut(o ScrapeOptions) error {
	if o.LeftOut && !isTrue(o.OnlyMainContent, true) {
		return &OptionError{Field: "winnow.leftOut", Value: true, Want: "false with onlyMainContent false, which leaves nothing out"}
	}
	return nil
}

func (p *plan) checkTracking(ScrapeOptions) error { return ownOption(p.CheckTracking()) }

func (p *plan) checkTimes(ScrapeOptions) error {
	if p.timeout < minTimeout || p.timeout > maxTimeout {
		return &OptionError{Field: "timeout", Value: p.timeout, Want: fmt.Sprintf("%s to %s", minTimeout, maxTimeout)}
	}
	most := min(maxWaitFor, p.timeout/2)
	if p.WaitFor < 0 || p.WaitFor > most {
		want := fmt.Sprintf("0 to %s: at most half the timeout, at most %s", most, maxWaitFor)
		return &OptionError{Field: "waitFor", Value: p.WaitFor, Want: want}
	}
	return nil
}

func (p *plan) checkHeaders(ScrapeOptions) error { return ownOption(page.CheckHeaders(p.Headers)) }

func (p *plan) checkLocation(o ScrapeOptions) (err error) {
	p.Location, err = locate(o.Location)
	if o.Location != nil {
		p.Timezone = p.Location.Timezone
	}
	return err
}

// checkRender finds out whether an option needs a browser, and refuses what
// contradicts that.
func (p *plan) checkRender(o ScrapeOptions) error {
	if err := errors.Join(o.Render.validate("render"), checkConfidence("winnow.minConfidence", o.MinConfidence)); err != nil {
		return err
	}
	if o.MinConfidence != 0 && p.Mode != page.ModeAuto {
		return &OptionError{Field: "winnow.minConfidence", Value: o.MinConfidence, Want: fmt.Sprintf("0 where render is %q", p.Mode)}
	}
	p.BrowserFor = p.NeedsBrowser(o.Location != nil)
	if p.Wants(formats.RawBase64) {
		return p.checkRawBase64(o)
	}
	if p.Mode != page.ModeHTTP || p.BrowserFor == "" {
		return nil
	}
	err := &OptionError{Field: "render", Value: string(p.Mode), Want: `"auto" or "always" with ` + p.BrowserFor}
	if p.Wants(formats.Branding) {
		return page.NoBranding(err)
	}
	return err
}

// checkConfidence refuses a confidence that no page can have.
func checkConfidence(field string, c float64) error {
	if c >= 0 && c <= 1 {
		return nil
	}
	return &OptionError{Field: field, Value: c, Want: "0 to 1"}
}

// checkRawBase64: the body as received never comes from a browser.
func (p *plan) checkRawBase64(o ScrapeOptions) error {
	if p.BrowserFor != "" {
		return &OptionError{Field: p.BrowserFor, Value: "set", Want: "unset with the format rawBase64, which is fetched without a browser"}
	}
	if o.Render == RenderAlways {
		return &OptionError{Field: "render", Value: string(o.Render), Want: `"auto" or "never" with the format rawBase64`}
	}
	p.Mode = page.ModeHTTP
	return nil
}

// locate makes a locale of a location; nil is none.
func locate(l *Location) (locale.Locale, error) {
	if l == nil {
		return locale.Plain, nil
	}
	there, err := locale.For(l.Country, l.Languages)
	return there, ownOption(err)
}

// checkActions refuses a list that can't be run.
func checkActions(o ScrapeOptions) error {
	err := actions.Validate(o.Actions, o.WaitFor)
	if opt, ok := errors.AsType[*actions.OptionError](err); ok {
		return &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want}
	}
	return err
}

// checkProfile refuses a name that no profile can have.
func checkProfile(o ScrapeOptions) error {
	if o.Profile == nil {
		return nil
	}
	if n := len([]rune(o.Profile.Name)); n < 1 || n > profile.MaxName {
		return &OptionError{Field: "profile.name", Value: o.Profile.Name, Want: fmt.Sprintf("1 to %d characters", profile.MaxName)}
	}
	return nil
}
