package sitemap

import (
	"fmt"
	"strings"
	"testing"
)

const a, b, c = "<url><loc>https://site.example/a</loc></url>", "<url><loc>https://site.example/b</loc></url>", "<url><loc>https://site.example/c</loc></url>"

func TestRead_brokenMarkup(t *testing.T) {
	const got = "urlset https://site.example/"
	checkAll(t, []testCase{
		{"blank lines before the declaration", "\n\n \t<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + entries(a), got + "a"},
		{"message before the declaration", "Warning: foo in <b>x.php</b><br />\n<?xml version=\"1.0\"?>" + entries(a),
			"! MALFORMED 2 text or elements before the root\n" + got + "a"},
		{"xml 1.1", `<?xml version="1.1"?>` + entries(a), "! MALFORMED 1\n" + got + "a"},
		{"no root", a + b, "! MALFORMED 1 no root element\n" + got + "a\n" + got + "b"},
		{"two documents in one", entries(a) + `<?xml version="1.0"?>` + entries(b), got + "a\n" + got + "b"},
		{"script behind the end", entries(a) + "<script>if (a<b && c) </script><!-- x -->", got + "a\n! MALFORMED 1"},

		{"raw ampersands", entries("<url><loc>https://site.example/?a=1&b=2&copy=3&amp;d=&#52;&x;</loc></url>"), got + "?a=1&b=2&copy=3&d=4&x;"},
		{"html entities", entries("<url><loc>https://site.example/&eacute;&nbsp;</loc></url>"), got + "%C3%A9"},
		{"cdata, in parts", entries("<url><loc> <![CDATA[https://site.example/a?x&y]]>\n</loc></url><url><loc>https://site<!-- . -->.example/<![CDATA[b]]></loc></url>"),
			got + "a?x&y\n" + got + "b"},
		{"line breaks within", entries("<url><loc>\n  https://site.example/a/\n  b \n</loc></url>"), got + "a/%20%20b"},
		{"character that xml forbids", entries("<url><loc>https://site.example/\x01a</loc></url>" + "<url><loc>https://site.example/&#1;</loc></url>" + c),
			got + "a\n! MALFORMED 1\n! NO_LOC 1\n" + got + "c"},
		{"tag within an address", entries("<url><loc>https://site.example/?a<b</loc></url>" + b), "! MALFORMED 1\n! NO_LOC 1\n" + got + "b"},
		{"less-than within an address", entries("<url><loc>https://site.example/?a< b</loc></url>" + b), "! MALFORMED 1\n! NO_LOC 1\n" + got + "b"},
		{"doubled less-than", entries("<<url><loc>https://site.example/a</loc></url><url><<loc>https://site.example/b</loc></url>"),
			"! MALFORMED 1\n" + got + "a\n! MALFORMED 1\n" + got + "b"},
		{"comment with hyphens", entries("<!-- -- -- " + a + "-->" + b + "<!--- x --->" + c), "! MALFORMED 1\n" + got + "b\n! MALFORMED 1\n" + got + "c"},
		{"fault in a field that matters less", entries("<url><loc>https://site.example/a</loc><lastmod>20]]>24</lastmod></url>"), "! MALFORMED 1\n" + got + "a"},
		{"attributes without quotes", `<urlset version=1 x>` + a + closeSet, got + "a"},
		{"broken root", `<urlset xmlns=http://www.sitemaps.org/schemas/sitemap/0.9>` + a + closeSet, "! MALFORMED 1\n" + got + "a"},
		{"broken tags", entries("<url x=/y/><loc =>https://site.example/a</loc></url><url><sm:x a=(><loc>https://site.example/not</loc></sm:x></url>"),
			"! MALFORMED 1\n! MALFORMED 1\n" + got + "a\n! MALFORMED 1\n! NO_LOC 1"},

		{"entry without its end", entries("<url><loc>https://site.example/a</loc>" + b), "! MALFORMED 1 <url> without its end\n" + got + "a\n" + got + "b"},
		{"last entry without its end", entries("<url><loc>https://site.example/a</loc>"), "! MALFORMED 1 <url> without its end\n" + got + "a"},
		{"loc without its end", entries("<url><loc>https://site.example/a<lastmod>2024</lastmod></url>" + b),
			"! MALFORMED 1 <lastmod> within a text\n" + got + "a 2024-01-01T00:00:00Z\n" + got + "b"},
		{"loc ended by the entry", entries("<url><loc>https://site.example/a</url>" + b), "! MALFORMED 1 </url> ends another element\n" + got + "a\n" + got + "b"},
		{"loc ended by a slip", entries("<url><loc>https://site.example/a</lco><priority>1</priority></url>" + b),
			"! MALFORMED 1 </lco> ends another element\n" + got + "a 1\n" + got + "b"},
		{"unclosed extension", entries("<url><image><loc>https://site.example/x.png</loc><loc>https://site.example/a</loc></url>" + b), "! NO_LOC 1\n" + got + "b"},
		{"two addresses", entries("<url><loc></loc><loc>https://site.example/a</loc><loc>https://site.example/x</loc></url>"), got + "a"},
		{"no address", entries("<url><lastmod>2024</lastmod></url>" + b), "! NO_LOC 1\n" + got + "b"},
		{"pages in an index", "<sitemapindex>" + a + "</sitemapindex>", "! MALFORMED 1 <url> in a sitemap of kind index\n" + got + "a"},

		{"cut between entries", openSet + a + b, got + "a\n" + got + "b\n! TRUNCATED 0"},
		{"cut in an address", openSet + a + "<url><loc>https://site.example/b", got + "a\n! NO_LOC 1\n! TRUNCATED 0"},
		{"cut in a tag", openSet + a + "<url><loc>https://site.example/b</loc><last", got + "a\n" + got + "b\n! TRUNCATED 0"},
		{"cut in cdata", openSet + "<url><loc><![CDATA[https://site.ex", "! NO_LOC 1\n! TRUNCATED 0"},
		{"cut in a comment", openSet + a + "<!-- " + b, got + "a\n! TRUNCATED 0"},
		{"cut behind the end", entries(a) + "<!-- ", got + "a\n! MALFORMED 1 broken markup after the root"},
	})
}

// Any one byte of an entry that is wrong or missing costs at most that entry and the next.
func TestRead_aFaultCostsOnlyWhatIsAtFault(t *testing.T) {
	middle := "<url>\n<loc>https://site.example/x</loc><lastmod>2024</lastmod></url>"
	check := func(broken string) {
		urls, _, _ := locs(t.Context(), strings.NewReader(entries(a+b+broken+"<url><loc>https://site.example/next</loc></url>"+c)), Limits{})
		n := len(urls)
		if n < 3 || urls[0] != "https://site.example/a" || urls[1] != "https://site.example/b" || urls[n-1] != "https://site.example/c" {
			t.Errorf("%q: %q", broken, urls)
		}
	}
	for i := range middle {
		check(middle[:i] + middle[i+1:])
		check(middle[:i])
		for _, wrong := range "<>&'\"/!?-=[]; \x00\xff" {
			check(middle[:i] + string(wrong) + middle[i+1:])
			check(middle[:i] + string(wrong) + middle[i:])
		}
	}
}

func TestRead_addresses(t *testing.T) {
	for _, c := range []struct{ loc, want string }{
		{" \u00a0https://site.example\ufeff ", "urlset https://site.example/"},
		{"HTTPS://Site.Example:443/a/../b", "urlset https://site.example/b"},
		{"https://bücher.example/ü", "urlset https://xn--bcher-kva.example/%C3%BC"},
		{"https://other.example/a#part", "urlset https://other.example/a#part"},
		{"/a", "! RELATIVE_LOC 1 /a\nurlset https://site.example/a"},
		{"a", "! RELATIVE_LOC 1 a\nurlset https://site.example/maps/a"},
		{"//site.example/a", "! RELATIVE_LOC 1 //site.example/a\nurlset https://site.example/a"},
		{"www.site.example/a", "! RELATIVE_LOC 1 www.site.example/a\nurlset https://www.site.example/a"},
		{"SITE.example", "! RELATIVE_LOC 1 SITE.example\nurlset https://site.example/"},
		{"ftp://site.example/a", "! BAD_LOC 1 ftp://site.example/a"},
		{"javascript:void(0)", "! BAD_LOC 1 javascript:void(0)"},
		{"https://", "! BAD_LOC 1 https://"},
		{"https://site.example:99999/", "! BAD_LOC 1 https://site.example:99999/"},
		{"", "! NO_LOC 1"},
	} {
		if got := reading(t, entries("<url><loc>"+c.loc+"</loc></url>"), Limits{}); got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.loc, got, c.want)
		}
	}
}

func TestRead_withoutABaseRelativeAddressesAreBad(t *testing.T) {
	for _, base := range []string{"", "sitemap.xml"} {
		var got []string
		for item, err := range Read(t.Context(), strings.NewReader(entries("<url><loc>/a</loc></url>"+b)), base, Limits{}) {
			got = append(got, line(item, err))
		}
		if want := "! BAD_LOC 1 /a|urlset https://site.example/b"; strings.Join(got, "|") != want {
			t.Errorf("base %q: got %q, want %q", base, got, want)
		}
	}
}

func TestRead_priorityAndChangefreq(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{"<priority>0</priority>", " 0"},
		{"<priority> 1.0 </priority>", " 1"},
		{"<priority>0,7</priority>", " 0.7"},
		{"<priority></priority>", ""},
		{"<priority>1.5</priority>", "! BAD_PRIORITY 1 1.5 is not between 0 and 1| 1"},
		{"<priority>-3</priority>", "! BAD_PRIORITY 1 -3 is not between 0 and 1| 0"},
		{"<priority>high</priority>", "! BAD_PRIORITY 1 high|"},
		{"<priority>NaN</priority>", "! BAD_PRIORITY 1 NaN|"},
		{"<priority>Inf</priority>", "! BAD_PRIORITY 1 Inf|"},
		{"<changefreq> Daily </changefreq>", " daily"},
		{"<changefreq>often</changefreq>", "! BAD_CHANGEFREQ 1 often|"},
		{"<lastmod>yesterday</lastmod>", "! BAD_LASTMOD 1 yesterday|"},
	} {
		got := reading(t, entries("<url><loc>https://site.example/a</loc>"+c.fields+"</url>"), Limits{})
		problem, fields, found := strings.Cut(c.want, "|")
		want := problem + "\nurlset https://site.example/a" + fields
		if !found {
			want = "urlset https://site.example/a" + c.want
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.fields, got, want)
		}
	}
}

func TestRead_lineOfAProblem(t *testing.T) {
	doc := openSet + "\n" + a + "\r\n<url>\n<loc>\n</loc>\n</url>\n<!-- \n -- \n -->\n<url><loc>ftp://x/</loc></url>" + closeSet
	want := "urlset https://site.example/a\n! NO_LOC 3\n! MALFORMED 8\n! BAD_LOC 10 ftp://x/"
	if got := reading(t, doc, Limits{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRead_problemsAreBounded(t *testing.T) {
	got := strings.Split(reading(t, openSet+strings.Repeat("<url><loc>/a</loc></url>", 1000), Limits{}), "\n")
	if len(got) != 1000+maxProblems+2 {
		t.Errorf("%d lines, want all items, %d problems, and how it ended", len(got), maxProblems+1)
	}
	if suppressed := fmt.Sprintf("! %s 0 more than %d problems", Suppressed, maxProblems); strings.Count(strings.Join(got, "\n"), suppressed) != 1 {
		t.Errorf("no or several %q", suppressed)
	}
	if last := got[len(got)-1]; last != "! TRUNCATED 0" {
		t.Errorf("last line %q: how a document ends is always said", last)
	}
}

func TestProblem_saysWhereAndWhat(t *testing.T) {
	for _, err := range Read(t.Context(), strings.NewReader(entries("<url><loc>https://"+strings.Repeat("ü", 300)+":x/</loc></url>")), base, Limits{}) {
		p, ok := err.(*Problem)
		if !ok {
			t.Fatalf("got %v, want a *Problem", err)
		}
		if got := p.Error(); !strings.HasPrefix(got, "sitemap "+base+" line 1: BAD_LOC: https://üü") || p.Unwrap() == nil {
			t.Errorf("got %q, cause %v", got, p.Err)
		}
		if len(p.Detail) > 200+len("…") {
			t.Errorf("detail of %d bytes", len(p.Detail))
		}
	}
}

func TestRead_breakingOffIsFine(t *testing.T) {
	for _, doc := range []string{entries(a + b), "https://site.example/a\nhttps://site.example/b", "<html>", entries("<url/><url/>")} {
		n := 0
		for range Read(t.Context(), strings.NewReader(doc), base, Limits{}) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%s: %d rounds", doc, n)
		}
	}
}
