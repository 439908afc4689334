package fetch

import (
	"archive/zip"
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

func zipped(t testing.TB, names ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		name, content, _ := strings.Cut(name, "=")
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(content))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSniff(t *testing.T) {
	const (
		html = "<!DOCTYPE html><html><body>x</body></html>"
		pdf  = "%PDF-1.7\n"
		png  = "\x89PNG\r\n\x1a\n\x00"
		docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	)
	for _, test := range []struct{ contentType, body, want string }{
		// a good declaration stands
		{"text/html; charset=utf-8", html, "text/html"},
		{"TEXT/HTML", "no tags at all", "text/html"},
		{"text/plain", html, "text/plain"}, // browsers show the source, too
		{"text/html", `{"a":1}`, "text/html"},
		{"application/json", `not json`, "application/json"},
		{"image/svg+xml", "<svg/>", "image/svg+xml"},
		{docx, zipped(t, "x"), docx},
		{"application/pdf", pdf, "application/pdf"},
		{"application/x-own", "\x00", "application/x-own"},
		{"text/html;;;", html, "text/html"},
		// none, or one that says nothing
		{"", html, "text/html"},
		{"", "  <html><p>", "text/html"},
		{"", "\xef\xbb\xbf<!doctype HTML>", "text/html"},
		{"", `<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="y">`, "application/xhtml+xml"},
		{"", `<?xml version="1.0"?><!-- <html> --><rss version="2.0">`, "application/rss+xml"},
		{"", `<?xml version="1.0"?><feed xmlns="a">`, "application/atom+xml"},
		{"", `<?xml version="1.0"?><urlset>`, "application/xml"},
		{"", `<svg xmlns="http://www.w3.org/2000/svg">`, "image/svg+xml"},
		{"", `{"a":[1,2]}`, "application/json"},
		{"", ` [1]`, "application/json"},
		{"", `{not json}`, "text/plain"},
		{"", "just words", "text/plain"},
		{"", "\x00\x01\x02", octetStream},
		{"", "", "text/plain"},
		{"text/csv", "", "text/csv"},
		{"garbage", html, "text/html"},
		{"*/*", html, "text/html"},
		{"unknown/unknown", html, "text/html"},
		{"text/html, text/plain", html, "text/html"},
		{octetStream, pdf, "application/pdf"},
		{octetStream, png, "image/png"},
		{octetStream, html, "text/html"},
		{"binary/octet-stream", pdf, "application/pdf"},
		{"application/force-download", zipped(t, "[Content_Types].xml", "word/document.xml"), docx},
		{octetStream, zipped(t, "[Content_Types].xml", "xl/workbook.xml"), strings.Replace(docx, "wordprocessingml.document", "spreadsheetml.sheet", 1)},
		{octetStream, zipped(t, "docProps/a="+strings.Repeat("x", 9000), "ppt/presentation.xml"), strings.Replace(docx, "wordprocessingml.document", "presentationml.presentation", 1)},
		{octetStream, zipped(t, "mimetype=application/vnd.oasis.opendocument.text"), "application/vnd.oasis.opendocument.text"},
		{octetStream, zipped(t, "mimetype=application/epub+zip"), "application/epub+zip"},
		{octetStream, zipped(t, "a.txt=word/"), "application/zip"},
		{octetStream, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"},
		// a lie
		{"text/html", pdf, "application/pdf"},
		{"text/html; charset=utf-8", `<?xml version="1.0"?><rss version="2.0"><channel>`, "application/rss+xml"},
		{"text/html", "\n<!-- made by hand --><rss><channel>", "application/rss+xml"},
		{"text/html", `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">`, "application/atom+xml"},
		{"text/html", `<feed xmlns="http://www.w3.org/2005/Atom"><title>t`, "application/atom+xml"},
		{"text/html", `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">`, "application/rss+xml"},
		{"text/html", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`, "text/html"},
		{"text/html", "<feed><p>a page's own element", "text/html"},
		{"text/html", `<?xml version="1.0"?><html><body><rss>`, "text/html"},
		{"text/plain", png, "image/png"},
		{"application/json", "\x1f\x8b\x08\x00", "application/gzip"},
		{"text/html", "rubbish\n%PDF-1.4\n", "application/pdf"},
		{"text/html", "<p>how to write\n%PDF-1.4", "text/html"},
		{"text/html", strings.Repeat("\x00", 300), octetStream},
		{"text/plain", strings.Repeat("\x00", 300), octetStream},
		{"application/json", "\x01\x02\x9f\x03", octetStream},
		{"text/html", strings.Repeat("\x8e\x04\xb1\xfa\x90 text \x13\xe3", 50), octetStream},
		{"text/html", "\x00\x00" + html, "text/html"},
		{"text/html", "\x00\x00 " + strings.Repeat("a text with some rubbish in front. ", 3), "text/html"},
		{"text/html", "<p>\x00\x01\x02\x03</p>", "text/html"},
		{"text/html", "\xff\xfeP\x00a\x00g\x00e\x00", "text/html"},
		{"text/html", "P\x00a\x00g\x00e\x00", "text/html"},
		{"text/html; charset=utf-16le", "\x00\x4e\x01\x4e\x02\x4e", "text/html"},
		{"text/html; charset=iso-2022-jp", "\x1b$B$3\x1b(B", "text/html"},
		{"image/png", html, "text/html"},
		{"application/pdf", html, "text/html"},
		{docx, html, "text/html"},
		{"video/mp4", "no signature", "video/mp4"},
	} {
		if got := sniff(test.contentType, []byte(test.body)); got != test.want {
			t.Errorf("%q with %.40q: %s, want %s", test.contentType, test.body, got, test.want)
		}
	}
}

func TestDo_mediaTypeIsSniffed(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for query, want := range map[string]string{
		"as=&kind=html": "text/html", "as=&kind=json": "application/json", "as=&kind=text": "text/plain", "as=&kind=pdf": "application/pdf",
		"as=text/html&kind=png": "image/png", "as=image/png&kind=html": "text/html", "as=application/octet-stream&kind=pdf": "application/pdf",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustDo(t, c, Request{URL: site.URL("/lying?" + q.Encode())}).MediaType; got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

func TestIsText(t *testing.T) {
	for mediaType, want := range map[string]bool{
		"text/html": true, "text/x-anything": true, "application/json": true, "application/ld+json": true, "application/vnd.api+json": true,
		"application/xhtml+xml": true, "image/svg+xml": true, "application/javascript": true, "application/yaml": true,
		"application/pdf": false, "image/png": false, octetStream: false, "": false, "application": false, "image/json": false, "application/zip": false,
	} {
		if got := IsText(mediaType); got != want {
			t.Errorf("%s: %v, want %v", mediaType, got, want)
		}
	}
}

func FuzzSniff(f *testing.F) {
	for _, s := range []string{"", "<html>", "<?xml?><a>", "<!--", "{}", "%PDF-", "PK\x03\x04", zipped(f, "word/x"), "<", "<!", "\xef\xbb\xbf"} {
		f.Add("", []byte(s))
		f.Add("application/octet-stream", []byte(s))
		f.Add("text/html; charset", []byte(s))
		f.Add("image/png", []byte(s))
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		got := sniff(contentType, body)
		major, minor, ok := strings.Cut(got, "/")
		if !ok || major == "" || minor == "" || strings.ContainsAny(got, "; \t\r\n") || got != strings.ToLower(got) {
			t.Errorf("%q with %q: %q is no media type", contentType, body, got)
		}
	})
}
