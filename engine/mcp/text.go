package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats/tokens"
)

func bound(text string) int { return tokens.Bound(text) }

// document adds what a call wants of a document. id reads on in it; "": only the address does.
func (r *result) document(doc *engine.Document, id string, w want) error {
	m := doc.Metadata
	again := fmt.Sprintf(`read {"id": %q`, id)
	if id == "" {
		again = fmt.Sprintf(`read {"url": %q`, m.SourceURL)
	}
	r.head(doc, id)
	r.picture(doc.Screenshot)
	return r.reading("page", textOf(doc), m.Language, again, w)
}

// head says in the server's words what a document is.
func (r *result) head(doc *engine.Document, id string) {
	m := doc.Metadata
	address := m.URL
	if address == "" {
		address = m.SourceURL
	}
	r.line("document %s %q, status %d%s", id, cut(address, maxAddress), m.StatusCode, pagesOf(m))
	switch {
	case m.BlockedBy != "":
		r.line("It shows a wall (%s) instead of its content: use another source, or a session with a profile that is logged in.", quoted(m.BlockedBy))
	case m.StatusCode >= 400:
		r.line("The site answers with an error: check the address, or map the site.")
	}
	if doc.Warning != "" {
		r.line("warning: %s", quoted(doc.Warning))
	}
}

// maxAddress bounds what is repeated of an address, in bytes.
const maxAddress = 2000

func pagesOf(m engine.Metadata) string {
	if m.TotalPages == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of %d pages", m.NumPages, m.TotalPages)
}

// maxPicture bounds pictures in results, in bytes.
const maxPicture = 2 << 20

// picture adds a screenshot, which is a data URI or the name of a file.
func (r *result) picture(shot string) {
	kind, data, ok := strings.Cut(strings.TrimPrefix(shot, "data:"), ";base64,")
	switch raw, err := base64.StdEncoding.DecodeString(data); {
	case shot == "":
	case !ok || err != nil:
		r.line("screenshot: the file %q of the server", shot)
	case len(raw) > maxPicture:
		r.line("screenshot: left out, it has %d bytes; call again with a smaller viewport", len(raw))
	default:
		r.more = append(r.more, &sdk.ImageContent{Data: raw, MIMEType: kind})
	}
}

// textOf is a document as text: its markdown, and all other formats below it. It is the same each time.
func textOf(doc *engine.Document) string {
	others := othersOf(doc)
	if len(others) == 0 {
		return doc.Markdown
	}
	var b strings.Builder
	if doc.Metadata.Title != "" && doc.Markdown == "" {
		b.WriteString(doc.Metadata.Title + "\n\n")
	}
	if doc.Markdown != "" {
		b.WriteString(strings.TrimRight(doc.Markdown, "\n") + "\n\n")
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		b.WriteString("# " + name + "\n\n" + asText(others[name]) + "\n\n")
	}
	return b.String()
}

// othersOf are the formats beside markdown and screenshots, by name.
func othersOf(doc *engine.Document) map[string]json.RawMessage {
	rest := *doc
	rest.Markdown, rest.Screenshot, rest.Warning, rest.Window, rest.Metadata = "", "", "", nil, engine.Metadata{}
	data, err := json.Marshal(rest)
	others := map[string]json.RawMessage{}
	if err != nil || json.Unmarshal(data, &others) != nil {
		return nil
	}
	delete(others, "metadata")
	return others
}

// asText is a string as it is, and anything else as indented JSON in a block of code, without what long data URIs hold.
func asText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return shortened(text)
	}
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return string(raw)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if e.Encode(scrubbed(value)) != nil {
		return string(raw)
	}
	return "```json\n" + out.String() + "```"
}

func scrubbed(value any) any {
	switch v := value.(type) {
	case string:
		return shortened(v)
	case []any:
		for i := range v {
			v[i] = scrubbed(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = scrubbed(v[name])
		}
	}
	return value
}

// maxDataURI is from how many bytes on a data URI is left out.
const maxDataURI = 200

func shortened(text string) string {
	if !strings.HasPrefix(text, "data:") || len(text) < maxDataURI {
		return text
	}
	kind, _, _ := strings.Cut(strings.TrimPrefix(text, "data:"), ",")
	return fmt.Sprintf("(%d bytes of %s)", len(text), kind)
}
