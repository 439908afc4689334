package formats

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func metadataOf(t testing.TB, body string) Metadata {
	t.Helper()
	return render(t, mustParse(t, body, "text/html"), Options{}).Metadata
}

func linkedPage(list ...string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(`<script type="application/ld+json">` + s + `</script>`)
	}
	return b.String()
}

func TestMetadata_JSONLDFillsWhatElementsLeaveOpen(t *testing.T) {
	m := metadataOf(t, linkedPage(`{"@context":"https://schema.org","@graph":[
		{"@type":"Organization","name":"The Hive","url":"https://example.com/"},
		{"@type":["WebPage","FAQPage"],"url":"https://example.com/docs/page","inLanguage":"en-GB","description":"Of the page."},
		{"@type":"NewsArticle","headline":"Bees &amp; winter","author":[{"@type":"Person","name":"Ann Lee"},{"@id":"#bo"},"https://example.com/ann"],
			"datePublished":"2026-01-04 10:00:00","dateModified":"2026-01-05T10:00:00+0100"},
		{"@type":"Person","@id":"#bo","name":"Bo"}]}`))
	want := Metadata{Title: "Bees & winter", Description: "Of the page.", Language: "en-GB", Author: Values{"Ann Lee", "Bo"},
		Canonical: "https://example.com/docs/page", PublishedTime: "2026-01-04T10:00:00", ModifiedTime: "2026-01-05T10:00:00+01:00"}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got %+v, want %+v", m, want)
	}
}

func TestMetadata_elementsWinOverJSONLD(t *testing.T) {
	m := metadataOf(t, `<html lang=de><title>T</title><meta name=description content=D><meta name=author content="Ann"><link rel=canonical href=/c>
		<meta property=article:published_time content=2026-01-01><meta property=article:modified_time content=2026-01-02>`+
		linkedPage(`{"@type":"Article","headline":"x","description":"x","author":"x","datePublished":"2020-01-01","dateModified":"2020-01-01","inLanguage":"fr","url":"/x"}`))
	m.Extra = nil
	want := Metadata{Title: "T", Description: "D", Language: "de", Author: Values{"Ann"}, Canonical: "https://example.com/c", PublishedTime: "2026-01-01", ModifiedTime: "2026-01-02"}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got %+v, want %+v", m, want)
	}
}

func TestMetadata_JSONLDOfOtherThingsIsNotThePages(t *testing.T) {
	article := func(n string) string {
		return `{"@type":"BlogPosting","headline":"` + n + `","url":"https://example.com/` + n + `","author":"` + n + `"}`
	}
	for name, c := range map[string]struct{ linked, title string }{
		"a list of articles":                {"[" + article("one") + "," + article("two") + "]", ""},
		"the one with the page's address":   {"[" + article("one") + "," + article("docs/page.html") + "]", "docs/page.html"},
		"the one with the page's title":     {`[` + article("one") + `,` + article("two") + `]</script><title>two | The Hive</title><script>`, "two | The Hive"},
		"a site and its owner":              {`[{"@type":"WebSite","name":"S"},{"@type":"Organization","name":"O"}]`, ""},
		"an article before a product":       {`[{"@type":"Product","name":"P"},` + article("one") + "]", "one"},
		"a product":                         {`{"@type":"http://schema.org/Product","name":"P"}`, "P"},
		"the question of a page of answers": {`{"@type":"QAPage","mainEntity":{"@type":"Question","name":"Why?"}}`, "Why?"},
	} {
		if m := metadataOf(t, linkedPage(c.linked)); m.Title != c.title || strings.Contains(c.title, "two") && !reflect.DeepEqual(m.Author, Values{"two"}) {
			t.Errorf("%s: got %q by %q, want %q", name, m.Title, m.Author, c.title)
		}
	}
}

func TestMetadata_canonicalOfJSONLDStaysOnTheHost(t *testing.T) {
	m := metadataOf(t, linkedPage(`{"@type":"Article","headline":"x","url":"https://other.example/x"}`))
	if m.Canonical != "" {
		t.Errorf("got %q", m.Canonical)
	}
}

func TestMetadata_brokenJSONLDIsRepairedOrLeftOut(t *testing.T) {
	for name, c := range map[string]struct{ linked, title string }{
		"line breaks in strings": {"{\"@type\":\"Article\",\"headline\":\"a\nb\tc\"}", "a b c"},
		"commas too many":        {`{"@type":["Article",],"headline":"x",}`, "x"},
		"comments around":        {"<!--\n{\"@type\":\"Article\",\"headline\":\"x\"}\n-->", "x"},
		"CDATA":                  {"//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"x\"};\n//]]>", "x"},
		"unknown escapes":        {`{"@type":"Article","headline":"it\'s"}`, "it's"},
		"cut off":                {`{"@type":"Article","headline":"x"`, ""},
		"no JSON":                {`var x = 1`, ""},
		"a number":               {`17`, ""},
		"wrong shapes":           {`{"@type":{"a":1},"headline":[{}],"author":7,"datePublished":[[]],"@graph":"x"}`, ""},
	} {
		if m := metadataOf(t, linkedPage(c.linked)); m.Title != c.title {
			t.Errorf("%s: got %q, want %q", name, m.Title, c.title)
		}
	}
	m := metadataOf(t, linkedPage(`{`, `{"@type":"Article","headline":"second"}`))
	if m.Title != "second" {
		t.Errorf("after a broken one: got %q", m.Title)
	}
}

func TestMetadata_authors(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want Values
	}{
		"several meta elements":    {`<meta name=author content="By Ann"><meta name=author content=Bo><meta name=author content=Ann>`, Values{"Ann", "Bo"}},
		"author before others":     {`<meta name=dc.creator content=C><meta name=Author content=A>`, Values{"A"}},
		"an address is no name":    {`<meta property=article:author content="https://example.com/ann"><meta name=dc.creator content=C>`, Values{"C"}},
		"microdata":                {`<div itemprop=author itemscope><img alt=x><span itemprop=name> Ann  Lee </span><p>Bio of Ann.</p></div>`, Values{"Ann Lee"}},
		"rel":                      {`<a rel="author nofollow" href=/ann>Ann Lee</a>`, Values{"Ann Lee"}},
		"class":                    {`<div class="meta"><span class="post-author-name">Ann Lee</span></div>`, Values{"Ann Lee"}},
		"not that of a comment":    {`<div itemprop=comment><b itemprop=author>Troll</b></div>`, nil},
		"not a sentence":           {`<a rel=author href=/all>Read all of what was written by Ann Lee</a>`, nil},
		"microdata before class":   {`<b class=author-name>X</b><b itemprop=author>Ann</b>`, Values{"Ann"}},
		"a template left unfilled": {`<meta name=author content="{{author}}">`, nil},
	} {
		if m := metadataOf(t, c.body); !reflect.DeepEqual(m.Author, c.want) {
			t.Errorf("%s: got %q, want %q", name, m.Author, c.want)
		}
	}
}

func TestMetadata_dates(t *testing.T) {
	for name, c := range map[string]struct{ body, published, modified string }{
		"as the page spells it":       {`<meta property=article:published_time content="last week">`, "last week", ""},
		"other meta elements":         {`<meta name=dc.date content=2020-01-01><meta itemprop=datePublished content="March 4, 2026"><meta property=og:updated_time content=1767225600>`, "2026-03-04", "2026-01-01T00:00:00Z"},
		"meta elements that are none": {`<meta name=date content=today><meta name=pubdate content=2026-03-04>`, "2026-03-04", ""},
		"microdata":                   {`<time itemprop=datePublished datetime=2026-03-04>4 March</time><span itemprop=dateModified content=2026-03-05>`, "2026-03-04", "2026-03-05"},
		"microformats":                {`<time class="dt-published x" datetime="2026-03-04T05:06Z"></time><time class=updated datetime=2026-03-05></time>`, "2026-03-04T05:06:00Z", "2026-03-05"},
		"the only time":               {`<article><h1>x</h1><time datetime=2026-03-04>4 March</time></article>`, "2026-03-04", ""},
		"not those of a list":         {`<ul><li><time datetime=2026-03-04></time></ul><nav><time datetime=2026-03-05></time></nav>`, "", ""},
		"not the first of very many":  {`<time datetime=2026-03-01></time><time datetime=2026-03-02></time><time datetime=2026-03-03></time><time datetime=2026-03-04></time>`, "", ""},
		"elements before the visible": {`<time datetime=2020-01-01></time>` + linkedPage(`{"@type":"Article","datePublished":"2026-03-04"}`), "2026-03-04", ""},
	} {
		if m := metadataOf(t, c.body); m.PublishedTime != c.published || m.ModifiedTime != c.modified {
			t.Errorf("%s: got %q, %q, want %q, %q", name, m.PublishedTime, m.ModifiedTime, c.published, c.modified)
		}
	}
}

func TestMetadata_feedsAndCanonical(t *testing.T) {
	m := metadataOf(t, `<link rel=alternate type="application/rss+xml" href=/rss><link rel="alternate nofollow" type="application/atom+xml; charset=utf-8" href=https://example.com/atom>
		<link rel=alternate type=application/feed+json href=/feed.json><link rel=alternate type=application/json href=/wp-json/posts/1><link rel=alternate type=application/json href="/a/feed.json?x">
		<link rel=alternate hreflang=de href=/de><link rel=alternate type=application/rss+xml href=/rss><link rel=stylesheet type=application/rss+xml href=/no><link rel=feed href=feed:https://example.com/f>
		<link rel=alternate type=application/rss+xml href="javascript:1"><link rel="Canonical x" href=/c><link rel=canonical href=/second>`)
	want := []string{"https://example.com/rss", "https://example.com/atom", "https://example.com/feed.json", "https://example.com/a/feed.json?x", "https://example.com/f"}
	if !reflect.DeepEqual(m.Feeds, want) || m.Canonical != "https://example.com/c" {
		t.Errorf("got %q, %q", m.Feeds, m.Canonical)
	}
}

func TestMetadata_repeatedKeywordsAndRobotsAddUp(t *testing.T) {
	m := metadataOf(t, `<meta name=keywords content=a><meta name=keywords content=b><meta name=robots content=noindex><meta name=robots content=noindex><meta name=ROBOTS content=nofollow>`)
	if m.Keywords != "a, b" || m.Robots != "noindex, nofollow" {
		t.Errorf("got %q, %q", m.Keywords, m.Robots)
	}
}

func TestMetadata_titleAndDescriptionFallBacks(t *testing.T) {
	m := metadataOf(t, `<title></title><meta name=twitter:title content=Tw><meta name=twitter:description content=TD>`)
	if m.Title != "Tw" || m.Description != "TD" {
		t.Errorf("got %q, %q", m.Title, m.Description)
	}
	m = metadataOf(t, `<meta property=og:description content="O  D"><meta name=twitter:description content=TD>`)
	if m.Description != "O D" {
		t.Errorf("got %q", m.Description)
	}
}

func TestValues_oneIsAString(t *testing.T) {
	for _, c := range []struct {
		v    Values
		json string
	}{{Values{"a"}, `"a"`}, {Values{"a", "b"}, `["a","b"]`}} {
		b, err := json.Marshal(c.v)
		if err != nil || string(b) != c.json {
			t.Errorf("got %s, %v, want %s", b, err, c.json)
		}
		var back Values
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, c.v) {
			t.Errorf("back: got %q, %v", back, err)
		}
	}
	if err := json.Unmarshal([]byte(`7`), new(Values)); err == nil {
		t.Error("a number is taken")
	}
}

func FuzzMetadata(f *testing.F) {
	for _, s := range []string{
		`<html lang=en><meta name=author content=x><time datetime=2026-01-01>`,
		linkedPage(`{"@graph":[{"@type":"Article","headline":"x","author":{"@id":"#a"},"mainEntity":[{}]},{"@id":"#a","name":["b"]}]}`),
		linkedPage("<!--{\"@type\":\"Article\",\"headline\":\"a\\\n\",}-->"),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		m := metadataOf(t, body)
		if again := metadataOf(t, body); !reflect.DeepEqual(again, m) {
			t.Errorf("got %+v, then %+v", m, again)
		}
		if len(m.Author) > maxAuthors || len(m.Feeds) > maxFeeds {
			t.Errorf("%d authors, %d feeds", len(m.Author), len(m.Feeds))
		}
	})
}
