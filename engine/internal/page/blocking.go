package page

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch/filter"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// maxPatterns bounds the browser's own list of blocked addresses; the guard's
// has no such bound, so what doesn't fit is refused there.
const maxPatterns = 2000

// Blocker knows what advertisements and trackers are. The lists are read once,
// when first needed.
type Blocker struct {
	files   []string
	inProxy bool
	log     *slog.Logger
	load    func() (*filter.Set, error)
	ignored sync.Once // said in the log what sessions ignore
}

// NewBlocker makes a blocker of filter lists in files, beside the built-in ones. Once they are read, the log has how many rules
// each has, and how many lines have no effect. With inProxy the guard judges requests over https, instead of the browser.
func NewBlocker(files []string, inProxy bool, log *slog.Logger) *Blocker {
	b := &Blocker{files: files, inProxy: inProxy, log: log}
	b.load = sync.OnceValues(b.read)
	return b
}

func (b *Blocker) read() (*filter.Set, error) {
	o := filter.Options{Builtin: true, Unseen: b.unseen()}
	var opened []*os.File
	defer func() {
		for _, f := range opened {
			f.Close()
		}
	}()
	for i, name := range b.files {
		f, err := os.Open(name)
		if err != nil {
			return nil, listError(i, name, err)
		}
		opened = append(opened, f)
		o.Lists = append(o.Lists, filter.List{Name: name, Source: f})
	}
	set, err := filter.New(o)
	if err != nil {
		return nil, fmt.Errorf("filter lists: %w", err)
	}
	for _, r := range set.Reports() {
		b.log.Info("filter list read", "report", r.Summary())
	}
	return set, nil
}

// unseen: the document of a page is what the caller wants, tabs that it opens are closed or what an action wanted, and of a WebSocket the
// browser only shows the guard the host, unless that reads TLS.
func (b *Blocker) unseen() []filter.Type {
	if b.inProxy {
		return []filter.Type{filter.Document, filter.Popup}
	}
	return []filter.Type{filter.Document, filter.Popup, filter.WebSocket}
}

// Reports returns how many rules each list has, and which lines have no effect. It reads the lists unless they have been read.
func (b *Blocker) Reports() ([]filter.Report, error) {
	set, err := b.load()
	if err != nil {
		return nil, err
	}
	return set.Reports(), nil
}

// Check reports a list that isn't there.
func (b *Blocker) Check() error {
	for i, name := range b.files {
		if info, err := os.Stat(name); err != nil {
			return listError(i, name, err)
		} else if info.IsDir() {
			return listError(i, name, errors.New("is a folder"))
		}
	}
	return nil
}

func listError(i int, name string, err error) error {
	return &option.Error{Field: fmt.Sprintf("FilterLists[%d]", i), Value: name, Want: "a readable file", Err: err}
}

// Blocking is what one page's visit keeps away. The zero value keeps nothing away.
type Blocking struct {
	Patterns []string                                    // for the browser's own list
	Judge    *browser.Judge                              // for requests that need to be looked at one by one; nil: none
	Hide     []string                                    // selectors
	Host     func(host string) bool                      // for the guard; nil: none
	Suspect  func(host string) bool                      // for the guard beside Proxy, of hosts that Host lets through; nil: none
	Proxy    func(r guard.Request, pageHost string) bool // for the guard, which judges what Judge doesn't see; nil: none
}

// ForPage gives what to keep away on a page. Rules for whole hosts are the browser's list and the guard's. Where there are others,
// for some paths, types or pages, the browser's list would be a detour: what it refuses is then refused by a judge.
func (b *Blocker) ForPage(address string) (Blocking, error) {
	host := weburl.Hostname(address)
	set, kept, err := b.forHost(host)
	if err != nil {
		return Blocking{}, err
	}
	if kept.Judge = judgeFor(set, host); kept.Judge == nil {
		kept.Patterns = set.URLPatterns(host, maxPatterns)
	} else if b.inProxy {
		kept.Proxy, kept.Suspect = proxyJudge(set, host), func(h string) bool { return set.MatchHost(h, host) }
		kept.Judge.Plain = true
		if !strings.HasPrefix(address, "http:") { // a page over TLS requests nothing without it
			kept.Judge = nil
		}
	}
	return kept, nil
}

// ForSession is ForPage for a session that begins on a host. The browser can't hold its requests, as code may take its tabs: where the
// guard doesn't judge them, only rules for whole hosts apply, and the log has, once, how many others don't.
func (b *Blocker) ForSession(host string) (Blocking, error) {
	set, kept, err := b.forHost(host)
	if err != nil {
		return Blocking{}, err
	}
	narrow := set.Narrow()
	if narrow > 0 && b.inProxy {
		judge := proxyJudge(set, host)
		return Blocking{Hide: kept.Hide, Suspect: func(h string) bool { return set.MatchHost(h, anyPage) },
			Proxy: func(r guard.Request, pageHost string) bool { return judge(typedByName(r), pageHost) }}, nil
	}
	if narrow > 0 {
		b.ignored.Do(func() {
			b.log.Warn("filter lists: sessions apply only rules for whole hosts; with Options.FilterInProxy they apply all", "ignored", narrow)
		})
	}
	kept.Patterns, kept.Host = set.URLPatterns(host, maxPatterns), func(h string) bool { return set.MatchHost(h, host) }
	return kept, nil
}

// anyPage is a page that no rule names.
const anyPage = "page.invalid"

// typesByName are the types of what has a name with such an ending.
var typesByName = map[string]string{".js": "Script", ".mjs": "Script", ".json": "XHR", ".woff": "Font", ".woff2": "Font", ".ttf": "Font", ".otf": "Font",
	".mp4": "Media", ".webm": "Media", ".mp3": "Media", ".m4a": "Media", ".ogg": "Media", ".wav": "Media"}

// typedByName gives a request the type that its address suggests, where without TLS its header shows none.
func typedByName(r guard.Request) guard.Request {
	if r.Type == "" && strings.HasPrefix(r.URL, "http:") {
		place, _, _ := weburl.Split(r.URL)
		r.Type = typesByName[strings.ToLower(path.Ext(place))]
	}
	return r
}

// proxyJudge judges for the guard; host is that of pages that aren't known.
func proxyJudge(set *filter.Set, host string) func(r guard.Request, pageHost string) bool {
	return func(r guard.Request, pageHost string) bool { return blocks(set, r.URL, r.Type, cmp.Or(pageHost, host)) }
}

// forHost is what needs no judge.
func (b *Blocker) forHost(host string) (*filter.Set, Blocking, error) {
	set, err := b.load()
	if err != nil {
		return nil, Blocking{}, err
	}
	return set, Blocking{Hide: set.Hiding(host), Host: func(h string) bool { return set.MatchWholeHost(h, host) }}, nil
}

// judgeFor makes the judge of a page of host, nil where rules are about whole hosts only.
func judgeFor(set *filter.Set, host string) *browser.Judge {
	suspects := set.Suspects(host)
	if !suspects.Others {
		return nil
	}
	j := &browser.Judge{Host: host, Texts: suspects.Own, Blocks: func(r browser.Request) bool {
		return blocks(set, r.URL, r.Type, r.PageHost)
	}}
	if suspects.All {
		j.Host = ""
	}
	return j
}

func blocks(set *filter.Set, address, kind, pageHost string) bool {
	blocked, _ := set.Match(filter.Request{URL: address, PageHost: pageHost, Type: filter.TypeOf(kind)})
	return blocked
}

// Blocks returns what reports whether a script is an advertisement's or a tracker's on a page of host. The lists are read at its
// first use; where they can't be, nothing is blocked, and a visit says why.
func (b *Blocker) Blocks(host string) func(script string) bool {
	return func(script string) bool {
		set, err := b.load()
		if err != nil {
			return false
		}
		blocked, _ := set.Match(filter.Request{URL: script, PageHost: host, Type: filter.Script})
		return blocked
	}
}
