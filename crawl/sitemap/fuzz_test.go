package sitemap

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Whatever the bytes, Read ends, gives only good URLs within the limits, and the same in large and in small reads.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "<", "https://site.example/a\n", entries(a + b), "\ufeff" + entries(a), "<sitemapindex><sitemap><loc>/a</loc></sitemap></sitemapindex>",
		"<rss><channel><item><link>x</link><pubDate>Mon, 06 May 2024 07:08:09 EST</pubDate><guid>y</guid></item></channel></rss>",
		"<feed><entry><link href='/a'/><updated>2024</updated></entry></feed>", "<url><loc>a<b c='<'>", "<!DOCTYPE x [<!ENTITY a 'b'>]><urlset><url><loc>&a;&#1;",
		openSet + "<!-- -- --><![CDATA[x]]]]><?xml version='2'?><<url><loc>a</loc", "\xff\xfe<\x00u\x00r\x00l\x00>\x00", "<?xml encoding='gbk'?><urlset>\xe9\xff",
		"<urlset><url><loc>https://a.example/</loc><image:image><image:loc>/i</image:loc></image:image><news:news><news:title>t<b>",
		zipped(f, entries(a)), zipped(f, zipped(f, "https://a.example/")), "<urlset><url><loc>" + strings.Repeat("a<b>", 70),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		const most = 50
		o := Limits{MaxURLs: most, MaxBytes: 1 << 20}
		if whole := reading(t, string(doc), o); len(doc) < 2000 {
			if small := transcript(t, iotest.OneByteReader(strings.NewReader(string(doc))), o); small != whole {
				t.Fatalf("byte by byte:\n%s\nat once:\n%s", small, whole)
			}
		}
		urls, problems := 0, 0
		for item, err := range Read(t.Context(), strings.NewReader(string(doc)), base, o) {
			if err != nil {
				if _, ok := errors.AsType[*Problem](err); !ok {
					t.Fatalf("an error that is no problem: %v", err)
				}
				problems++
				continue
			}
			urls++
			checkItem(t, item)
		}
		if urls > most || problems > maxProblems+5 {
			t.Fatalf("%d URLs, %d problems", urls, problems)
		}
	})
}

func checkItem(t *testing.T, item Item) {
	t.Helper()
	if again, err := weburl.Parse(item.Loc); err != nil || again != item.Loc || !isWeb(item.Loc) {
		t.Fatalf("loc %q: %q, %v", item.Loc, again, err)
	}
	if p := item.Priority; p != NoPriority && (math.IsNaN(p) || p < 0 || p > 1) {
		t.Fatalf("priority %v", p)
	}
	if item.Kind == Unknown || item.Sitemap != base {
		t.Fatalf("%+v", item)
	}
}
