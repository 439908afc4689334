package engine

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/llm"
)

// Options configures an [Engine]. The zero value works: it renders where that is
// needed, installs a browser on first need without touching the system's
// packages, contacts only the public internet, keeps nothing and logs nothing.
type Options struct {
	// Render is how pages are acquired when a request doesn't say. Defaults to [RenderAuto].
	// With [RenderNever] the engine never installs or starts a browser unless a
	// request asks for one.
	Render Render
	// MinConfidence is that of requests that name none; see [ScrapeOptions.MinConfidence]. Zero accepts any.
	MinConfidence float64
	// RenderRules decide how pages are acquired whose requests leave it open ([RenderAuto]): the first whose pattern matches does. Nothing
	// is learnt of those that a rule gives a way.
	RenderRules []RenderRule
	// RenderLearning lets the engine learn, for each template of a site, whether its pages need a browser: crawls and batches get the first
	// page of a template and a sample of the others both ways, and get again what they got the wrong way. Nil is true.
	RenderLearning *bool
	// Policy says which addresses may be contacted. Zero: the public internet only.
	// It must not be changed once in use.
	Policy fetch.Policy
	// Browser says where the browser comes from.
	Browser BrowserOptions
	// Hosts are virtual: a request to http or https of such a name, on any port, is
	// answered by the handler, for plain HTTP and browser alike, without socket, DNS or
	// certificate. Only a scrape that starts on a virtual host can reach one: a public
	// page or redirect can't. Names are lower case, without port. It must not be changed
	// once in use.
	Hosts map[string]http.Handler
	// Dir is the folder that the engine keeps things in: cache.db (pages), state.db
	// (records of scrapes, credits, the history of change tracking), profiles and the search
	// index, if there is one, and while it runs up to 24 MiB of outputs in a file without a name. It is made when missing, and one
	// engine has it at a time. Empty: they are kept in memory,
	// bounded, and end with the engine.
	Dir string
	// Record writes every exchange of the engine with sites, of HTTP client and browser alike, to a file that [Engine.Close] completes:
	// WACZ, or WARC with its index. Cookies, authorizations and passwords in forms are redacted unless it says otherwise. The browser then
	// speaks HTTP/1.1 with the engine, which verifies the certificates of sites where the request says so. What the cache has is not
	// fetched and so not recorded; models, search providers and webhooks are no sites. Refused beside AllowZeroDataRetention and
	// [BrowserOptions].ConnectURL. Nil: nothing is recorded.
	Record *recording.Options
	// Replay are archives, WACZ, WARC, ARC or HAR files, that answer in place of the network, for HTTP client and browser: the engine then
	// contacts no site at all, whatever Policy says. The first that has a request's method, address and body answers it; parameters that
	// are new each time, such as timestamps, are disregarded where nothing else fits. What none has is a [CodeNoCachedData] error that
	// names the nearest recorded addresses; a page's own requests get status 502. A robots.txt that wasn't recorded counts as none.
	// Websockets say what they said, in order, after as many messages of the page. In documents, frames and workers of pages the clock
	// stands at the second in which the page was recorded, or the first archive begins: it moves only with animations, short timeouts, and
	// loops that wait for it. What is random is the same each time. Refused beside Record, Hosts and [BrowserOptions].ConnectURL. Empty:
	// there is a network.
	Replay []string
	// TLS has private authorities and client certificates for the sites of an intranet, by the patterns of their hosts, for HTTP client and
	// browser. The certificates of those sites, and of those of Credentials, are always verified, whatever a request says. See "Intranets".
	TLS []auth.TLS
	// Credentials log in to sites, each of an origin of its own pattern and to no other; see "Intranets" above. Refused, as TLS is, beside
	// Replay and [BrowserOptions].ConnectURL.
	Credentials []auth.Credentials
	// Cluster spreads crawls and batches over the machines of a cluster, each with an engine: package engine/cluster has one. Extractions
	// and agents run on the machine that took them, and move when it dies. Whichever engine a job was started with, all have it, under its
	// ID, with the same documents, events, counts and result; see "Clusters" above. Monitors are the engine's own. The engine closes it;
	// where New fails, the caller does. Nil: all jobs are the engine's own.
	Cluster Cluster
	// Cache bounds what is kept of pages. The zero value keeps 5 versions for two years.
	Cache CacheOptions
	// Search are the providers that Engine.Search asks, in the order of preference:
	// search.NewSearXNG, search.NewJSONAPI, local.New. At most one of them is an index
	// (package engine/search/local), which the engine feeds and closes. Empty: searching is a
	// [CodeSearchNotConfigured] error.
	Search []search.Provider
	// ResumeJobs goes on with the crawls and batches that an earlier engine on Dir left
	// unfinished. Nil is true. Without it they wait for an engine that does.
	ResumeJobs *bool
	// AllowZeroDataRetention lets scrapes and jobs ask for it.
	AllowZeroDataRetention bool
	// FilterLists are files in the common EasyList syntax that say what else, beside the
	// built-in list, is an advertisement or tracker. They are read when first needed; the
	// Logger then has how many rules each has, and which kinds of lines have no effect:
	// among them rules for websockets alone, without FilterInProxy.
	FilterLists []string
	// FilterInProxy has the engine's own proxy judge requests over https, and websockets, by FilterLists, those of sessions too. Without it
	// the browser holds each request of a scrape that a rule may concern, most of those to other hosts, at up to a millisecond of CPU each;
	// for websockets and in sessions then only rules for whole hosts count, and at the first session the Logger has how many others it
	// ignores. With it a request costs some 30 µs and a connection up to a millisecond. The proxy then ends the browser's TLS on pages whose
	// ads are blocked and verifies the certificates of sites where the request says so, and sites see the TLS handshake of Go, by which they
	// may recognize that this is no ordinary browser; the HTTP inside stays the browser's own. The same requests of a scrape are refused,
	// with three exceptions: what the browser has cached isn't judged again, a preload for a script counts as a fetch, and over HTTP/1.1 a
	// POST that may be a beacon or a fetch is refused only where both are. In a session the page of a request is the document or frame that
	// its header names, else the one that the session shows, and its documents are never refused; without TLS, types are known as far as
	// the header or the ending of the path shows them, and frames aren't judged.
	// Without rules for less than whole hosts it changes nothing. Refused beside [BrowserOptions].ConnectURL.
	FilterInProxy bool
	// AssetDir, where set, is the folder in which screenshots, the PDFs and downloads
	// of actions, and, where the format images is wanted, the pictures in files (named
	// by their SHA-256) are written, as files readable by their owner alone; the
	// documents then carry paths. It is made when missing; its files are the caller's
	// to delete. Empty: documents carry data URIs, of a file's pictures up to 8 MiB.
	AssetDir string
	// MaxPages bounds the scrapes that run at once; others are queued, first come
	// first served. Defaults to twice the processors, less on machines with little
	// free memory.
	MaxPages int
	// MaxBytes bounds the size of one page, content encoding undone. Defaults to 50 MiB.
	MaxBytes int64
	// MaxFileMemory bounds what reading one file (office documents, e-books, tables …) may take in memory, in bytes, as estimated
	// from what it unpacks to and the elements made of that; more is a [CodeUnsupportedFile] error. Long texts and tables
	// are read and rendered piece by piece and take about twelve times their text, unless formats or tags need the whole tree.
	// Defaults to 256 MiB.
	MaxFileMemory int64
	// JobMemory is how many bytes jobs may take in memory where Dir is empty, as they are kept: compressed. Documents beyond it are in a
	// temporary file (in os.TempDir), which has no name and is gone with the program; on Windows it has one until Close. Documents of
	// zero data retention and lockdown never go there: their jobs fail where they need more than 1 GiB. Defaults to 256 MiB.
	JobMemory int64
	// MaxSessions bounds the browser sessions that are active at once; a further one is a
	// [CodeSessionLimit] error. Each has a browser and a driver of its own, some 300 MB. Defaults to 4.
	MaxSessions int
	// LiveView lets people watch and operate sessions in their own browsers. Nil: off.
	LiveView *LiveViewOptions
	// AllowUnsandboxedCode lets sessions run where this machine has no sandbox (bubblewrap with user
	// namespaces, Linux only): their code can then do whatever this program's user can. Where there is
	// a sandbox it is used all the same.
	AllowUnsandboxedCode bool
	// UserAgent replaces the agent of plain HTTP requests and of the browser. Empty: a
	// current desktop Chrome's.
	UserAgent string
	// Proxies that requests choose from by tier and by the country of their location.
	Proxies []Proxy
	// ProxyPolicy bounds the addresses of the proxies that [ScrapeOptions.ProxyURL] and [SessionOptions.ProxyURL] name, at the
	// moment they are dialed. Nil: they are exempt from every policy, as Proxies always are. &fetch.Policy{} allows proxies
	// of the public internet only.
	ProxyPolicy *fetch.Policy
	// EnvironmentProxy makes HTTP requests honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
	EnvironmentProxy bool
	// OCR recognises text in images and scanned PDFs. Nil: tesseract, when it is installed.
	OCR document.OCR
	// PagePictures draws pages of PDFs for OCR: those whose text is in several images, in shapes or in glyphs that can't be read. Package
	// formats/document/pageimage has one, which is closed after the engine. Nil: OCR gets a page's largest image, warnings name the rest.
	PagePictures document.PagePictures
	// PDFExtractor reads PDFs in place of the engine's own reader. Nil: that one.
	PDFExtractor document.Extractor
	// Model answers what needs a language model: the formats json, summary, question, highlights
	// and query, cleaning, agents and more. Nil: those are a [CodeModelNotConfigured] error,
	// everything else works. What it is given goes where the model is, whatever Policy says; a
	// request under lockdown or zero data retention asks it only when it is declared local.
	Model llm.Model
	// CountTokens returns how many tokens a text has in the vocabulary of the model that reads passages and what [ScrapeOptions.Budget] lets
	// through; it is called often, from several goroutines, and has to take a time that is about linear in the text. tokens.ReadTable
	// of package formats/tokens makes one of a vocabulary. Nil: tokens.Bound of that package, an upper bound.
	CountTokens func(text string) int
	// Logger gets what an operator wants to know. Nil is silent.
	Logger *slog.Logger

	// OnMonitorChange is called with each change that a monitor finds, once it is kept, from the goroutine of its check: it should be quick.
	// One that was kept just before the process died is not reported again; [Engine.MonitorChanges] has all. If nil, no callback is made.
	OnMonitorChange func(monitor.Change)
	// OnPage is called at each visit of the browser just before its page is closed: for
	// tests and for looking into a page. It costs a screenshot a page. If nil, no callback is made.
	OnPage func(PageReport)
	// OnLivePage is called at each visit of the browser, once its content is read and before OnPage, with the URL that the visit began with
	// and the page itself, which is the callback's until it returns: the visit, and what it holds of MaxPages, lasts as long. It returns
	// whether it has done anything to the page, whose tab no other page gets then. It is for tests. If nil, no callback is made.
	OnLivePage func(url string, live *browser.Page) (used bool)
	// PageScript returns JavaScript that runs in every document of pages and sessions before its own scripts, workers apart, and after what
	// Replay runs there: for tests, which set clocks. It is called for each page and each session that begins, from any goroutine. Nil, and
	// "": none runs.
	PageScript func() string
	// OnReplay is called after each request that came to the archives of Replay, whether they had an answer or not, from any goroutine.
	// If nil, no callback is made.
	OnReplay func(fetch.Replayed)
	// Now is the clock of times and durations in results, and of what expires. Nil is time.Now; where that jumps ahead, nothing expires by
	// it for an hour.
	Now func() time.Time
	// Resolver looks names up. Nil is the system's.
	Resolver fetch.Resolver
	// DialContext dials an address that the policy has already accepted. Nil is a net.Dialer's.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Cluster is the part that an engine has in a cluster of machines; package engine/cluster makes it.
type Cluster interface {
	// Close leaves the cluster at once.
	Close() error
}

// RenderRule is how pages are acquired whose URL matches a pattern.
type RenderRule struct {
	// Pattern is a regular expression (RE2), which may match any part of the URL.
	Pattern string
	// Render of those pages.
	Render Render
}

// renderRules are the rules as scrapes use them.
func renderRules(list []RenderRule) (page.Rules, error) {
	rules := make([]page.Rule, len(list))
	for i, r := range list {
		rules[i] = page.Rule{Pattern: r.Pattern, Mode: page.Mode(r.Render)}
	}
	return page.NewRules("RenderRules", rules)
}

// MaxPages returns [Options.MaxPages], the default filled in.
func (e *Engine) MaxPages() int { return e.options.MaxPages }

// HasModel reports whether [Options.Model] is set: without one, what needs a language model is refused.
func (e *Engine) HasModel() bool { return e.options.Model != nil }

// BrowserOptions says where an engine's browser comes from. The zero value finds
// or installs one without root rights.
type BrowserOptions struct {
	// Install says whether a missing driver or browser may be downloaded. Defaults to
	// browser.InstallAuto; browser.InstallNever suits air-gapped machines.
	Install browser.InstallMode
	// System lets the install use the system's package manager, as root on Debian and Ubuntu: for the
	// browser, and for the sandbox of sessions.
	System bool
	// Executable is the browser to use. Empty: CHROME_PATH, then what is found or installed.
	Executable string
	// DriverDir is a Playwright driver 1.60.0. Empty: PLAYWRIGHT_DRIVER_PATH, then what is found or installed.
	DriverDir string
	// CacheDir is where installs are kept. Empty: winnow in the user's cache folder.
	CacheDir string
	// Args are added to the browser's command line. Those that would weaken proxy,
	// resolver, certificates or sandbox are refused.
	Args []string
	// MaxContexts, MaxAge and MaxMemory say after how many pages, how old and how big (bytes,
	// the whole process tree) a browser is replaced by a new one. Default to 1000, 30 minutes
	// and 1.5 GB.
	MaxContexts int
	MaxAge      time.Duration
	MaxMemory   int64
	// Headless is "shell", the fast headless build where there is one, or "new", a full
	// build, closer to what people use. Empty is "shell".
	Headless string
	// ConnectURL is a remote browser to use instead of a local one: a Playwright server
	// (ws, wss) or a DevTools endpoint (http, https). The egress policy then covers what goes
	// through the pages' proxies only, which the remote browser has to reach on this machine.
	ConnectURL string
	// NoSandbox turns the browser's own sandbox off even where it could be on.
	NoSandbox bool
	// Progress is called with what the installation is doing; calls don't overlap. If nil, no callback is made.
	Progress func(browser.Progress)
	// Shared is a browser that several engines use. All other fields are its own, and refused beside it. Sessions have
	// browsers of their own all the same. Nil: the engine starts one of its own when it needs one.
	Shared *SharedBrowser
}

// Render is how a page is acquired.
type Render string

// The ways of acquiring a page. The zero value leaves the choice to the engine's
// options and, in the end, to [RenderAuto].
const (
	// RenderAuto starts with plain HTTP and moves to the browser where the page needs it.
	RenderAuto Render = "auto"
	// RenderNever uses plain HTTP only.
	RenderNever Render = "never"
	// RenderAlways uses the browser only.
	RenderAlways Render = "always"
)

func (r Render) validate(field string) error {
	switch r {
	case "", RenderAuto, RenderNever, RenderAlways:
		return nil
	}
	return &OptionError{Field: field, Value: string(r), Want: `"auto", "never" or "always"`}
}

// PageReport describes one visit of the browser, to find out why a page came out as it did.
type PageReport struct {
	// URL that the visit began with.
	URL string
	// Console lines and requests ("GET https://… 200") of the page, the last 200 of each.
	Console, Requests []string
	// Screenshot of the page as it was left, a PNG; nil when it could not be had.
	Screenshot []byte
}
