package searchtest

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

// Doc is a page that a search can find.
type Doc struct {
	URL, Title, Text string
	Date             time.Time
}

// Docs returns the pages of the suite: all have the word "barley", some also "oats".
func Docs(now time.Time) []Doc {
	var docs []Doc
	for i := range 30 {
		host := []string{"granary.example", "blog.granary.example", "mill.example", "github.com", "arxiv.org"}[i%5]
		d := Doc{
			URL: fmt.Sprintf("https://%s/sack-%d", host, i), Title: fmt.Sprintf("Sack %d of barley", i),
			Text: fmt.Sprintf("The sack number %d holds barley from the northern field.", i), Date: now.Add(-time.Duration(i) * 5 * 24 * time.Hour),
		}
		if i%2 == 0 {
			d.Text += " Beside it stand oats."
		}
		docs = append(docs, d)
	}
	return docs
}

// find returns the docs that have all words of a query and satisfy its site: and -site: terms.
func find(docs []Doc, query string) (found []Doc) {
	for _, d := range docs {
		if fits(d, query) {
			found = append(found, d)
		}
	}
	return found
}

func fits(d Doc, query string) bool {
	u, err := url.Parse(d.URL)
	if err != nil {
		return false
	}
	sites, onSite := 0, false
	for _, word := range strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(query)) {
		if site, ok := strings.CutPrefix(word, "-site:"); ok {
			if search.UnderAny(u.Hostname(), []string{site}) {
				return false
			}
		} else if site, ok := strings.CutPrefix(word, "site:"); ok {
			sites++
			onSite = onSite || search.UnderAny(u.Hostname(), []string{site})
		} else if word != "OR" && !strings.HasPrefix(word, "filetype:") && !strings.Contains(strings.ToLower(d.Title+" "+d.Text), strings.ToLower(word)) {
			return false
		}
	}
	return sites == 0 || onSite
}
