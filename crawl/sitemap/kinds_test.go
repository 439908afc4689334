package sitemap

import "testing"

func TestRead_kinds(t *testing.T) {
	checkAll(t, []testCase{
		{"url set with all fields and extensions", `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="/main.xsl"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:news="n">
 <url>
  <loc>https://site.example/a?x=1&amp;y=2</loc>
  <lastmod>2024-05-06</lastmod>
  <changefreq>weekly</changefreq>
  <priority>0.8</priority>
  <image:image><image:loc>https://site.example/a.png</image:loc></image:image>
  <video:video><video:player_loc>https://site.example/v</video:player_loc><loc>https://site.example/not</loc></video:video>
  <xhtml:link rel="alternate" hreflang="de" href="https://site.example/de/a"/>
  <news:news><news:publication_date>2020-01-01</news:publication_date></news:news>
 </url>
 <url><image:image><image:loc>https://site.example/b.png</image:loc></image:image><image:loc>https://site.example/c.png</image:loc><loc>https://site.example/b</loc></url>
</urlset>`, `
urlset https://site.example/a?x=1&y=2 2024-05-06T00:00:00Z 0.8 weekly
urlset https://site.example/b`},

		{"index", `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://site.example/post-sitemap.xml</loc><lastmod>2024-05-06T07:08:09+02:00</lastmod></sitemap>
<sitemap><loc>https://site.example/page-sitemap.xml.gz</loc></sitemap></sitemapindex>`, `
index https://site.example/post-sitemap.xml 2024-05-06T05:08:09Z
index https://site.example/page-sitemap.xml.gz`},

		{"text", "\ufeffhttps://site.example/a\r\n\r\n  https://site.example/b?x=1&y=2  \nHTTP://SITE.example/c",
			"text https://site.example/a\ntext https://site.example/b?x=1&y=2\ntext http://site.example/c"},

		{"rss 2.0", `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="m"><channel>
<title>T</title><link>https://site.example/</link><atom:link href="https://site.example/feed" rel="self"/>
<image><url>https://site.example/logo.png</url><link>https://site.example/logo</link></image>
<item><title>One</title><link>https://site.example/one</link><pubDate>Mon, 06 May 2024 07:08:09 EST</pubDate>
 <description><![CDATA[<a href="/x">x</a> <link>https://site.example/not</link> <!-- <item> -->]]></description>
 <media:group><media:item><link>https://site.example/not2</link></media:item></media:group>
 <source url="https://other.example/feed">Other</source></item>
<item><atom:link href="https://site.example/not3"/><guid>https://site.example/two</guid></item>
<item><guid isPermaLink="false">https://site.example/not4</guid><title>no link</title></item>
<item><guid>tag:1</guid><link>https://site.example/three</link></item>
</channel></rss>`, `
rss https://site.example/one 2024-05-06T12:08:09Z
rss https://site.example/two
! NO_LOC 9
rss https://site.example/three`},

		{"rss 1.0", `<rdf:RDF xmlns:rdf="r" xmlns:dc="d" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="x"><link>https://site.example/</link><items><rdf:Seq><rdf:li resource="y"/></rdf:Seq></items></channel>
<item rdf:about="y"><link>https://site.example/y</link><dc:date>2024-05-06T07:08Z</dc:date></item></rdf:RDF>`,
			`rss https://site.example/y 2024-05-06T07:08:00Z`},

		{"atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://site.example/"/><updated>2020-01-01T00:00:00Z</updated>
<entry><link rel="self" href="/self"/><link rel="alternate" type="text/html" href="https://site.example/a"/><link href="/second"/>
 <updated>2024-05-06T07:08:09.5Z</updated><published>2024-01-01T00:00:00Z</published>
 <source><link href="https://other.example/"/></source>
 <content type="xhtml"><div xmlns="x"><p>a<br>b<link href="https://site.example/not"/></p></div></content></entry>
<entry><link href="https://site.example/b"/><published>2024-01-01T00:00:00Z</published></entry></feed>`, `
atom https://site.example/a 2024-05-06T07:08:09.5Z
atom https://site.example/b 2024-01-01T00:00:00Z`},

		{"nothing listed", entries(""), ""},
		{"empty element", `<urlset/>`, ""},
		{"default prefix", `<sm:urlset xmlns:sm="s"><sm:url><sm:loc>https://site.example/a</sm:loc><loc>https://site.example/not</loc></sm:url></sm:urlset>`,
			"urlset https://site.example/a"},
		{"prefix on the root alone", `<ns0:urlset xmlns:ns0="s"><url><loc>https://site.example/a</loc></url></ns0:urlset>`, "urlset https://site.example/a"},
		{"no namespace, other case", `<URLSET><Url><LOC>https://site.example/a</LOC><LastMod>2024</LastMod></Url></URLSET>`,
			"urlset https://site.example/a 2024-01-01T00:00:00Z"},
		{"a root around the root", `<response><urlset><url><loc>https://site.example/a</loc></url></urlset></response>`,
			"! MALFORMED 1 text or elements before the root\nurlset https://site.example/a"},
	})
}

func TestRead_whatIsNoSitemapIsOneProblem(t *testing.T) {
	checkAll(t, []testCase{
		{"html page", "<!DOCTYPE html>\n<html><head><title>404</title><link rel=x href=y></head><body><a href=https://site.example/a>a</a></body></html>",
			"! NOT_SITEMAP 0 begins with <html>"},
		{"html page without html", "<head><title>x</title></head><body><p>x", "! NOT_SITEMAP 0 begins with <head>"},
		{"other xml", `<?xml version="1.0"?><opml><body><outline/></body></opml>`, "! NOT_SITEMAP 0 begins with <opml>"},
		{"xml that ends at once", `<?xml version="1.0"?>`, "! NOT_SITEMAP 0 no element"},
		{"xml that breaks off", `<foo bar="`, "! NOT_SITEMAP 0 no element"},
		{"nothing", "", "! NOT_SITEMAP 0 empty"},
		{"blanks", "\ufeff \r\n\t\n", "! NOT_SITEMAP 0 empty"},
		{"text", "Not found\nat all", "! NOT_SITEMAP 0 begins with Not found"},
		{"json", `{"urls": ["https://site.example/a"]}`, `! NOT_SITEMAP 0 begins with {"urls": ["https://site.example/a"]}`},
		{"robots.txt", "User-agent: *\nDisallow:\nSitemap: https://site.example/sitemap.xml", "! NOT_SITEMAP 0 begins with User-agent: *"},
	})
}

func TestRead_longStrangeTextIsGivenUpEarly(t *testing.T) {
	r := &repeat{unit: "not a URL\n", n: 1 << 20}
	got := transcript(t, r, Limits{})
	if want := "! NOT_SITEMAP 0 begins with not a URL"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r.read > 1<<20 {
		t.Errorf("%d bytes were read of a text that is no sitemap", r.read)
	}
}
