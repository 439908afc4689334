package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

type who struct {
	Agent, Language, Platform, Zone, Locale string
	Languages                               []string
	Webdriver                               bool
	Touch                                   int
	Ratio                                   float64
	Inner, Screen                           [2]int
	Hints                                   struct {
		Mobile          bool
		Platform, Model string
		FullVersionList []struct{ Brand, Version string }
	}
}

func whoIs(t *testing.T, s *site, o PageOptions) (who, http.Header) {
	t.Helper()
	o.Proxy = s.proxy
	p := open(t, o)
	visit(t, p, s.URL+"/who")
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	html := contentOf(t, p)
	_, text, _ := strings.Cut(html, `<p id="a">`)
	text, _, _ = strings.Cut(text, "</p>")
	var w who
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err, html)
	}
	all := s.requests("/who")
	return w, all[len(all)-1]
}

func TestIdentity_agentHintsAndLanguagesAgree(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	w, sent := whoIs(t, s, PageOptions{Locale: "de-DE", Languages: []string{"de-DE", "de", "fr"}, Timezone: "Asia/Tokyo"})
	version := shared.Version()
	if strings.Contains(w.Agent+sent.Get("Sec-Ch-Ua"), "Headless") || !strings.Contains(w.Agent, "Chrome/"+major(version)+".") || sent.Get("User-Agent") != w.Agent {
		t.Errorf("agent: %q, sent %q, hints %q", w.Agent, sent.Get("User-Agent"), sent.Get("Sec-Ch-Ua"))
	}
	found := false
	for _, b := range w.Hints.FullVersionList {
		found = found || b.Brand == "Chromium" && b.Version == version
	}
	if !found || !strings.Contains(sent.Get("Sec-Ch-Ua"), `"Chromium";v="`+major(version)+`"`) {
		t.Errorf("hints: %+v, sent %q, want version %s", w.Hints, sent.Get("Sec-Ch-Ua"), version)
	}
	if got := sent.Get("Accept-Language"); got != "de-DE,de;q=0.9,fr;q=0.8" {
		t.Errorf("Accept-Language: got %q", got)
	}
	if w.Language != "de-DE" || strings.Join(w.Languages, ",") != "de-DE,de,fr" || w.Zone != "Asia/Tokyo" || w.Locale != "de-DE" || w.Webdriver {
		t.Errorf("got %+v", w)
	}
	if w.Inner != [2]int{1280, 800} || w.Screen[0] < 1280 || w.Screen[1] < 800 {
		t.Errorf("window %v, screen %v", w.Inner, w.Screen)
	}
}

func TestIdentity_languagesAreThoseOfTheCallersHeader(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL)
	const given = "en;q=0.5, fr-CH, de;q=0.8, *;q=0.1"
	w, sent := whoIs(t, s, PageOptions{Locale: "es-ES", Languages: []string{"es-ES", "es"}, Headers: map[string]string{"accept-language": given}})
	if got := strings.Join(w.Languages, ","); got != "fr-CH,de,en" || w.Language != "fr-CH" || w.Locale != "fr-CH" || sent.Get("Accept-Language") != given {
		t.Errorf("got %s, %s, %s, sent %s", got, w.Language, w.Locale, sent.Get("Accept-Language"))
	}
	w, _ = whoIs(t, s, PageOptions{Headers: map[string]string{"Accept-Language": "not ; a = list"}})
	if w.Language != "en-US" {
		t.Errorf("got %s", w.Language)
	}
}

func TestIdentity_mobileIsAPhone(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	w, sent := whoIs(t, s, PageOptions{Mobile: true})
	if !strings.Contains(w.Agent, "Mobile Safari") || !w.Hints.Mobile || w.Hints.Platform != "Android" || sent.Get("Sec-Ch-Ua-Mobile") != "?1" ||
		w.Touch == 0 || w.Ratio != mobileScale || w.Inner != [2]int{412, 915} || w.Platform != "Linux armv81" || w.Hints.Model != "Pixel 8" {
		t.Errorf("got %+v, sent %q", w, sent.Get("Sec-Ch-Ua-Mobile"))
	}
}

func TestIdentity_everyRequestNamesAllLanguages(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	own, other := newSite(t, proxy.URL), newSite(t, proxy.URL)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	for _, headers := range []map[string]string{nil, {"X-Own": "1"}} {
		p := open(t, PageOptions{Proxy: proxy.URL, Locale: "de-DE", Languages: []string{"de-DE", "de", "en"}, Headers: headers})
		visit(t, p, own.URL+"/to?url="+url.QueryEscape("/mixed?other="+url.QueryEscape(elsewhere)))
		if _, err := p.WaitReady(testContext(t)); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the other site was asked", func() bool { return len(other.requests("/json")) > 0 && len(other.requests("/pixel")) > 0 })
	}
	for _, s := range []*site{own, other} {
		s.mu.Lock()
		for path, all := range s.seen {
			for _, sent := range all {
				if got := sent.Get("Accept-Language"); got != "de-DE,de;q=0.9,en;q=0.8" {
					t.Errorf("%s: got Accept-Language %q", path, got)
				}
			}
		}
		s.mu.Unlock()
	}
}

// Workers see the languages of their page, but for those that look in their first statement; what no page's identity reaches has the usual one.
func TestIdentity_workersSeeTheLanguagesOfTheirPage(t *testing.T) {
	needsBrowser(t)
	const worker = `const see = async () => { await fetch("/json?in"); return navigator.languages.join() + "|" + navigator.userAgent };
		if (self.postMessage) see().then(postMessage); else onconnect = e => see().then(x => e.ports[0].postMessage(x))`
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{"/worker.js": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, worker)
	}, "/workers": page(`<h1>workers</h1>`)})
	p := open(t, PageOptions{Proxy: s.proxy, Languages: []string{"fr", "de-CH"}})
	visit(t, p, s.URL+"/workers")
	see := func(script string) string {
		got, err := p.Evaluate(testContext(t), "new Promise(done => { "+script+" })")
		if err != nil {
			t.Fatal(err)
		}
		return string(got.Value)
	}
	var got string
	eventually(t, "a worker sees the page's languages", func() bool {
		got = see(`new Worker("/worker.js").onmessage = e => done(e.data)`)
		return strings.HasPrefix(got, `"fr,de-CH|`)
	})
	if shared := see(`new SharedWorker("/worker.js").port.onmessage = e => done(e.data)`); strings.Contains(shared, "Headless") || strings.Contains(got, "Headless") {
		t.Errorf("got %s and %s", got, shared)
	}
	all := s.requests("/json")
	if sent := all[len(all)-1].Get("Accept-Language"); sent == "" {
		t.Error("a shared worker names no language")
	}
}
