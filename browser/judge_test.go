package browser

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// judged is a judge that notes what it sees, and blocks by type or part of the address.
type judged struct {
	Judge
	mu   sync.Mutex
	seen []Request
}

func newJudged(host string, texts []string, blocks func(Request) bool) *judged {
	j := &judged{Judge: Judge{Host: host, Texts: texts}}
	j.Blocks = func(r Request) bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.seen = append(j.seen, r)
		return blocks(r)
	}
	return j
}

// saw returns the requests whose address ends so.
func (j *judged) saw(ending string) (found []Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.seen {
		if strings.HasSuffix(r.URL, ending) {
			found = append(found, r)
		}
	}
	return found
}

var judgeRoutes = map[string]http.HandlerFunc{
	"/judged": func(w http.ResponseWriter, r *http.Request) {
		other := r.URL.Query().Get("other")
		page(`<script src="/own.js"></script><script src="/Ad-own.js"></script><img src="/own.gif"><script src="`+other+`/other.js"></script>
			<img src="`+other+`/other.gif"><iframe src="`+other+`/inner"></iframe><iframe src="`+other+`/framed"></iframe>
			<script>fetch("`+other+`/json?a=1", {mode: "no-cors"})</script>`)(w, r)
	},
	"/framed":    page(`<script src="/within.js"></script><img src="/within.gif">`),
	"/own.js":    raw("text/javascript", ""),
	"/Ad-own.js": raw("text/javascript", ""),
	"/other.js":  raw("text/javascript", ""),
	"/within.js": raw("text/javascript", ""),
}

func TestJudge_seesWhatItAsksForAndBlocks(t *testing.T) {
	for name, headers := range map[string]map[string]string{"alone": nil, "with the caller's headers": {"X-Secret": "s3"}} {
		t.Run(name, func(t *testing.T) {
			needsBrowser(t)
			proxy := newProxy(t)
			own, other := newSite(t, proxy.URL, judgeRoutes), newSite(t, proxy.URL, judgeRoutes)
			elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
			j := newJudged("127.0.0.1", []string{"/ad-"}, func(r Request) bool {
				return r.Type == "Script" && strings.HasPrefix(r.URL, elsewhere) || strings.Contains(r.URL, "/Ad-") || r.Type == "Subdocument" && strings.HasSuffix(r.URL, "/inner")
			})
			j.Texts = append(j.Texts, "d-own")
			p := open(t, PageOptions{Proxy: proxy.URL, Judge: &j.Judge, Headers: headers})
			visit(t, p, own.URL+"/judged?other="+url.QueryEscape(elsewhere))
			for site, paths := range map[*site][]string{own: {"/judged", "/own.js", "/own.gif"}, other: {"/other.gif", "/framed", "/within.gif", "/json"}} {
				for _, path := range paths {
					eventually(t, path+" is asked for", func() bool { return len(site.requests(path)) > 0 })
				}
			}
			for _, path := range []string{"/Ad-own.js", "/other.js", "/inner", "/within.js"} {
				if len(own.requests(path))+len(other.requests(path)) > 0 {
					t.Errorf("%s was asked for", path)
				}
			}
			checkJudged(t, j, headers != nil)
			if got := own.requests("/own.js")[0].Get("X-Secret"); got != headers["X-Secret"] {
				t.Errorf("the caller's header is %q, want %q", got, headers["X-Secret"])
			}
		})
	}
}

// checkJudged: the judge sees types and pages, the page's own requests only where it asks for them, and never its document.
func checkJudged(t *testing.T, j *judged, all bool) {
	t.Helper()
	for ending, kind := range map[string]string{"/other.gif": "Image", "/within.js": "Script", "/inner": "Subdocument", "/json?a=1": "XHR", "/Ad-own.js": "Script"} {
		if got := j.saw(ending); len(got) != 1 || got[0].Type != kind || got[0].PageHost != "127.0.0.1" {
			t.Errorf("%s: judged %+v, want once, as %s of 127.0.0.1", ending, got, kind)
		}
	}
	if got := j.saw("/own.js"); len(got) > 0 != all {
		t.Errorf("/own.js: judged %+v, want %v", got, all)
	}
	for _, r := range j.seen {
		if strings.Contains(r.URL, "/judged") {
			t.Errorf("the page itself was judged: %+v", r)
		}
	}
}

func TestJudge_patternsHoldAllButOneHost(t *testing.T) {
	j := Judge{Host: "www.a-b.com", Texts: []string{`/ad\`, "-ad."}}
	for address, held := range map[string]bool{
		"https://www.a-b.com/":               false,
		"http://www.a-b.com:8080/x.js":       false,
		"https://www.a-b.com/x/y?z=-adx":     false,
		"https://www.a-b.com/x-ad.js":        true,
		"https://www.a-b.com/x-AD.js":        false,
		"https://www.a-b.com.evil.com/x.js":  true,
		"https://www.a-b.co/":                true,
		"https://www.a-b.comb/":              true,
		"https://a-b.com/":                   true,
		"https://w/":                         true,
		"https://cdn.www.a-b.com/":           true,
		"http://[::1]:80/":                   true,
		"https://xn--bcher-kva.example/x.js": true,
	} {
		got := false
		for _, p := range j.patterns() {
			got = got || fits(p, address)
		}
		if got != held {
			t.Errorf("%s: held %v, want %v", address, got, held)
		}
	}
	if got := (&Judge{}).patterns(); len(got) != 1 || !fits(got[0], "https://a.com/") {
		t.Errorf("without a host: %q", got)
	}
}

// fits compares as the browser does: "*" is anything, "?" one character or none, "\" takes the next as it is.
func fits(pattern, s string) bool {
	switch {
	case pattern == "":
		return s == ""
	case pattern[0] == '*':
		return fits(pattern[1:], s) || s != "" && fits(pattern, s[1:])
	case pattern[0] == '?':
		return fits(pattern[1:], s) || s != "" && fits(pattern[1:], s[1:])
	case pattern[0] == '\\':
		pattern = pattern[1:]
	}
	return s != "" && pattern[0] == s[0] && fits(pattern[1:], s[1:])
}

// Where a page is led is judged before it is requested, each hop; its own address and its frames aren't.
func TestOnward_judgesWhereAPageIsLed(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL, map[string]http.HandlerFunc{
		"/framing": page(`<iframe src="/redirect?url=/inner"></iframe>`),
		"/onwards": page(`<script>location.href = "/redirect?url=/secret"</script>`),
		"/secret":  page("secret"),
		"/inner":   page("inner"),
		"/redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
		},
	})
	p := open(t, PageOptions{Proxy: proxy.URL, Headers: map[string]string{"X-Secret": "s3"}})
	asked := make(chan string, 10)
	refuse := func(to string) error {
		asked <- strings.TrimPrefix(to, s.URL)
		if to == s.URL+"/secret" {
			return ErrScheme
		}
		return nil
	}
	for to, o := range map[string]GotoOptions{"/framing": {Onward: refuse}, "/redirect?url=/secret": {}} {
		if _, err := p.GotoWith(testContext(t), s.URL+to, o); err != nil || len(asked) != 0 {
			t.Errorf("%s: %v, %d questions", to, err, len(asked))
		}
	}
	p.loader.opts.LoadWait = time.Second // the load event waits for where the script leads
	if _, err := p.GotoWith(testContext(t), s.URL+"/onwards", GotoOptions{Onward: refuse}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/redirect?url=/secret", "/secret"} {
		if got := <-asked; got != want {
			t.Errorf("judged %s, want %s", got, want)
		}
	}
	if n := len(s.requests("/secret")); n != 1 || len(s.requests("/inner")) != 1 {
		t.Errorf("%d requests of what was refused, %d of the frame's document", n-1, len(s.requests("/inner")))
	}
}
