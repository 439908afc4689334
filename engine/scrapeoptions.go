package engine

import (
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/window"
)

// ScrapeOptions are the options of one scrape. The zero value gives the main
// content of the page as markdown.
//
// An option that cannot be honoured is a [CodeBadRequest] error, which names field, value and range; none is ever
// ignored.
type ScrapeOptions struct {
	// Formats asked for. Defaults to markdown. rawBase64 stands alone, changeTracking beside
	// markdown; branding is of HTML pages, in a browser, never from the cache, else
	// [CodeBrandingNotSupported]. summary, json, question, highlights, query and the json mode of
	// changeTracking ask [Options.Model], which gets the text that readers of the page see; one
	// that fails is left out with a warning, or is the error when nothing else was asked for.
	// passages are the markdown in pieces to find and quote (package formats/passages), cut after everything else.
	// product and menu come from what the page describes for machines; the model is called only for
	// what that lacks, and without one the warning says what is missing. deterministicJson has the
	// model choose selectors once for pages of one layout (same host and kind of address, schema,
	// prompt and Owner): the next such pages call no model, until required fields, most fields, or one
	// field on three pages in a row are gone; then selectors are learned again, at most three times
	// an hour. Under ZeroDataRetention and Lockdown what is learned isn't kept. Selectors that
	// find something else than they did aren't noticed.
	Formats []formats.Format
	// OnlyMainContent leaves headers, navigation, footers and their like out of
	// everything but rawHtml and screenshot. Nil is true. When it is false the markdown is
	// still without overlays that ask for consent, a newsletter's address or an age.
	OnlyMainContent *bool
	// OnlyCleanContent is a model's pass over the markdown: it names the blocks of boilerplate that are left,
	// and nothing else changes. A markdown that is too long for the model stays as it is, with a
	// warning. Refused without markdown, under Lockdown and ZeroDataRetention.
	OnlyCleanContent bool
	// CleanBelow has the model of OnlyCleanContent called only for main content with a lower
	// [formats.Metadata.ContentConfidence], 0 to 1, or with none. Otherwise the markdown stays as the rules
	// give it: metadata.tokensUsed is absent where nothing else calls the model. 0 always calls it. Refused without
	// OnlyCleanContent, and with OnlyMainContent false, where there is no confidence.
	CleanBelow float64
	// LeftOut asks for [Document.LeftOut], what OnlyMainContent has left out. Refused when that is false.
	LeftOut bool
	// Budget bounds the markdown of the document in tokens, as [Options.CountTokens] counts them: from its From on, or to what is
	// most relevant for its Query. [Document.Window] says which part that is and has an outline of the rest. It is cut after everything
	// else: change tracking and what calls a model are of the whole page. Each part is a scrape of its own, for which the cache has the
	// page; parts of different versions of a page don't join. Refused without markdown, and with the format passages. Zero: the whole.
	Budget window.Budget
	// MaxTokens bounds what a language model may read and write for this request; what has no room any
	// more is left out with a warning, or [CodeModelBudget] when nothing else was asked for. Zero is 500,000.
	MaxTokens int
	// IncludeTags keeps only what these CSS selectors, or *text* wildcards, match.
	IncludeTags []string
	// ExcludeTags removes what these CSS selectors, or *text* wildcards, match.
	ExcludeTags []string
	// MaxAge of a stored copy that may be served. Nil is two days, two years under Lockdown,
	// and unlimited with MinAge. 0 is always fresh. An older copy whose site vouches for it
	// (ETag or Last-Modified, plain HTTP) is served and renewed.
	MaxAge *time.Duration
	// Revalidate requests the page each time: a stored copy is served only where its site vouches for it (ETag or Last-Modified, plain
	// HTTP). What is never stored is fetched in full. Refused with MaxAge, MinAge and Lockdown.
	Revalidate bool
	// MinAge of a stored copy. Set, only the cache is read: without a copy that old the
	// error is [CodeNoCachedData]. 1 ms accepts any.
	MinAge *time.Duration
	// Headers are sent to the target's own origin, and to no other, by HTTP and by the
	// browser. An upgrade from http to https on the default ports of the same host
	// counts as the same origin. Host, Proxy-* and hop-by-hop headers are refused.
	Headers map[string]string
	// WaitFor is waited after the page is ready, before its content is read: 0 to 60 s
	// and at most half of Timeout. It needs a browser.
	WaitFor time.Duration
	// Mobile emulates a phone. It needs a browser.
	Mobile bool
	// SkipTLSVerification accepts any certificate. Nil is true, but false when Headers,
	// Actions or a Profile are given: secrets aren't sent over an unverified connection. Sites of [Options].TLS and
	// Credentials are verified all the same; true is a warning then.
	SkipTLSVerification *bool
	// Timeout of the scrape, waiting in line included, installing a browser not
	// included: 1 s to 300 s. Zero is 60 s. A page or text that does not end within it gives
	// what has come, with a warning: after half of the time that is left if a browser may be
	// needed, else after four fifths.
	Timeout time.Duration
	// Parsers says how PDFs and images are read; each type once. Nil is [{"pdf"}]: a PDF is read as
	// text. Without the type pdf (an empty list) it is given as base64 instead, in markdown and
	// html. With the type image the text of pictures is recognised. Office documents, feeds and
	// text files are always read.
	Parsers []Parser
	// Actions on the page, in order, before its content is read: at most 50, with waits of
	// at most 60 s in all. They need a browser. One that fails ends the scrape with a
	// [CodeAction] error that wraps an *actions.Error.
	Actions []actions.Action
	// Location that the page is shown: language and time zone. It needs a browser.
	Location *Location
	// RemoveBase64Images replaces data URIs of images in the markdown. Nil is true.
	RemoveBase64Images *bool
	// BlockAds keeps advertisements and trackers away and handles cookie banners, by
	// rejecting where that can be. Nil is true. It matters in the browser only.
	BlockAds *bool
	// Proxy is the tier of [Options.Proxies] to use. Empty is "auto": the basic one, or a
	// direct connection where none is configured, and once more with the enhanced one when
	// the page answers 401, 403 or 429 or shows a wall. "enhanced", also called "stealth",
	// without such a proxy is a [CodeProxy] error.
	Proxy ProxyTier
	// StoreInCache keeps the page for later scrapes. Nil is true. Pages got with Headers,
	// Actions, a Profile, credentials in the URL, a screenshot's own viewport or quality,
	// or ZeroDataRetention are never kept, nor served from the cache.
	StoreInCache *bool
	// Lockdown serves from the cache alone: nothing leaves the process, no browser is
	// started, nothing is recorded, and neither errors nor logs contain the URL. Without a
	// fitting copy the error is [CodeLockdownMiss]. Options that no stored copy can honour
	// are refused beside it.
	Lockdown bool
	// Profile keeps browser state (cookies, localStorage, IndexedDB, and the sessionStorage of the last
	// page) between scrapes and sessions of one owner. It needs a browser. A profile that another scrape is writing is a
	// [CodeProfileBusy] error, a damaged one [CodeProfileDamaged].
	Profile *Profile
	// Owner is the tenant that owns what is kept of the scrape: records, credits, profiles,
	// change tracking. At most 256 bytes without a zero byte. The cache is common to all.
	Owner string
	// ZeroDataRetention keeps nothing of the scrape: no page, record, log, asset or
	// temporary file; errors don't contain the URL. Refused unless
	// [Options.AllowZeroDataRetention] is set. Screenshots are then data URIs always.
	ZeroDataRetention bool
	// ObeyRobots asks the robots.txt of the page's host first: a page that it forbids is a
	// [CodeRobots] error, one of a host that doesn't give its robots.txt (5xx or 429, no answer,
	// also after further tries within Timeout) a [CodeRobotsUnreachable] error, one of a host
	// that can't be reached has the code of that, such as [CodeDNS]. Where redirects, scripts and actions lead, also in tabs that actions
	// open, is checked before it is requested. A frame whose document is forbidden stays empty, and Warning names it. Pages from the
	// cache, and so all under Lockdown, need no robots.txt: nothing is fetched. A robots.txt is remembered for a day.
	ObeyRobots bool
	// RobotsUserAgent is the robot that ObeyRobots asks about: a product token such as
	// "examplebot", or a User-Agent header that begins with one; at most 256 bytes. Empty is
	// [DefaultRobotsAgent]. It changes no header. Refused without ObeyRobots.
	RobotsUserAgent string

	// Render says how the page is acquired. Empty is the engine's choice.
	Render Render
	// MinConfidence is the confidence, 0 to 1, below which a page that seems whole by plain HTTP is rendered in a browser all the
	// same; metadata.renderConfidence has it. Zero is [Options.MinConfidence]. Only with [RenderAuto].
	MinConfidence float64
	// ProxyURL is an upstream proxy for this scrape: an http, https, socks5 or socks5h
	// URL, credentials allowed. It counts for HTTP and browser alike; the egress policy
	// applies to the target all the same, which the proxy gets as a checked address. Empty: as Proxy
	// says; not both.
	//
	// The risk: a program that takes the URL from its users lets them make the engine connect to any address that it can
	// reach, internal ones too, and learn from the errors what listens there. [Options.ProxyPolicy] bounds it;
	// a proxy that it refuses is a [CodeProxy] error.
	ProxyURL string
	// OnStep is called with each step when it has ended, in order, from the scrape's
	// goroutine. If nil, no callback is made.
	OnStep func(Step) `json:"-"`
}

// Location is where a scrape pretends to be.
type Location struct {
	// Country is an ISO 3166-1 alpha-2 code in any case, "us-generic" or "us-whitelist".
	// Empty is US.
	Country string `json:"country,omitempty"`
	// Languages are BCP 47 tags in order of preference. Empty: the country's own.
	Languages []string `json:"languages,omitempty"`
}

// Parser says how files of one type are read.
type Parser struct {
	// Type is "pdf" or "image".
	Type string `json:"type"`
	// Mode of a pdf: "fast" reads the text that is in it, "auto" recognises pages that have none,
	// "ocr" recognises all. Empty is "auto". Where nothing but recognition gives a text and there is
	// none (Options.OCR), the error is [CodePDFNeedsOCR].
	Mode string `json:"mode,omitempty"`
	// MaxPages bounds the pages read, 1–10000. Zero: all.
	MaxPages int `json:"maxPages,omitempty"`
	// Pages asks for each page's markdown by itself.
	Pages bool `json:"pages,omitempty"`
	// Blocks asks for the layout blocks.
	Blocks bool `json:"blocks,omitempty"`
	// PageMarkers puts a rule and the comment "page N" between the pages in the markdown.
	PageMarkers bool `json:"pageMarkers,omitempty"`
	// Password of an encrypted pdf. The empty one is always tried. It is
	// kept with the options of an unfinished job, and nowhere else.
	Password string `json:"password,omitempty"`
}

// Profile names browser state that outlives a scrape.
type Profile struct {
	// Name has 1 to 128 characters.
	Name string `json:"name"`
	// SaveChanges writes the state back. Nil is true.
	SaveChanges *bool `json:"saveChanges,omitempty"`
}

// ProxyTier is a class of proxies.
type ProxyTier string

// The proxy tiers of the service.
const (
	ProxyAuto     ProxyTier = "auto"
	ProxyBasic    ProxyTier = "basic"
	ProxyEnhanced ProxyTier = "enhanced"
	ProxyStealth  ProxyTier = "stealth" // the service's old name of enhanced
)

// Step is one part of a scrape that has ended.
type Step struct {
	// Name is the function's name in scrape.go or acquire.go: "lookup", "queue", "fetch",
	// "install", "open", "goto", "ready", "content", "screenshot", "store", "render", "track" …
	Name string
	// Detail is a word on what came of it; may be empty.
	Detail string
	// Start and Duration are by the engine's clock.
	Start    time.Time
	Duration time.Duration
	// Err is the step's failure, nil when it went well.
	Err error
}
