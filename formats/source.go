package formats

import (
	"bytes"
	"context"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/parse"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Source is a page as it was fetched or rendered.
type Source struct {
	URL       string // final address, after redirects
	MediaType string // lower case, without parameters; "": detected from the content
	Language  string // value of the answer's Content-Language header; "": none
	Body      []byte // text in UTF-8; other bytes are replaced
	Raw       []byte // as received; only needed for the rawBase64 format
	// Kept are addresses that aren't resolved against URL, such as paths of files that pictures are kept in. Nil: none.
	Kept map[string]bool
}

// Parse reads a page. HTML and XHTML become a tree; JSON, Markdown, plain text and other texts are kept
// as they are, and Render shapes them; see also [DOM.Free]. It returns an error only when ctx is done: every body is some page,
// also a malformed, an empty one or one nested deeper than the parser accepts. Source.Body must not
// change while the DOM is in use.
func Parse(ctx context.Context, src Source) (_ *DOM, err error) {
	steps := walk.New(ctx)
	defer steps.Catch(&err)
	steps.Look()
	d := &DOM{src: src, kind: kindOf(src), steps: steps}
	if d.kind != kindHTML {
		d.text = strings.ToValidUTF8(string(bytes.TrimPrefix(src.Body, utf8BOM)), "\uFFFD")
		if n := d.readNotebook(); n != nil {
			d.kind, d.text = kindNotebook, strings.ToValidUTF8(n.markdown(steps), "\uFFFD")
		}
		return d, d.setBase("")
	}
	d.room = nodes.BorrowRoom()
	if d.doc, err = parse.Document(steps, src.Body, d.room); err != nil {
		return nil, err
	}
	return d, d.setBase(d.baseHref())
}

var utf8BOM = []byte("\xEF\xBB\xBF")

// kind is what a body is, as far as formats must know.
type kind uint8

const (
	kindHTML kind = iota
	kindJSON
	kindMarkdown
	kindPlain
	kindNotebook // whose text is Markdown
	kindSource   // text with a syntax: XML, CSV, program text
)

func kindOf(src Source) kind {
	switch mt := src.MediaType; {
	case mt == "" || mt == "application/octet-stream":
		return sniff(src.Body)
	case mt == "text/html" || mt == "application/xhtml+xml":
		return kindHTML
	case mt == "application/json" || strings.HasSuffix(mt, "+json") || mt == "text/json":
		return kindJSON
	case mt == "text/markdown" || mt == "text/x-markdown":
		return kindMarkdown
	case mt == "text/plain":
		return kindPlain
	case mt == "application/xml" || mt == "text/xml":
		if isXHTML(src.Body) {
			return kindHTML
		}
	}
	return kindSource
}

// sniff distinguishes HTML from plain text where no type is given: HTML has a tag of HTML near its start.
func sniff(body []byte) kind {
	const window = 1024
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), window)], utf8BOM)))
	if len(head) == 0 || head[0] == '<' {
		return kindHTML
	}
	if head[0] == '{' || head[0] == '[' {
		return kindJSON
	}
	for _, tag := range []string{"<p", "<div", "<body", "<html", "<br", "<h1", "<table", "<a ", "<span", "<ul"} {
		if bytes.Contains(head, []byte(tag)) {
			return kindHTML
		}
	}
	return kindPlain
}

// isXHTML reports an XML body whose root element is html.
func isXHTML(body []byte) bool {
	z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), 4096)]))
	for range 20 {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			return string(name) == "html"
		}
	}
	return false
}
