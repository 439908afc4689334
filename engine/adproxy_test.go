package engine

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch/fetchtest"
	"github.com/winnow-go/winnow/formats"
)

// adTypes has a rule for each type of request on a host of its own, by which a page shows how the browser's requests are understood.
const adTypes = `||script.example^$script
||image.example^$image
||style.example^$stylesheet
||xhr.example^$xmlhttprequest
||ping.example^$ping
||frame.example^$subdocument
||object.example^$object
||media.example^$media
||font.example^$font
||other.example^$other
`

// adLinks requests everything that a page can in one way or another; %s is the host.
const adLinks = `<link rel=stylesheet href=https://%[1]s/a.css><link rel=preload as=script href=https://%[1]s/preload.js>
<link rel=prefetch href=https://%[1]s/prefetch.js>
<link rel=modulepreload href=https://%[1]s/modulepreload.js>
<style>@font-face { font-family: F%[2]d; src: url(https://%[1]s/font.woff2) } .f%[2]d { font-family: F%[2]d; background: url(https://%[1]s/back.gif) }</style>
<p class=f%[2]d>text</p><script src=https://%[1]s/a.js></script><script type=module src=https://%[1]s/module.js></script>
<img src=https://%[1]s/a.gif><img srcset="https://%[1]s/set.gif 1x"><video src=https://%[1]s/a.mp4 preload=auto></video>
<audio src=https://%[1]s/a.mp3 preload=auto></audio><video><track default src=https://%[1]s/a.vtt></video>
<iframe src=https://%[1]s/frame></iframe><object data=https://%[1]s/object></object><embed src=https://%[1]s/embed>
<form target=f%[2]d action=https://%[1]s/form id=form%[2]d></form><iframe name=f%[2]d></iframe>
<script>{
const quiet = p => p.catch(() => 0)
quiet(fetch("https://%[1]s/fetch", {mode: "no-cors"}))
quiet(fetch("https://%[1]s/cors"))
quiet(fetch("https://%[1]s/post", {mode: "no-cors", method: "POST", body: "x"}))
quiet(fetch("https://%[1]s/keepalive", {mode: "no-cors", method: "POST", body: "x", keepalive: true}))
quiet(fetch("https://%[1]s/put", {method: "PUT", body: "x"}))
const x = new XMLHttpRequest(); x.open("GET", "https://%[1]s/xhr"); x.send()
navigator.sendBeacon("https://%[1]s/beacon", "x")
new EventSource("https://%[1]s/events")
new Image().src = "https://%[1]s/new.gif"
document.getElementById("form%[2]d").submit()
}</script>`

// adHosts are the hosts of adTypes and one that no rule is about.
func adHosts() (hosts []string) {
	for line := range strings.SplitSeq(strings.TrimSpace(adTypes), "\n") {
		hosts = append(hosts, line[2:strings.IndexByte(line, '^')])
	}
	return append(hosts, "free.example")
}

// Whether the browser holds requests or the proxy judges them, the same ones are refused.
func TestFilterInProxy_refusesWhatTheBrowserWouldHold(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(adTypes+adRules), 0o600); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	for i, host := range adHosts() {
		fmt.Fprintf(&page, adLinks, host, i)
	}
	page.WriteString(strings.ReplaceAll(adPage, "http://", "https://"))
	requested := map[bool]func() []string{}
	for _, inProxy := range []bool{false, true} {
		requested[inProxy] = adVisits(t, page.String(), list, inProxy)
	}
	var held, judged []string
	for range 40 { // what a page requests late may be cut off in one visit; what is refused never comes
		var both sync.WaitGroup
		both.Go(func() { held = requested[false]() })
		judged = requested[true]()
		if both.Wait(); slices.Equal(held, judged) && slices.Contains(judged, "free.example/beacon") {
			break
		}
	}
	for _, r := range without(held, judged) {
		t.Errorf("only the proxy refuses %s", r)
	}
	for _, r := range without(judged, held) {
		t.Errorf("only the browser refuses %s", r)
	}
	for _, r := range []string{"free.example/a.js", "free.example/beacon", "free.example/frame", "script.example/a.gif", "image.example/a.js"} {
		if !slices.Contains(judged, r) {
			t.Errorf("%s was refused", r)
		}
	}
	for _, r := range []string{"script.example/a.js", "image.example/a.gif", "xhr.example/xhr", "frame.example/frame"} {
		if slices.Contains(judged, r) {
			t.Errorf("%s was not refused", r)
		}
	}
}

// adVisits returns what visits a page once more and returns all that its visits have requested so far.
func adVisits(t *testing.T, page, list string, inProxy bool) func() []string {
	var got asked
	hosts := map[string]http.Handler{"cdn.example": &got, "data.example": &got}
	for _, host := range adHosts() {
		hosts[host] = &got
	}
	site := http.NewServeMux()
	site.Handle("/{$}", htmlPage(page))
	site.Handle("/", &got)
	hosts["a.example"] = site
	e := hostEngine(t, hosts, func(o *Options) { o.FilterLists, o.FilterInProxy = []string{list}, inProxy })
	var all []string
	return func() []string {
		o := ScrapeOptions{Render: RenderAlways, MaxAge: fresh, Formats: []formats.Format{{Type: formats.Screenshot}}, WaitFor: 2 * time.Second}
		if _, err := e.Scrape(t.Context(), "https://a.example/", o); err != nil {
			t.Error(err)
		}
		all = append(all, got.take()...)
		slices.Sort(all)
		all = slices.Compact(all)
		return slices.Clone(all)
	}
}

func without(list, those []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(r string) bool { return slices.Contains(those, r) })
}

// The proxy sees certificates in place of the browser, with the same result.
func TestFilterInProxy_failuresHaveTheSameCodes(t *testing.T) {
	t.Parallel()
	site, list := fetchtest.New(t), filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte("/ads/*\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := renderingEngine(t, func(o *Options) { o.Resolver, o.FilterLists, o.FilterInProxy = names{}, []string{list}, true })
	for address, want := range map[string]Code{
		site.TLSURL("/article"):                    CodeSSL,
		"https://nowhere.example/":                 CodeDNS,
		"https://" + fetchtest.ClosedPort(t) + "/": CodeSite,
	} {
		if doc, err := e.Scrape(t.Context(), address, ScrapeOptions{Render: RenderAlways, SkipTLSVerification: new(false)}); CodeOf(err) != want {
			t.Errorf("%s: %+v, %v; want %s", address, doc, err, want)
		}
	}
	if _, err := e.Scrape(t.Context(), site.TLSURL("/article"), ScrapeOptions{Render: RenderAlways, SkipTLSVerification: new(true)}); err != nil {
		t.Errorf("a certificate that need not be valid: %v", err)
	}
}
