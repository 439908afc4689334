package demo

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// article is one of the blog. The newest is the first.
type article struct {
	Slug, Title, Author, Lead string
	Day                       time.Time
	Tags                      []string
	Body                      template.HTML
	Sound, Clip               string // paths; empty for none
}

// Date is spelt for people.
func (a article) Date() string { return a.Day.Format("2 January 2006") }

// Stamp is spelt for machines.
func (a article) Stamp() string { return a.Day.Format(time.RFC3339) }

// URL is where the article is.
func (a article) URL() string { return "https://blog.example/articles/" + a.Slug }

// Data is the article in the words of schema.org.
func (a article) Data() map[string]any {
	return map[string]any{
		"@context": "https://schema.org", "@type": "BlogPosting", "headline": a.Title, "datePublished": a.Stamp(), "description": a.Lead, "url": a.URL(),
		"author": map[string]string{"@type": "Person", "name": a.Author},
	}
}

// perPage is how many articles a page of the list has.
const perPage = 4

func blog() http.Handler {
	p, mux := open("blog"), http.NewServeMux()
	mux.HandleFunc("/", p.serve)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { listArticles(p, w, r, 1) })
	mux.HandleFunc("GET /page/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil {
			n = 0
		}
		listArticles(p, w, r, n)
	})
	mux.HandleFunc("GET /articles/{slug}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(articles, func(a article) bool { return a.Slug == r.PathValue("slug") })
		if i < 0 {
			p.show(w, http.StatusNotFound, "missing.view", r)
			return
		}
		p.show(w, http.StatusOK, "article.view", articles[i])
	})
	mux.HandleFunc("GET /feed.xml", feed)
	mux.HandleFunc("GET /sound/threshing.wav", func(w http.ResponseWriter, _ *http.Request) {
		send(w, "audio/wav", threshing())
	})
	return mux
}

func listArticles(p *pages, w http.ResponseWriter, r *http.Request, n int) {
	last := (len(articles) + perPage - 1) / perPage
	if n < 1 || n > last {
		p.show(w, http.StatusNotFound, "missing.view", r)
		return
	}
	list := articles[(n-1)*perPage : min(n*perPage, len(articles))]
	p.show(w, http.StatusOK, "list.view", map[string]any{"Articles": list, "Page": n, "Last": last, "Newer": n - 1, "Older": (n + 1) % (last + 1)})
}

// threshing is the sound of the article on it.
func threshing() []byte { return tune(262, 330, 392, 523, 392, 330, 262, 196) }

// feed is RSS 2.0; the sound of an article is its enclosure.
func feed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/rss+xml; charset=utf-8")
	fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Chaff &amp; Grain</title><link>https://blog.example/</link>`+
		`<description>Notes from a small mill</description>`)
	for _, a := range articles {
		fmt.Fprintf(w, `<item><title>%s</title><link>%s</link><guid>%s</guid><pubDate>%s</pubDate><description>%s</description>`,
			template.HTMLEscapeString(a.Title), a.URL(), a.URL(), a.Day.Format(time.RFC1123Z), template.HTMLEscapeString(a.Lead))
		if a.Sound != "" {
			fmt.Fprintf(w, `<enclosure url="https://blog.example%s" type="audio/wav" length="%d"/>`, a.Sound, len(threshing()))
		}
		fmt.Fprint(w, `</item>`)
	}
	fmt.Fprint(w, `</channel></rss>`)
}
