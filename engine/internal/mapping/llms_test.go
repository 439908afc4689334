package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRun_listsWhatLLMSTxtLinksTo(t *testing.T) {
	s := &site{
		pages: map[string]*Page{home: {URL: home, Status: 200, Title: "Home"}},
		files: map[string]string{home + "llms.txt": "# A site\n\n> What it is.\n\n## Docs\n- [Guide](/guide.md): how to begin\n" +
			"* [API](<https://a.example/api> \"The API\") and [more](more)\n- [Elsewhere](https://b.example/)\n- [Nothing]()\n- [mail](mailto:a@a.example)\n"},
	}
	r, err := run(t, s, shelf{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range r.Links {
		got = append(got, fmt.Sprintf("%s %q %q", l.URL, l.Title, l.Description))
	}
	want := []string{
		`https://a.example/ "Home" ""`, `https://a.example/guide.md "Guide" "how to begin"`, `https://a.example/api "API" ""`, `https://a.example/more "more" ""`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRun_asksForNoLLMSTxtWhereSitemapsAreOffOrAlone(t *testing.T) {
	for _, mode := range []Mode{Skip, Only} {
		s := &site{
			pages: map[string]*Page{home: {URL: home, Status: 200}},
			files: map[string]string{home + "llms.txt": "[a](/a)", home + "sitemap.xml": "<urlset><url><loc>" + home + "s</loc></url></urlset>"},
		}
		if _, err := run(t, s, shelf{}, func(r *Request) { r.Sitemap = mode }); err != nil || slices.Contains(s.fetched, home+"llms.txt") {
			t.Errorf("%s: %v, %v", mode, s.fetched, err)
		}
	}
}

func TestLLMSLinks(t *testing.T) {
	for doc, want := range map[string]string{
		"\ufeff\n <!doctype html><a>[a](b)": "[]",
		"[a](b":                             "[]",
		"[[a](b)](c): d":                    "[{b a  <nil>} {c  d <nil>}]",
		"[a](b)[c]( )[d](e) :  f ":          "[{b a  <nil>} {e d f <nil>}]",
		"- [ a ](  b  \"title\"): x\n" + strings.Repeat("x", 1<<17): "[{b a x <nil>}]",
	} {
		got := []Link{}
		for l := range llmsLinks(strings.NewReader(doc)) {
			got = append(got, l)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%.40q: got %v, want %s", doc, got, want)
		}
	}
}

func FuzzLLMSLinks(f *testing.F) {
	f.Add("# a\n- [b](c): d\n[[e](f)](g)(](")
	f.Fuzz(func(t *testing.T, doc string) {
		for l := range llmsLinks(strings.NewReader(doc)) {
			if l.URL == "" || strings.Contains(l.URL, "\n") || len(l.URL)+len(l.Title)+len(l.Description) > len(doc) {
				t.Errorf("%+v", l)
			}
		}
	})
}
