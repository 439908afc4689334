package local

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine/search"
)

// Whatever is typed and whatever a page says, searching ends well, and what is marked lies in the
// description.
func FuzzSearch(f *testing.F) {
	for _, text := range []string{`"a b" -c site:d OR e`, "大麦の収穫 ข้าว", "filetype:pdf -", "ｃａｆé \xff\xfe", "ﬃ ß İstanbul"} {
		f.Add(text, text, "en")
		f.Add("a", text, "tr")
	}
	f.Fuzz(func(t *testing.T, query, text, language string) {
		s := newFakeCache()
		s.put(search.Page{URL: "https://a.example/", Title: text, Text: text + " barley", Headings: []string{text}, Language: language})
		s.put(search.Page{URL: text, Title: query, Text: query, Article: true, Published: today, Images: []search.PageImage{
			{URL: text, Alt: query}, {URL: "https://a.example/" + text, Caption: text},
			{URL: "https://a.example/x.png", Alt: "barley", Heading: text},
		}})
		x := on(t, s, "")
		found, err := x.Search(t.Context(), search.Query{Text: query})
		if n := utf8.RuneCountInString(query); (err != nil) != (n == 0 || n > search.MaxText) {
			t.Errorf("%q: %v", query, err)
		}
		for _, r := range found.List {
			end := 0
			for _, m := range r.Matches {
				if m.Start < end || m.End <= m.Start || m.End > len(r.Description) {
					t.Fatalf("%q in %q: %v", query, r.Description, r.Matches)
				}
				end = m.End
			}
			if !utf8.ValidString(r.Description) || len(r.Description) > passageBytes+2*len(ellipsis) {
				t.Errorf("description %q", r.Description)
			}
		}
		for _, source := range []search.Source{search.News, search.Images} {
			other, otherErr := x.Search(t.Context(), search.Query{Text: query, Source: source})
			if (otherErr == nil) != (err == nil) {
				t.Errorf("%s %q: %v", source, query, otherErr)
			}
			for _, r := range other.List {
				if source == search.Images && !strings.HasPrefix(r.ImageURL, "http") || !utf8.ValidString(r.Title) {
					t.Errorf("%s %q: %+v", source, query, r)
				}
			}
		}
		if list := find(t, x, "barley site:a.example"); len(list) != 1 {
			t.Errorf("%q: %d are found", text, len(list))
		}
	})
}
