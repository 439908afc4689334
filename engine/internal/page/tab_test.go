package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/warm"
)

func TestTabUse_followsThePage(t *testing.T) {
	use := func(url string, headers map[string]string) (warm.Use, bool) {
		b := &Visit{Acquisition: &Acquisition{Request: &Request{URL: url, Headers: headers}, JobTabs: &warm.JobTabs{}}}
		tabs, use := b.tabUse(browser.PageOptions{Headers: headers, HeaderOrigin: url, Block: []string{url}, Hide: []string{url}})
		return use, tabs != nil
	}
	first, ok := use("https://a.example/one", nil)
	second, ok2 := use("https://a.example/two?x", nil)
	if !ok || !ok2 || !first.Equal(second) {
		t.Errorf("pages of one origin: %+v, %+v", first, second)
	}
	for _, url := range []string{"http://a.example/", "https://www.a.example/", "https://a.example:8443/"} {
		if other, ok := use(url, nil); !ok || first.Equal(other) {
			t.Errorf("%s: %+v", url, other)
		}
	}
	if other, ok := use("https://a.example/", map[string]string{"X-A": "b"}); !ok || first.Equal(other) {
		t.Errorf("with headers: %+v", other)
	}
	if _, ok := use("http://[::1]/", nil); ok {
		t.Error("an IPv6 address has no warm tab")
	}
	acting := &Request{URL: "https://a.example/", Actions: []actions.Action{{Type: actions.Scrape}}}
	for _, tabs := range []*warm.JobTabs{nil, {}} {
		b := &Visit{Acquisition: &Acquisition{Getter: &Getter{Tabs: &warm.Tabs{}}, Request: acting, JobTabs: tabs}}
		if got, _ := b.tabUse(browser.PageOptions{}); got != nil {
			t.Error("a page with actions, which may open tabs and save files, has no warm tab")
		}
	}
}

func TestNoteBanners_warnsOfABannerThatMayBeLeft(t *testing.T) {
	for _, unseen := range []bool{true, false} {
		a, src, done := &Acquisition{}, &Page{}, []string{"OneTrust: rejected"}
		noteBanners(a, src, func() ([]string, bool) { return done, unseen })
		if warned := strings.Contains(strings.Join(a.Warnings, ""), "cookie banner"); warned != unseen || !slices.Equal(src.Handled, done) {
			t.Errorf("unseen %v: got %q, handled %q", unseen, a.Warnings, src.Handled)
		}
	}
}
