package proxies

import (
	"errors"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch"
)

func via(address string) fetch.Proxy { return fetch.Proxy{URL: address} }

func TestPlan(t *testing.T) {
	all := List{
		{URL: "http://b", Tier: Basic},
		{URL: "http://b-de", Country: "DE"},
		{URL: "http://e-us", Tier: Enhanced, Country: "us"},
		{URL: "http://e", Tier: Enhanced},
	}
	basicOnly := all[:1]
	for _, c := range []struct {
		name    string
		all     List
		tier    string
		country string
		want    Plan
	}{
		{"none configured", nil, "", "", Plan{Tier: Basic}},
		{"auto", all, Auto, "", Plan{First: via("http://b"), Tier: Basic, Fallback: via("http://e")}},
		{"country picks", all, Auto, "DE", Plan{First: via("http://b-de"), Country: "DE", Tier: Basic, Fallback: via("http://e")}},
		{"country picks the other tier too", all, "", "US", Plan{First: via("http://b"), Tier: Basic, Fallback: via("http://e-us"), FallbackCountry: "US"}},
		{"unknown country before a wrong one", all, Enhanced, "FR", Plan{First: via("http://e"), Tier: Stealth}},
		{"a wrong country before none", all[2:3], Stealth, "FR", Plan{First: via("http://e-us"), Country: "US", Tier: Stealth}},
		{"a country by another name", List{{URL: "http://f", Country: "FR"}, {URL: "http://us", Country: " us-generic "}}, Basic, "US", Plan{First: via("http://us"), Country: "US", Tier: Basic}},
		{"basic never falls back", all, Basic, "", Plan{First: via("http://b"), Tier: Basic}},
	} {
		if got, err := c.all.Plan(Request{Tier: c.tier, Country: c.country}); err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	_, err := basicOnly.Plan(Request{Tier: Enhanced})
	if none, ok := errors.AsType[*NoneError](err); !ok || !refuses(none.Err, "proxy") {
		t.Errorf("enhanced without one: %v", err)
	}
	if _, err := all.Plan(Request{Tier: "teapot"}); !refuses(err, "proxy") {
		t.Errorf("unknown tier: %v", err)
	}
}

func TestPlan_aRequestMayHaveItsOwn(t *testing.T) {
	all := List{{URL: "http://b"}}
	if got, err := all.Plan(Request{URL: "socks5://own:1080"}); err != nil || got != (Plan{First: via("socks5://own:1080"), Tier: Basic}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := all.Plan(Request{URL: "ftp://own", Tier: ""}); !refuses(err, "proxyURL") {
		t.Errorf("no proxy's URL: %v", err)
	}
	if _, err := all.Plan(Request{URL: "http://own", Tier: Basic}); !refuses(err, "proxy") {
		t.Errorf("beside a tier: %v", err)
	}
}

func TestPlan_saysHowTheProxiesAreUsed(t *testing.T) {
	all := List{{URL: "http://b", Resolve: true}, {URL: "http://e", Tier: Enhanced}}
	if got, _ := all.Plan(Request{}); !got.First.Resolve || got.Fallback.Resolve || !all.Basic("").Resolve {
		t.Errorf("got %+v, and %+v beside a request", got, all.Basic(""))
	}
	bound := &fetch.Policy{}
	if got, _ := all.Plan(Request{URL: "http://own", Policy: bound}); got.First != (fetch.Proxy{URL: "http://own", Policy: bound}) {
		t.Errorf("a proxy of its own: %+v", got)
	}
}

func TestCheck(t *testing.T) {
	for field, p := range map[string]Proxy{
		"Proxies[1].URL":     {URL: "user:secret@host"},
		"Proxies[1].Tier":    {URL: "http://p", Tier: Stealth},
		"Proxies[1].Country": {URL: "http://p", Country: "Atlantis"},
	} {
		if err := (List{{URL: "http://p"}, p}).Check(nil); !refuses(err, field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := (List{{URL: "https://p:81", Tier: Enhanced, Country: "de"}}).Check(nil); err != nil {
		t.Error(err)
	}
}

func refuses(err error, field string) bool {
	refused, ok := errors.AsType[*option.Error](err)
	return ok && refused.Field == field
}
