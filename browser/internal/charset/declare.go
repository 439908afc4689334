// Package charset has a document read in a charset that its answer doesn't name, and gives a text back as the site sent it. It may change
// without notice.
//
//	declare.go   Declare: the next answer of an address, with a charset
//	sent.go      Sent: the bytes of a text that the browser has decoded
package charset

import (
	"context"
	"mime"
	"strings"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Declaration has the browser read one document as if its answer named a charset. The answer is held until it is whole, and given to the
// browser with another header: of an answer that goes on, another header changes nothing.
type Declaration struct {
	session playwright.CDPSession // its own: what is intercepted for the caller's headers stays as it is
	charset string
}

// Declare makes a session that adds the charset to the answer of the document at an address. The caller ends it.
func Declare(ctx context.Context, t *tab.Tab, address, charset string) (*Declaration, error) {
	session, err := tab.Do(ctx, t, "declare a charset", func() (playwright.CDPSession, error) {
		return t.Page.Context().NewCDPSession(t.Page)
	})
	if err != nil {
		return nil, err
	}
	d := &Declaration{session, charset}
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
func (d *Declaration) answer(params map[string]any) (any, error) {
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

// End lets go of the answers that come.
func (d *Declaration) End(t *tab.Tab) {
	tab.Start(t, func() (struct{}, error) { return struct{}{}, d.session.Detach() })
}
