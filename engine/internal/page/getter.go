package page

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/locale"
	"github.com/winnow-go/winnow/engine/internal/warm"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/formats"
)

// Getter gets pages, by HTTP and from browsers. Its fields are set once; it is safe for concurrent use.
type Getter struct {
	Client    *fetch.Client
	Pool      *browser.Pool
	Tabs      *warm.Tabs
	Blocker   *Blocker
	Scripts   *judge.Library
	Learnt    *learnt.Memory // nil: nothing is learnt
	Rules     Rules
	Profiles  *profile.Store
	UserAgent string // "" is the browser's own
	MaxBytes  int64  // of one page; a browser may load twice as much for it
	AssetDir  string // for pictures, PDFs and downloads; "" gives them as data URIs
	OnPage    func(Report)
	Script    func(url string) string // runs before those of the page at an address, which then has a fresh tab; nil: none does
	// OnLivePage has the page before OnPage, until it returns whether it has done anything to it; nil for none.
	OnLivePage func(url string, live *browser.Page) (used bool)
	Now        func() time.Time
}

// PageScript is what runs before the scripts of the page at an address, "" for nothing.
func (g *Getter) PageScript(url string) string {
	if g.Script == nil {
		return ""
	}
	return g.Script(url)
}

func (g *Getter) trafficBytes() int64 { return 2 * g.MaxBytes }

// Mode says what gets a page.
type Mode string

// The modes, in the words of the option render.
const (
	ModeAuto    Mode = "auto"
	ModeHTTP    Mode = "never"
	ModeBrowser Mode = "always"
)

// Profile is the profile that a page begins with.
type Profile struct {
	Name string
	Save bool // as the page leaves it
}

// Request says which page is wanted, and how it is to be got.
type Request struct {
	URL     string // normalised
	Formats []formats.Format
	Headers map[string]string
	Mode    Mode
	Because string // why it is not auto; "": it was asked for
	// MinConfidence is the confidence below which a page that seems static is rendered in a browser all the same; 0 for any.
	MinConfidence float64
	// BrowserFor names the option that needs a browser, "" when none does.
	BrowserFor string
	WaitFor    time.Duration
	Actions    []actions.Action
	Profile    *Profile
	Owner      string
	BlockAds   bool
	Mobile     bool
	Entry
	Location locale.Locale
	Proxy    fetch.Proxy // to begin with; zero is a direct connection
	Fallback fetch.Proxy // for another try where the site turns the first away; zero for none
	From     From        // the country asked for, and those of the proxies
	Private  bool        // nothing of it may be kept
	Observe  func(Step)
}

// Entry is how the page's site is entered.
type Entry struct {
	SkipTLS  bool   // its certificate isn't verified
	SkipsTLS bool   // the caller wants SkipTLS, which some sites don't get
	Login    string // who gets the page, see auth.Access.Identity; "" is anyone
}

// EntryOf is how a page is entered. Skip: its certificate isn't to be verified; wish is what the caller has said of that, nil for nothing.
func EntryOf(access *auth.Access, href string, skip bool, wish *bool) Entry {
	return Entry{
		SkipTLS: skip && !access.Knows(auth.OriginOf(href)), SkipsTLS: wish != nil && *wish, Login: access.Identity(href),
	}
}

// Step is a part of the work that has been done.
type Step struct {
	Name, Detail string
	Start        time.Time
	Duration     time.Duration
	Err          error
}

// Step runs one part of the work and reports to the observer how it went.
func (r *Request) Step(now func() time.Time, name string, part func() (detail string, err error)) error {
	start := now()
	detail, err := part()
	if r.Observe != nil {
		r.Observe(Step{Name: name, Detail: detail, Start: start, Duration: now().Sub(start), Err: err})
	}
	return err
}

// Wants reports whether a format is requested.
func (r *Request) Wants(t formats.Type) bool { return r.Format(t) != nil }

// Format is the asked one of a type, nil when it isn't asked for.
func (r *Request) Format(t formats.Type) *formats.Format {
	i := slices.IndexFunc(r.Formats, func(f formats.Format) bool { return f.Type == t })
	if i < 0 {
		return nil
	}
	return &r.Formats[i]
}

// Acquisition gets one page. It is used by one goroutine.
type Acquisition struct {
	*Getter
	Request   *Request
	ID        string // begins the names of assets
	Clock     *deadline.Clock
	Attempt   *Attempt                                                      // at a page of a job; nil: it tries again by itself
	JobTabs   *warm.JobTabs                                                 // of the job; nil: those of single scrapes
	Live      func(context.Context, *browser.Page) error                    // works on the live page before its content is read; may be nil
	Allowed   func(ctx context.Context, url string) error                   // by robots.txt, for scripts and frames of the page; nil: all are
	Onward    func(ctx context.Context, to string) error                    // asked before redirects, and a browser, are followed; may be nil
	Paced     func(ctx context.Context, host string, do func() error) error // makes a request for a script at its host's pace; nil: at once
	Both      Ask                                                           // whether a page is got both ways; nil: none is
	Memory    *learnt.Memory                                                // of templates; nil: nothing is learnt
	OfSession bool                                                          // the page is a session's
	Stale     *Stale                                                        // to be revalidated; nil for none
	Place     *Place                                                        // for the page's tree; nil: it needs none

	Result
	Proxy fetch.Proxy // in use

	onWarm  bool           // a visit has been on a tab that others may have been on
	fresh   bool           // visits have fresh tabs from now on
	scripts *judge.Library // of a private page; see library
	known   bool           // the page has the bytes of a stored one, which has been judged
	guessed guess          // of the document that the browser is about to read
	late    *time.Duration // how long timers of the page's scripts take, as it was judged; nil: it was not
}

// Result is what came of an acquisition.
type Result struct {
	Page     *Page
	FellBack bool   // to the other proxy
	Acted    bool   // the page has been worked on, which can't be done again
	Route    *Route // nil: the way was not chosen by a template
	// Answered is how long the site took to answer plain HTTP; 0 where it was not asked. A browser's time is another matter: it requests
	// many things and runs them.
	Answered time.Duration
	Warnings []string
}

// Stale is an older version of the page, which the site may vouch for.
type Stale struct {
	ETag, LastModified string
	// Same takes a page that has the same bytes as the version for what that is; false: it has others.
	Same func(*Page) bool
	// Take returns the version once the site has vouched for it under an address; false: it is no version of that.
	Take func(ctx context.Context, at string) (*Page, bool)
}

// warn adds a warning, each once.
func (a *Acquisition) warn(format string, args ...any) {
	if warning := fmt.Sprintf(format, args...) + "."; !slices.Contains(a.Warnings, warning) {
		a.Warnings = append(a.Warnings, warning)
	}
}

func (a *Acquisition) step(name string, part func() (detail string, err error)) error {
	return a.Request.Step(a.Now, name, part)
}
