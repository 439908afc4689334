package browser

import (
	"context"
	"net/url"
	"strings"
	"testing"
)

func TestHeaders_goToTheirOwnOriginOnly(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	own, other := newSite(t, proxy.URL), newSite(t, proxy.URL)
	headers := map[string]string{"X-Secret": "s3", "Authorization": "Bearer t0", "Cookie": "sid=c1; more=m1", "User-Agent": "Agent/1"}
	tests := []struct{ name, address, ownPath, otherPath string }{
		{"subresources", own.URL + "/mixed?other=" + url.QueryEscape(other.URL), "/mixed", "/pixel"},
		{"redirect to the other", own.URL + "/to?url=" + url.QueryEscape(other.URL+"/text"), "/to", "/text"},
		{"there and back", own.URL + "/to?url=" + url.QueryEscape(other.URL+"/to?url="+url.QueryEscape(own.URL+"/xml")), "/xml", "/to"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := open(t, PageOptions{Proxy: proxy.URL, Headers: headers, HeaderOrigin: own.URL + "/any"})
			visit(t, p, test.address)
			if _, err := p.WaitReady(testContext(t)); err != nil {
				t.Fatal(err)
			}
			for _, sent := range own.requests(test.ownPath) {
				if sent.Get("X-Secret") != "s3" || sent.Get("Authorization") != "Bearer t0" || !strings.Contains(sent.Get("Cookie"), "sid=c1") || sent.Get("User-Agent") != "Agent/1" {
					t.Errorf("own %s: got %v", test.ownPath, sent)
				}
			}
			if len(own.requests(test.ownPath)) == 0 || len(other.requests(test.otherPath)) == 0 {
				t.Error("not every path was asked for")
			}
		})
	}
	other.mu.Lock()
	defer other.mu.Unlock()
	for path, all := range other.seen {
		for _, sent := range all {
			if sent.Get("X-Secret") != "" || sent.Get("Authorization") != "" || sent.Get("Cookie") != "" {
				t.Errorf("other %s: leaked %v", path, sent)
			}
		}
	}
	for _, sent := range append(own.requests("/json"), own.requests("/pixel")...) {
		if sent.Get("X-Secret") != "s3" {
			t.Errorf("own subresource without the headers: %v", sent)
		}
	}
}

func TestHeaders_cookieHeaderAndTheSitesOwnCookies(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	own, other := newSite(t, proxy.URL), newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: proxy.URL, Headers: map[string]string{"Cookie": "sid=c1; more=m1"}})
	visit(t, p, own.URL+"/echocookie")
	contains(t, "first", contentOf(t, p), "sent:sid=c1; more=m1<")
	visit(t, p, own.URL+"/echocookie")
	contains(t, "second", contentOf(t, p), "more=m1")
	contains(t, "second", contentOf(t, p), "visited=yes")
	contains(t, "second", contentOf(t, p), "sid=from-the-site")
	visit(t, p, own.URL+"/state")
	contains(t, "script", contentOf(t, p), "more=m1")
	for _, read := range []func(context.Context) ([]byte, error){p.State, p.WholeState} {
		state, err := read(testContext(t))
		if err != nil || strings.Contains(string(state), "m1") || !strings.Contains(string(state), "from-the-site") {
			t.Errorf("the state to keep is %s, %v", state, err)
		}
	}
	visit(t, p, other.URL+"/echocookie")
	if html := contentOf(t, p); strings.Contains(html, "m1") || strings.Contains(html, "c1") {
		t.Errorf("leaked: %s", html)
	}
}

// identityHeaders are those by which a site tells browsers apart.
var identityHeaders = []string{"User-Agent", "Accept-Language", "Sec-Ch-Ua", "Sec-Ch-Ua-Platform"}

func TestFrames_ofAnotherSiteLookLikeTheirPageAndGetNoHeaders(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	own, other := newSite(t, proxy.URL), newSite(t, proxy.URL)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	p := open(t, PageOptions{Proxy: proxy.URL, Languages: []string{"de-DE", "fr"}, Headers: map[string]string{"X-Secret": "s3", "Cookie": "sid=c1"}})
	visit(t, p, own.URL+"/framing?other="+url.QueryEscape(elsewhere))
	eventually(t, "the frame's script has run", func() bool { return len(other.requests("/json")) > 0 })
	page := own.requests("/framing")[0]
	for _, path := range []string{"/inner", "/pixel", "/json"} {
		for _, sent := range other.requests(path) {
			if sent.Get("X-Secret") != "" || sent.Get("Cookie") != "" {
				t.Errorf("%s: leaked %v", path, sent)
			}
			for _, name := range identityHeaders {
				if sent.Get(name) != page.Get(name) && sent.Get(name) != "" {
					t.Errorf("%s: %s is %q, the page sent %q", path, name, sent.Get(name), page.Get(name))
				}
			}
		}
	}
}

// A frame within a frame of another site is held and told by a session of its own.
func TestFrames_withinForeignFramesLookLikeTheirPage(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	own, other, third := newSite(t, proxy.URL), newSite(t, proxy.URL), newSite(t, proxy.URL)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) + "/framing?other=" + url.QueryEscape(third.URL) + "&end="
	p := open(t, PageOptions{Proxy: proxy.URL, Languages: []string{"de-DE", "fr"}})
	visit(t, p, own.URL+"/framing?other="+url.QueryEscape(elsewhere))
	eventually(t, "the frame's script has run", func() bool { return len(third.requests("/json")) > 0 })
	page := own.requests("/framing")[0]
	for _, sent := range append(third.requests("/inner"), third.requests("/json")...) {
		for _, name := range identityHeaders {
			if sent.Get(name) != page.Get(name) && sent.Get(name) != "" {
				t.Errorf("%s is %q, the page sent %q", name, sent.Get(name), page.Get(name))
			}
		}
	}
}

// A cookie of the caller's is of its request: the one whose place it took in a profile is there afterwards, unless the site has changed it.
func TestHeaders_cookieHeaderLeavesTheProfilesOwnCookies(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL)
	first := open(t, PageOptions{Proxy: s.proxy})
	visit(t, first, s.URL+"/echocookie")
	stored, err := first.State(testContext(t))
	if err != nil || !strings.Contains(string(stored), "from-the-site") {
		t.Fatal(string(stored), err)
	}
	for _, given := range []string{"sid=c1", "sid=from-the-site"} {
		p := open(t, PageOptions{Proxy: s.proxy, State: stored, Headers: map[string]string{"Cookie": given}})
		visit(t, p, s.URL+"/who")
		if sent := s.requests("/who"); !strings.Contains(sent[len(sent)-1].Get("Cookie"), given) {
			t.Errorf("sent %s", sent[len(sent)-1].Get("Cookie"))
		}
		for _, read := range []func(context.Context) ([]byte, error){p.State, p.WholeState} {
			state, err := read(testContext(t))
			if err != nil || strings.Contains(string(state), "c1") || strings.Count(string(state), "from-the-site") != 1 {
				t.Errorf("with %s the state to keep is %s, %v", given, state, err)
			}
		}
	}
}
