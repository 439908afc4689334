package browser

import (
	"bytes"
	"context"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// declaration has the browser read one document as if its answer named a charset. The answer is held until it is whole, and given to the
// browser with another header: of an answer that goes on, another header changes nothing.
type declaration struct {
	session playwright.CDPSession // its own: what is intercepted for the caller's headers stays as it is
	charset string
}

// declaredIn makes a session that adds the charset to the answer of the document at an address.
func declaredIn(ctx context.Context, t *tab.Tab, address, charset string) (*declaration, error) {
	session, err := tab.Do(ctx, t, "declare a charset", func() (playwright.CDPSession, error) {
		return t.Page.Context().NewCDPSession(t.Page)
	})
	if err != nil {
		return nil, err
	}
	d := &declaration{session, charset}
	session.On("Fetch.requestPaused", func(params map[string]any) {
		tab.Start(t, func() (any, error) { return d.answer(params) })
	})
	address, _, _ = strings.Cut(address, "#")
	pattern := map[string]any{
		"urlPattern": strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`).Replace(address), "resourceType": "Document", "requestStage": "Response",
	}
	return d, tab.Run(ctx, t, "declare a charset", func() error {
		_, err := session.Send("Fetch.enable", map[string]any{"patterns": []any{pattern}})
		return err
	})
}

// answer gives the browser an answer that it holds, with the charset in its type. Redirects and failures go on as they are.
func (d *declaration) answer(params map[string]any) (any, error) {
	held := map[string]any{"requestId": params["requestId"]}
	status := tab.Number(params["responseStatusCode"])
	if status < 200 || status >= 300 && status < 400 {
		return d.session.Send("Fetch.continueResponse", held)
	}
	body, err := d.session.Send("Fetch.getResponseBody", held)
	if err != nil || tab.Field(body, "base64Encoded") != true {
		return d.session.Send("Fetch.continueResponse", held)
	}
	headers, _ := params["responseHeaders"].([]any)
	return d.session.Send("Fetch.fulfillRequest", map[string]any{
		"requestId": params["requestId"], "responseCode": status, "responseHeaders": withCharset(headers, d.charset), "body": tab.Field(body, "body"),
	})
}

// withCharset are the headers of an answer whose body has come, in a charset.
func withCharset(headers []any, charset string) []any {
	list, media := []any{}, "text/html"
	for _, h := range headers {
		name, _ := tab.Field(h, "name").(string)
		value, _ := tab.Field(h, "value").(string)
		switch strings.ToLower(name) {
		case "content-type":
			if declared, _, err := mime.ParseMediaType(value); err == nil {
				media = declared
			}
		case "content-encoding", "content-length", "transfer-encoding", "set-cookie": // they have been followed
		default:
			list = append(list, h)
		}
	}
	return append(list, map[string]any{"name": "Content-Type", "value": media + "; charset=" + charset})
}

// end lets go of the answers that come.
func (d *declaration) end(t *tab.Tab) {
	tab.Start(t, func() (struct{}, error) { return struct{}{}, d.session.Detach() })
}

// Declare has the next Goto read the document at an address as one in the charset, whatever its answer says; other documents stay as they
// are. The document is shown once all of its answer is there.
func (p *Page) Declare(ctx context.Context, address, charset string) (err error) {
	p.loader.declared, err = declaredIn(ctx, p.tab, address, charset)
	return err
}

// received is a body as the site sent it, from what the browser gives of it: a text it gives decoded, by the charset of the header or,
// where that names none, as windows-1252; only JSON, XML and scripts as UTF-8. What can't be undone stays as it is.
func received(contentType string, body []byte) []byte {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, params = strings.ToLower(contentType), nil
	}
	if !isText(media) || !utf8.Valid(body) || bytes.ContainsRune(body, utf8.RuneError) {
		return body
	}
	if label := params["charset"]; label != "" {
		return encoded(body, label)
	}
	if raw, ok := encodedSingly(body, charmap.Windows1252); ok && (utf8.Valid(raw) || !isStructured(media)) {
		return raw
	}
	return body
}

// isText reports the types that the browser decodes, among them no type at all.
func isText(media string) bool {
	return media == "" || strings.HasPrefix(media, "text/") || isStructured(media)
}

// isStructured reports JSON, XML and scripts.
func isStructured(media string) bool {
	for _, part := range []string{"json", "xml", "javascript", "ecmascript"} {
		if strings.Contains(media, part) {
			return true
		}
	}
	return false
}

// encoded is a text in the charset of a label; the text itself for a label that is unknown, and where the charset lacks its characters.
func encoded(text []byte, label string) []byte {
	e, err := htmlindex.Get(label)
	if err != nil {
		return text
	}
	if single, ok := e.(*charmap.Charmap); ok {
		if raw, ok := encodedSingly(text, single); ok {
			return raw
		}
		return text
	}
	raw, err := e.NewEncoder().Bytes(text)
	if err != nil {
		return text
	}
	return raw
}

// encodedSingly is a text in an encoding of single bytes. Those from 0x80 to 0x9F that stand for no character stand for controls.
func encodedSingly(text []byte, e *charmap.Charmap) ([]byte, bool) {
	raw := make([]byte, 0, len(text))
	for _, r := range string(text) {
		b, ok := e.EncodeRune(r)
		switch {
		case ok:
			raw = append(raw, b)
		case r >= 0x80 && r < 0xa0:
			raw = append(raw, byte(r))
		default:
			return nil, false
		}
	}
	return raw, true
}
