package engine

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestParse_metadataOfABook(t *testing.T) {
	e := newTestEngine(t, Options{})
	book := zipOf(t, [][2]string{
		{"mimetype", "application/epub+zip"},
		{"META-INF/container.xml", `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`},
		{"b.opf", `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf"><metadata>` +
			`<dc:title id="s">How to store them</dc:title><meta refines="#s" property="title-type">subtitle</meta><dc:title id="t">On oats</dc:title><meta refines="#t" property="title-type">main</meta>` +
			`<dc:creator opf:role="ill">Ida Drawer</dc:creator><dc:creator opf:role="aut">Ada Writer</dc:creator><dc:creator id="c">Bo Second</dc:creator><meta refines="#c" property="role">aut</meta>` +
			`<dc:language>en-GB</dc:language><dc:date opf:event="modification">2025-02-03</dc:date><dc:date opf:event="publication">2024-05-01</dc:date>` +
			`<dc:description>&lt;p&gt;All about &lt;b&gt;oats&lt;/b&gt; &amp;amp; lofts.&lt;/p&gt;</dc:description><dc:subject>Farming</dc:subject></metadata>` +
			`<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`},
		{"a.xhtml", "<html><body><p>Text.</p></body></html>"},
	})
	m := parsed(t, e, ParseInput{Reader: bytes.NewReader(book), Name: "oats.epub"}, ParseOptions{}).Metadata
	if m.Title != "On oats: How to store them" || m.Language != "en-GB" || m.Description != "All about oats & lofts." || m.Keywords != "Farming" {
		t.Errorf("got title %q, language %q, description %q, keywords %q", m.Title, m.Language, m.Description, m.Keywords)
	}
	if !slices.Equal(m.Author, []string{"Ada Writer", "Bo Second"}) || !strings.HasPrefix(m.PublishedTime, "2024-05-01") || !strings.HasPrefix(m.ModifiedTime, "2025-02-03") {
		t.Errorf("got authors %q, published %q, modified %q", m.Author, m.PublishedTime, m.ModifiedTime)
	}
}
