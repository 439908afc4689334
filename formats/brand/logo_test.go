package brand

import "testing"

func TestLogo_isTheOneThatLeadsHome(t *testing.T) {
	at := func(x, y, w, h float64) box { return box{x, y, w, h} }
	home, elsewhere := "https://www.acme.example/", "https://www.acme.example/cart"
	for name, c := range map[string]struct {
		logos []Logo
		want  string
	}{
		"none": {nil, ""},
		"linked home in the header": {[]Logo{
			{Kind: "img", Source: "https://x/banner.png", Region: "main", Visible: true, box: at(0, 100, 1200, 400)},
			{Kind: "svg", SVG: "<svg>cart</svg>", Href: elsewhere, Region: "header", Visible: true, box: at(900, 10, 24, 24)},
			{Kind: "img", Source: "https://x/acme.png", Href: home, Region: "header", Visible: true, box: at(10, 10, 100, 30)},
		}, "https://x/acme.png"},
		"named without a link": {[]Logo{
			{Kind: "svg", SVG: "<svg>menu</svg>", Region: "header", Visible: true, box: at(0, 0, 24, 24)},
			{Kind: "svg", SVG: "<svg>", Hints: "SiteLogo", Region: "header", Visible: true, box: at(50, 0, 80, 24)},
		}, "data:image/svg+xml;base64,PHN2Zz4="},
		"of the site, not of customers": {[]Logo{
			{Kind: "img", Source: "https://x/a.png", Hints: "customer-logos", Alt: "Others logo", Region: "main", Visible: true, box: at(0, 150, 120, 40)},
			{Kind: "img", Source: "https://x/b.png", Href: "https://acme.example/de-at/", Region: "header", Visible: true, box: at(0, 0, 120, 40)},
		}, "https://x/b.png"},
		"an icon is none":     {[]Logo{{Kind: "svg", SVG: "<svg>", Region: "header", Visible: true, box: at(0, 0, 24, 24)}}, ""},
		"hidden beside shown": {[]Logo{{Kind: "img", Source: "https://x/dark.png", Hints: "logo", Href: home, Region: "header"}, {Kind: "img", Source: "https://x/light.png", Hints: "logo", Href: home, Region: "header", Visible: true, box: at(0, 0, 90, 30)}}, "https://x/light.png"},
		"no picture's scheme": {[]Logo{{Kind: "img", Source: "javascript:alert(1)", Hints: "logo", Href: home, Region: "header", Visible: true, box: at(0, 0, 90, 30)}}, ""},
	} {
		b := Judge(&Samples{URL: home, Logos: c.logos})
		if b.Logo != c.want || b.Images["logo"] != c.want {
			t.Errorf("%s: got %q and %q, want %q", name, b.Logo, b.Images["logo"], c.want)
		}
	}
}

func TestLogo_comesFromTheHeadWhereThePageShowsNone(t *testing.T) {
	s := &Samples{URL: "https://acme.example/a/b", Links: []Link{
		{"apple-touch-icon", "https://acme.example/touch.png", ""}, {"icon", "javascript:1", ""}, {"shortcut  icon", "https://acme.example/f.ico", ""}, {"icon", "data:image/png;base64,AA==", ""}}}
	if b := Judge(s); b.Logo != "https://acme.example/touch.png" || b.Images["favicon"] != "data:image/png;base64,AA==" {
		t.Errorf("got %+v", b.Images)
	}
	s.Data = []string{"{", `[{"@type":["Thing","NewsMediaOrganization"],"name":" The  Acme ","logo":[{"url":"../logo.png"}]}]`}
	if b := Judge(s); b.Logo != "https://acme.example/logo.png" || b.BrandName != "The Acme" {
		t.Errorf("got %+v, %q", b.Images, b.BrandName)
	}
}

func TestBrandName_inItsOrder(t *testing.T) {
	s := Samples{URL: "https://shop.blue-heron.co.uk/", Title: "Boots and more", Heading: "Boots", SiteName: "Heron & Co", AppName: "Heron App"}
	steps := []struct {
		want string
		drop func()
	}{
		{"Heron & Co", func() { s.SiteName = "" }},
		{"Heron App", func() { s.AppName = "" }},
		{"Boots and more", func() { s.Title = "Blue Heron: boots for everyone | Free delivery" }},
		{"Blue Heron", func() { s.Title = "A very long title of a home page" }},
		{"Boots", func() { s.Heading = "" }},
		{"Blue-heron", func() { s.URL = "http://10.0.0.1:80/" }},
		{"", func() {}},
	}
	for _, step := range steps {
		if got := Judge(&s).BrandName; got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
		step.drop()
	}
}

func TestTitleName_isTheSitesPart(t *testing.T) {
	for _, c := range []struct {
		title, domain string
		home          bool
		want          string
	}{
		{"Acme | Tools for all trades", "site", true, "Acme"},
		{"Acme | Tools for all trades", "site", false, ""},
		{"Hammers – Acme", "site", false, "Acme"},
		{"Hammers – Acme – Tools for all trades", "acmetools", false, "Acme"},
		{"Notes", "site", true, "Notes"},
		{"Notes", "site", false, ""},
		{"", "", true, ""},
	} {
		if got := titleName(c.title, c.domain, c.home); got != c.want {
			t.Errorf("%q of %s: got %q, want %q", c.title, c.domain, got, c.want)
		}
	}
}
