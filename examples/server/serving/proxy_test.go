package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

func TestParse_proxies(t *testing.T) {
	s, err := parse("server", []string{"-proxy", "http://a.example:3128", "-proxy", "socks5://u:p@b.example:1080,enhanced,de", "-proxy", "http://c.example:80,resolve,us,basic"}, nil)
	want := []engine.Proxy{
		{URL: "http://a.example:3128"}, {URL: "socks5://u:p@b.example:1080", Tier: "enhanced", Country: "de"},
		{URL: "http://c.example:80", Tier: "basic", Country: "us", Resolve: true},
	}
	if err != nil || !slices.Equal(s.proxies, want) {
		t.Errorf("got %+v, %v; want %+v", s.proxies, err, want)
	}
	if o, err := s.engineOptions("", nil); err != nil || !slices.Equal(o.Proxies, want) {
		t.Errorf("the engine gets %+v, %v", o.Proxies, err)
	}
}

func TestParse_proxiesThatCanNotBeUsed(t *testing.T) {
	for _, value := range []string{"", ",enhanced", "http://u:hidden@a.example,fast", "http://u:hidden@a.example,basic,enhanced", "http://u:hidden@a.example,de,us",
		"http://u:hidden@a.example,resolve,resolve", "http://u:hidden@a.example,Resolve"} {
		_, err := parse("server", []string{"-proxy", value}, nil)
		if err == nil || !strings.Contains(err.Error(), "want ") || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", value, err)
		}
	}
	err := Run(t.Context(), "server", []string{"-addr", "127.0.0.1:0", "-proxy", "ftp://u:hidden@a.example"}, &strings.Builder{}, &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), "-proxy") || strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
}

// A request for the enhanced tier uses a proxy that has it, and is the client's mistake where there is none.
func TestServer_enhancedProxyIsRefusedWhereThereIsNone(t *testing.T) {
	r := started(t, "-demo")
	a := r.want(400, "POST", "/v2/scrape", `{"url":"https://shop.example/","proxy":"enhanced"}`)
	if !strings.Contains(a.body, "the server has a proxy") {
		t.Error(a.body)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
}
