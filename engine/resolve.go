package engine

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// Limits of the service's options.
const (
	defaultTimeout = 60 * time.Second
	minTimeout     = time.Second
	maxTimeout     = 300 * time.Second
	maxWaitFor     = 60 * time.Second
	mostHeaders    = 100
)

// plan is a request with its defaults filled in and every option checked: the
// rest of the scrape sees no "maybe".
type plan struct {
	source    string // the URL as asked for
	url       string // the URL to fetch, normalised
	formats   []formats.Format
	rendering formats.Options
	files     fileOptions
	headers   map[string]string
	render    Render
	// browserFor names the option that needs a browser, "" when none does.
	browserFor string
	waitFor    time.Duration
	actions    []actions.Action
	profile    *Profile
	owner      string
	blockAds   bool
	mobile     bool
	skipTLS    bool
	timeout    time.Duration
	location   locale
	timezone   string // told in the metadata; "" without a location
	proxies    proxyPlan
	onStep     func(Step)
	// robotsAgent is whom robots.txt is asked about; "" when it isn't asked.
	robotsAgent string

	caching     caching
	noRetention bool
	print       string // see fingerprint
	once        bool   // the outputs are not worth keeping: each page is wanted once

	clean      bool    // the markdown, by a model
	cleanBelow float64 // the confidence from which it needs no cleaning; 0: it always does
	tokens     int     // that a model may use
}

// resolve fills in defaults and checks every option. Nothing is accepted that
// can't be honoured.
func (e *Engine) resolve(rawURL string, o ScrapeOptions) (*plan, error) {
	href, err := parseTarget(rawURL)
	if err != nil {
		return nil, err
	}
	p := &plan{
		source:  rawURL,
		url:     href,
		formats: o.Formats,
		headers: o.Headers,
		waitFor: o.WaitFor,
		mobile:  o.Mobile,
		actions: o.Actions,
		profile: o.Profile,
		owner:   o.Owner,
		timeout: orDefault(o.Timeout, defaultTimeout),
		render:  orDefault(o.Render, e.options.Render),
		skipTLS: skipTLS(o),

		blockAds: isTrue(o.BlockAds, true),
		onStep:   o.OnStep,
	}
	if len(p.formats) == 0 {
		p.formats = []formats.Format{{Type: formats.Markdown}}
	}
	p.rendering = renderingOptions(p.formats, o)
	if err := p.check(o); err != nil {
		return nil, err
	}
	if p.files, err = e.fileOptions(o.Parsers); err != nil {
		return nil, err
	}
	if p.proxies, err = e.proxiesFor(o); err != nil {
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
		return &OptionError{Field: "zeroDataRetention", Value: true, Want: "false: the operator has not enabled it (Options.AllowZeroDataRetention)"}
	case o.Profile != nil && isTrue(o.Profile.SaveChanges, true):
		return &OptionError{Field: "profile.saveChanges", Value: true, Want: "false with zeroDataRetention, which keeps nothing"}
	}
	return nil
}

// longestOwner is room for any name or id.
const longestOwner = 256

func checkOwner(o ScrapeOptions) error {
	if len(o.Owner) > longestOwner || strings.Contains(o.Owner, keyEnd) {
		return &OptionError{Field: "owner", Value: o.Owner, Want: fmt.Sprintf("at most %d bytes, none of them zero", longestOwner)}
	}
	return nil
}

// check runs every rule; the first that fails is the answer.
func (p *plan) check(o ScrapeOptions) error {
	rules := []func(ScrapeOptions) error{
		p.checkFormats, p.checkTracking, checkLeftOut, checkOwner, p.checkTimes, checkActions, checkProfile, p.checkHeaders, p.checkLocation, p.checkRender, p.checkRobots,
	}
	for _, rule := range rules {
		if err := rule(o); err != nil {
			return err
		}
	}
	return nil
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

func isTrue(b *bool, def bool) bool {
	if b == nil {
		return def
	}
	return *b
}

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
		r.Formats = append(r.Formats, f.Type)
		r.Selectors = append(r.Selectors, f.Selectors...)
	}
	return r
}

func (p *plan) checkFormats(ScrapeOptions) error {
	if err := formats.ValidateSet(p.formats); err != nil {
		return err
	}
	for i, f := range p.formats {
		if _, err := fieldsOf(&f); err != nil {
			return &OptionError{Field: fmt.Sprintf("formats[%d].schema", i), Value: string(f.Schema), Want: "a JSON Schema that can be used", Err: err}
		}
	}
	return p.rendering.Validate()
}

// checkLeftOut refuses to tell what is left out where nothing is.
func checkLeftOut(o ScrapeOptions) error {
	if o.LeftOut && !isTrue(o.OnlyMainContent, true) {
		return &OptionError{Field: "winnow.leftOut", Value: true, Want: "false with onlyMainContent false, which leaves nothing out"}
	}
	return nil
}

func (p *plan) checkTimes(ScrapeOptions) error {
	if p.timeout < minTimeout || p.timeout > maxTimeout {
		return &OptionError{Field: "timeout", Value: p.timeout, Want: fmt.Sprintf("%s to %s", minTimeout, maxTimeout)}
	}
	most := min(maxWaitFor, p.timeout/2)
	if p.waitFor < 0 || p.waitFor > most {
		return &OptionError{Field: "waitFor", Value: p.waitFor, Want: fmt.Sprintf("0 to %s: at most half the timeout, at most %s", most, maxWaitFor)}
	}
	return nil
}

func (p *plan) checkHeaders(ScrapeOptions) error {
	if len(p.headers) > mostHeaders {
		return &OptionError{Field: "headers", Value: len(p.headers), Want: fmt.Sprintf("at most %d", mostHeaders)}
	}
	seen := map[string]bool{}
	for name, value := range p.headers {
		if err := fetch.ValidateHeader(name, value); err != nil {
			return &OptionError{Field: "headers", Value: name, Want: "a header that a caller may set", Err: err}
		}
		canonical := http.CanonicalHeaderKey(name)
		if seen[canonical] {
			return &OptionError{Field: "headers", Value: name, Want: "each name once, whatever its case"}
		}
		seen[canonical] = true
	}
	return nil
}

func (p *plan) checkLocation(o ScrapeOptions) (err error) {
	p.location, err = locate(o.Location)
	if o.Location != nil {
		p.timezone = p.location.timezone
	}
	return err
}

// checkRender finds out whether an option needs a browser, and refuses what
// contradicts that.
func (p *plan) checkRender(o ScrapeOptions) error {
	if err := o.Render.validate("render"); err != nil {
		return err
	}
	p.browserFor = p.needsBrowser(o)
	if p.wants(formats.RawBase64) {
		return p.checkRawBase64(o)
	}
	if p.render != RenderNever || p.browserFor == "" {
		return nil
	}
	err := &OptionError{Field: "render", Value: string(p.render), Want: `"auto" or "always" with ` + p.browserFor}
	if p.wants(formats.Branding) {
		return noBranding(err)
	}
	return err
}

// checkRawBase64: the body as received never comes from a browser.
func (p *plan) checkRawBase64(o ScrapeOptions) error {
	if p.browserFor != "" {
		return &OptionError{Field: p.browserFor, Value: "set", Want: "unset with the format rawBase64, which is fetched without a browser"}
	}
	if o.Render == RenderAlways {
		return &OptionError{Field: "render", Value: string(o.Render), Want: `"auto" or "never" with the format rawBase64`}
	}
	p.render = RenderNever
	return nil
}

// needsBrowser names the first option that plain HTTP can't honour.
func (p *plan) needsBrowser(o ScrapeOptions) string {
	switch {
	case len(o.Actions) > 0:
		return "actions"
	case o.Profile != nil:
		return "profile"
	case p.wants(formats.Screenshot):
		return "screenshot"
	case p.wants(formats.Branding):
		return "branding"
	case p.waitFor > 0:
		return "waitFor"
	case p.mobile:
		return "mobile"
	case o.Location != nil:
		return "location"
	}
	return ""
}

func (p *plan) wants(t formats.Type) bool { return p.format(t) != nil }

// format is the asked one of a type, nil when it isn't asked for.
func (p *plan) format(t formats.Type) *formats.Format {
	i := slices.IndexFunc(p.formats, func(f formats.Format) bool { return f.Type == t })
	if i < 0 {
		return nil
	}
	return &p.formats[i]
}

// acceptLanguage of the plan's location, for plain HTTP.
func (p *plan) acceptLanguage() string { return acceptLanguage(p.location.languages) }

// hostOf is only for URLs that parseTarget has accepted.
func hostOf(href string) string {
	_, rest, _ := strings.Cut(href, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}
