package sitemap

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// extensions are what a document's entries have beside the protocol's own fields, and its problems.
func extensions(t *testing.T, doc string) string {
	t.Helper()
	var out []string
	for item, err := range Read(t.Context(), strings.NewReader(doc), "https://site.example/s.xml", Limits{}) {
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		published := ""
		if !item.Published.IsZero() {
			published = item.Published.Format(time.RFC3339)
		}
		out = append(out, fmt.Sprintf("%q %s %s", item.Title, published, strings.Join(item.Images, " ")))
	}
	return strings.Join(out, "\n")
}

func TestRead_extensions(t *testing.T) {
	const open, end = `<urlset xmlns:image="i" xmlns:news="n" xmlns:video="v"><url><loc>https://site.example/a</loc>`, `</url></urlset>`
	for name, c := range map[string]struct{ doc, want string }{
		"news": {
			open + `<news:news><news:publication><news:name>The Example Times</news:name></news:publication>
				<news:publication_date>2026-05-06T07:08:09+02:00</news:publication_date><news:title> A &amp; B
				rise</news:title></news:news>` + end, `"A & B rise" 2026-05-06T05:08:09Z `,
		},
		"images": {
			open + `<image:image><image:loc>/1.png</image:loc><image:caption>no</image:caption></image:image>
				<image:image><image:loc>https://cdn.example/2.png</image:loc></image:image>
				<image:image><image:loc>https://site.example/1.png</image:loc></image:image>` + end,
			`""  https://site.example/1.png https://cdn.example/2.png`,
		},
		"an image without an address": {
			open + `<image:image><image:loc>data:,x</image:loc></image:image>` + end,
			"sitemap https://site.example/s.xml line 1: BAD_IMAGE: data:,x\n\"\"  ",
		},
		"titles of videos and images are not the page's": {
			open + `<video:video><video:title>V</video:title></video:video><image:image><image:title>I</image:title></image:image>` + end, `""  `,
		},
		"too deep, or of another prefix": {
			open + `<x><news:news><news:title>no</news:title></news:news></x><news:news><title>no</title></news:news>` + end, `""  `,
		},
		"rss":  {`<rss><channel><title>no</title><item><title>One</title><link>https://site.example/1</link></item></channel></rss>`, `"One"  `},
		"atom": {`<feed><title>no</title><entry><title>Two</title><link href="https://site.example/2"/></entry></feed>`, `"Two"  `},
	} {
		if got := extensions(t, c.doc); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestRead_imagesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxImages + 10 {
		fmt.Fprintf(&b, "<image:image><image:loc>/%d</image:loc></image:image>", i)
	}
	doc := "<urlset><url><loc>https://site.example/a</loc>" + b.String() + "<news:news><news:title>T</news:title></news:news></url></urlset>"
	for item, err := range Read(t.Context(), strings.NewReader(doc), "https://site.example/", Limits{}) {
		if err != nil || len(item.Images) != maxImages || item.Title != "T" {
			t.Errorf("%d images, %q: %v", len(item.Images), item.Title, err)
		}
	}
}
