package browser

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// hideJS hides what selectors match; see the file.
//
//go:embed hide.js
var hideJS string

// skipEndings are the endings of addresses of each kind that PageOptions.Skip can name.
var skipEndings = map[string][]string{
	"image": {"png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "ico", "svg", "tif", "tiff", "jxl"},
	"font":  {"woff", "woff2", "ttf", "otf", "eot"},
	"media": {"mp4", "webm", "m4v", "mov", "avi", "mkv", "ogv", "mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac", "m3u8", "mpd", "ts"},
}

// block passes the browser its list of blocked addresses. The browser itself refuses them, with no word to the driver.
func block(ctx context.Context, t *tab.Tab, o PageOptions) error {
	patterns := blockedPatterns(o)
	if len(patterns) == 0 {
		return nil
	}
	none := map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0} // bodies that are never requested
	if err := t.Send(ctx, "Network.enable", none); err != nil {
		return err
	}
	return t.Send(ctx, "Network.setBlockedURLs", map[string]any{"urls": patterns})
}

// blockedPatterns are those of Block, and of the kinds of Skip.
func blockedPatterns(o PageOptions) []string {
	patterns := make([]string, 0, len(o.Block))
	patterns = append(patterns, o.Block...)
	for _, kind := range o.Skip {
		for _, ending := range skipEndings[kind] {
			for _, e := range []string{ending, strings.ToUpper(ending)} { // the browser distinguishes them
				patterns = append(patterns, "*://*/*."+e, "*://*/*."+e+"?*")
			}
		}
	}
	return patterns
}

// hide puts the style that hides what selectors match into every document, and into one that is shown already. The custom property name
// marks what it hides.
func hide(ctx context.Context, t *tab.Tab, selectors []string, name string, shown bool) error {
	if len(selectors) == 0 {
		return nil
	}
	list, err := json.Marshal(selectors)
	if err != nil {
		return err
	}
	source := fmt.Sprintf("(%s)(%s, %q)", hideJS, list, name)
	err = tab.Run(ctx, t, "hide", func() error { return t.Page.AddInitScript(playwright.Script{Content: &source}) })
	if err != nil || !shown {
		return err
	}
	_, _, _ = tab.Try(ctx, t, hideTime, func() (any, error) { return t.Page.Evaluate(source) }) // a page that is too busy shows what it has
	return nil
}

// hideTime is how long a document that is there already may take to hide what selectors match.
const hideTime = 2 * time.Second

// Judge decides about requests one by one. The browser holds each one that it is to see, which costs about a millisecond of CPU, so it
// says which those are.
type Judge struct {
	// Blocks reports whether a request is blocked. It must be safe for concurrent use and quick.
	Blocks func(Request) bool
	// Plain: only requests without TLS are held, all of them, whatever Host and Texts are.
	Plain bool
	// Host is the host whose requests are held only where they hold one of Texts; those to all other hosts are. If empty, every
	// request is held.
	Host string
	// Texts are parts of addresses, compared with upper and lower case as they are. Each costs every request about 0.3 µs of CPU.
	Texts []string
}

// Request is what a page requests. The document of the page itself isn't judged.
type Request struct {
	URL      string
	Type     string // "Script", "Image", "Subdocument" and so on, as the browser's protocol names it
	PageHost string // the host of the document that the page shows, while it shows none Judge.Host
}

// hostBytes are what a host may consist of in an address, and what follows it.
const hostBytes = "abcdefghijklmnopqrstuvwxyz0123456789-._~%[]@:/"

// patterns are those of Fetch.enable, in which "?" is one character or none.
func (j *Judge) patterns() []string {
	switch {
	case j == nil:
		return nil
	case j.Plain:
		return []string{"http://*"}
	case j.Host == "" || strings.ContainsAny(j.Host, "*?\\"):
		return []string{"http*"}
	}
	patterns := otherHosts(j.Host)
	for _, text := range j.Texts {
		patterns = append(patterns, "*"+strings.ReplaceAll(text, `\`, `\\`)+"*")
	}
	return patterns
}

// otherHosts are patterns of all addresses but those of a host, a few hundred: for each place of its name, those that differ there first.
func otherHosts(host string) []string {
	var patterns []string
	for at := range len(host) + 1 {
		for _, c := range hostBytes {
			same := at < len(host) && byte(c) == host[at] || at == len(host) && (c == '/' || c == ':')
			if !same {
				patterns = append(patterns, "http?://"+host[:at]+string(c)+"*")
			}
		}
	}
	return patterns
}

// pageJudge is the judge of one tab.
type pageJudge struct {
	*Judge
	tab  *tab.Tab
	main string // the main frame
}

// newPageJudge makes the judge of a tab, nil without one.
func newPageJudge(ctx context.Context, t *tab.Tab, j *Judge) (*pageJudge, error) {
	if j == nil {
		return nil, nil
	}
	main, err := t.MainFrame(ctx)
	return &pageJudge{j, t, main}, err
}

func (j *pageJudge) blocks(r tab.Paused) bool {
	if j == nil {
		return false
	}
	request := Request{URL: r.URL, Type: r.Type, PageHost: cmp.Or(hostOf(j.tab.Page.URL()), j.Host)}
	if r.Type == "Document" {
		if r.Frame == j.main {
			return false
		}
		request.Type = "Subdocument"
	}
	return j.Blocks(request)
}

// route judges where the documents of a tab lead: those of its main frame, of its frames, and of the tabs that it opens. It is safe for
// concurrent use.
type route struct {
	mu    sync.Mutex
	main  string // the main frame; "" while nothing is held
	start string // the address of the load
	o     GotoOptions
}

// set returns the main frame where documents are held already.
func (r *route) set(start string, o GotoOptions) (main string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start, r.o = start, o
	return r.main
}

func (r *route) hold(main string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.main = main
}

func (r *route) judges() GotoOptions {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.o
}

// refuses calls the judge for a document that the main frame is led to.
func (r *route) refuses(p tab.Paused) bool {
	r.mu.Lock()
	judge, onward := r.o.Onward, p.Type == "Document" && p.Frame == r.main && !sameDocument(p.URL, r.start)
	r.mu.Unlock()
	return onward && judge != nil && judge(p.URL) != nil
}

// refusesFrame calls the judge for a document of a frame.
func (r *route) refusesFrame(p tab.Paused) bool {
	r.mu.Lock()
	judge, framed := r.o.Framed, p.Type == "Document" && p.Frame != r.main && strings.HasPrefix(p.URL, "http")
	r.mu.Unlock()
	return framed && judge != nil && judge(p.URL) != nil
}

// onward has documents held from now on, if there is a judge.
func (h *headerRules) onward(ctx context.Context, start string, o GotoOptions) error {
	if o.Keep {
		judges := h.route.judges()
		o.Onward, o.Framed = judges.Onward, judges.Framed
	}
	main := h.route.set(start, o)
	if main == "" && (o.Onward != nil || o.Framed != nil) {
		var err error
		if main, err = h.tab.MainFrame(ctx); err != nil {
			return err
		}
		h.route.hold(main)
		if err := h.tab.InterceptDocuments(ctx, h.paused); err != nil {
			return err
		}
	}
	if o.Onward == nil {
		h.tab.Browser.Windows.Leave(main)
		return nil
	}
	return tab.Run(ctx, h.tab, "judge the tabs of the page", func() error { return h.tab.Browser.Windows.Judge(main, h.refusesWindow) })
}

// refusesWindow refuses the documents of tabs that the page opens: all of them, as they are closed unseen, or, while actions follow them,
// those that the page could not go to, and those that its frames could not show.
func (h *headerRules) refusesWindow(to string, framed bool) bool {
	o := h.route.judges()
	judge := o.Onward
	if framed {
		judge = o.Framed
	}
	return o.Onward != nil && !h.followed() || judge != nil && judge(to) != nil
}

// leave ends what is judged of the tab.
func (h *headerRules) leave() {
	if main := h.route.set("", GotoOptions{}); main != "" {
		h.tab.Browser.Windows.Leave(main)
	}
}
