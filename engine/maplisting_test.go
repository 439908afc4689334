package engine

import (
	"encoding/json"
	"testing"
)

// What sitemaps and llms.txt say of pages reaches the answer, as JSON too.
func TestMap_saysWhatSitemapsAndLLMSTxtSayOfPages(t *testing.T) {
	s := newShelf(map[string]string{
		"/": linkPage("Home"),
		"/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="n" xmlns:image="i"><url><loc>https://granary.example/news</loc>
			<lastmod>2026-05-07</lastmod><image:image><image:loc>https://granary.example/barley.png</image:loc></image:image>
			<news:news><news:title>Barley is in</news:title><news:publication_date>2026-05-06</news:publication_date></news:news></url></urlset>`,
		"/llms.txt": "# Granary\n- [How to store oats](/oats): dry and dark\n- [Of elsewhere](https://other.example/)\n",
	})
	r := mapOK(t, shelfEngine(t, s), granaryURL, MapOptions{})
	got, err := json.Marshal(r.Links)
	must(t, err)
	const want = `[{"url":"https://granary.example/","title":"Home","description":"All about Home"},` +
		`{"url":"https://granary.example/news","title":"Barley is in","winnow":` +
		`{"lastModified":"2026-05-07T00:00:00Z","published":"2026-05-06T00:00:00Z","images":["https://granary.example/barley.png"]}},` +
		`{"url":"https://granary.example/oats","title":"How to store oats","description":"dry and dark"}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Office documents that pages link to are crawled as PDFs are.
func TestCrawl_followsLinksToOfficeDocuments(t *testing.T) {
	pages := map[string]string{"a.example/": linksTo("/a.pptx", "/b.XLSX", "/c.docx", "/d.pdf", "/e.zip")}
	for _, name := range []string{"a.pptx", "b.XLSX", "c.docx", "d.pdf", "e.zip"} {
		pages["a.example/"+name] = "<p>It only has the name of one.</p>"
	}
	_, got := crawled(t, webEngine(t, pages), "https://a.example/", CrawlOptions{Sitemap: SitemapSkip})
	if len(got) != 5 {
		t.Errorf("got %v", got)
	}
}
