package judge

import (
	"context"
	"crypto/sha256"
	"net"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/lru"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/script"
)

// Bounds of the scripts that are fetched for one page.
const (
	maxScripts = 4
	maxBytes   = 512 << 10
	maxInline  = 2 << 20   // of inline scripts
	keptFor    = time.Hour // how long an address stands for what it gave
)

// Library fetches scripts of sites and keeps what they do: by content, and for an hour by address. Safe for concurrent use.
type Library struct {
	now       func() time.Time
	contents  *lru.Cache[sum, script.Facts]
	addresses *lru.Cache[string, address]
}

type sum = [sha256.Size]byte

// address is what a script's address gave.
type address struct {
	content sum
	size    int
	until   time.Time
}

// Get fetches a script of at most limit bytes.
type Get func(ctx context.Context, url string, limit int64) ([]byte, error)

// NewLibrary makes an empty library of at most size bytes.
func NewLibrary(size int64, now func() time.Time) *Library {
	return &Library{now: now, contents: lru.New[sum, script.Facts](size), addresses: lru.New[string, address](size / 4)}
}

// Sources are the scripts of a page.
type Sources struct {
	Page    string // its URL
	Scripts []formats.PageScript
	Hosts   []string // that serve the page's style sheets, and so its bundles too
	// Blocked reports a script that is an advertisement's or a tracker's. If nil, none is.
	Blocked func(src string) bool
}

// Inline adds what the inline scripts do, as Places does, and all else that a verdict needs. The error is the context's.
func (l *Library) Inline(ctx context.Context, from Sources, e *Evidence) error {
	if err := l.Places(ctx, from, e); err != nil {
		return err
	}
	return e.countMain(ctx)
}

// Places adds what the inline scripts do, those of the first 2 MB, and counts the others. It doesn't find the main content, so that the
// evidence is enough for its places, and for no verdict. The error is the context's.
func (l *Library) Places(ctx context.Context, from Sources, e *Evidence) error {
	budget := maxInline
	for _, s := range from.Scripts {
		switch {
		case s.Src == "" && len(s.Inline) > budget:
			e.Unread++
		case s.Src == "":
			budget -= len(s.Inline)
			f, err := l.facts(ctx, []byte(s.Inline))
			if err != nil {
				return err
			}
			e.add(from.withoutVendors(f, s.Inline))
		case !from.isOwn(s.Src) && !isKnownLibrary(s.Src) && !from.isKnown(s.Src):
			e.Foreign++
		}
	}
	e.Unread += len(from.own())
	return e.match(ctx)
}

// Late is the longest timer of seconds before what the inline scripts of a page write; 0 for none. The error is the context's.
func (l *Library) Late(ctx context.Context, d *formats.DOM) (after time.Duration, err error) {
	scripts, err := d.Scripts(ctx)
	if err != nil {
		return 0, err
	}
	budget := maxInline
	for _, s := range scripts {
		if budget -= len(s.Inline); budget < 0 || !strings.Contains(s.Inline, "setTimeout") && !strings.Contains(s.Inline, "setInterval") {
			continue
		}
		f, err := l.facts(ctx, []byte(s.Inline))
		if err != nil {
			return 0, err
		}
		for _, w := range f.Writes {
			if f.Carries(w) && w.After >= lateTimer {
				after = max(after, w.After)
			}
		}
	}
	return after, nil
}

// Fetch adds what the site's own scripts do: at most four of them, and 512 kB in all. Those that could not be read stay counted as
// unread. The error is the context's.
func (l *Library) Fetch(ctx context.Context, from Sources, e *Evidence, get Get) error {
	budget := int64(maxBytes)
	list := from.own()
	counted := len(list) // among the unread; what modules import is not
	for i := 0; i < len(list) && i < maxScripts && budget > 0; i++ {
		f, size, err := l.load(ctx, list[i], budget, get)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue
		}
		budget -= int64(size)
		e.add(f)
		if i < counted {
			e.Unread--
		}
		list = append(list, from.imported(list, list[i], f.Imports)...)
	}
	return e.match(ctx)
}

// load gives what the script at an address does.
func (l *Library) load(ctx context.Context, url string, limit int64, get Get) (script.Facts, int, error) {
	if at, ok := l.addresses.Get(url); ok && l.now().Before(at.until) {
		if f, ok := l.contents.Get(at.content); ok {
			return f, at.size, nil
		}
	}
	body, err := get(ctx, url, limit)
	if err != nil {
		return script.Facts{}, 0, err
	}
	f, err := l.facts(ctx, body)
	if err == nil {
		l.addresses.Put(url, address{content: sha256.Sum256(body), size: len(body), until: l.now().Add(keptFor)}, int64(len(url))+64)
	}
	return f, len(body), err
}

// facts reads a script, once for each content.
func (l *Library) facts(ctx context.Context, source []byte) (script.Facts, error) {
	of := sha256.Sum256(source)
	if f, ok := l.contents.Get(of); ok {
		return f, nil
	}
	f, err := script.Read(ctx, source)
	if err == nil {
		l.contents.Put(of, f, f.Size())
	}
	return f, err
}

// own are the addresses of the site's own scripts, each once: modules first, known libraries and vendors left out.
func (s Sources) own() []string {
	var modules, classic []string
	seen := map[string]bool{}
	for _, p := range s.Scripts {
		switch {
		case p.Src == "" || seen[p.Src] || !s.isOwn(p.Src) || isKnownLibrary(p.Src) || s.isKnown(p.Src):
		case p.Module:
			modules = append(modules, p.Src)
		default:
			classic = append(classic, p.Src)
		}
		seen[p.Src] = true
	}
	return append(modules, classic...)
}

// imported are the scripts that a module imports and that are not known yet.
func (s Sources) imported(known []string, base string, imports []string) []string {
	var added []string
	from, err := weburl.NewBase(base)
	if err != nil {
		return nil
	}
	for _, name := range imports {
		if !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "/") {
			continue
		}
		url, err := from.Resolve(name)
		if err == nil && s.isOwn(url) && !s.isKnown(url) && !slices.Contains(known, url) && !slices.Contains(added, url) {
			added = append(added, url)
		}
	}
	return added
}

// isOwn reports whether a script is of the page's site, or of a host that serves its style sheets.
func (s Sources) isOwn(src string) bool {
	return s.isOfSite(src) || slices.Contains(s.Hosts, weburl.Host(src))
}

// isOfSite reports an address of the page's site.
func (s Sources) isOfSite(url string) bool {
	host, page := weburl.Hostname(url), weburl.Hostname(s.Page)
	if host == page {
		return true
	}
	site := weburl.Registrable(host)
	return site != "" && site == weburl.Registrable(page) && net.ParseIP(host) == nil
}

// knownLibraries begin the names of files that are libraries: by themselves they write nothing. A letter behind makes it another name.
var knownLibraries = []string{
	"jquery", "bootstrap", "popper", "modernizr", "polyfill", "polyfills", "respond", "html5shiv", "lodash", "underscore", "moment", "swiper",
	"slick", "owl.carousel", "lazysizes", "lazyload", "lightbox", "fancybox", "wp-embed", "wp-emoji", "gsap", "aos", "prism",
	"highlight", "webfont", "picturefill", "regenerator-runtime", "core-js", "zone.js", "turbolinks", "turbo",
}

func isKnownLibrary(src string) bool {
	src, _, _ = strings.Cut(src, "?")
	name := strings.ToLower(path.Base(src))
	return slices.ContainsFunc(knownLibraries, func(known string) bool {
		rest, is := strings.CutPrefix(name, known)
		return is && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
	})
}
