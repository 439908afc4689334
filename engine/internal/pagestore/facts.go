package pagestore

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
)

// Facts are what is kept of an acquired page beside its bytes: what lookup decides
// on, and what the document's metadata says. Its JSON stands in files: a field may
// be added, never changed.
type Facts struct {
	Source      string   `json:"source"` // the URL that was asked for, normalised
	URL         string   `json:"url"`    // where redirects ended
	Status      int      `json:"status"`
	ContentType string   `json:"contentType,omitempty"`
	MediaType   string   `json:"mediaType,omitempty"`
	Language    string   `json:"language,omitempty"` // the header's
	By          page.By  `json:"by"`
	FromTree    bool     `json:"fromTree,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	Confidence  float64  `json:"confidence,omitempty"`
	Ready       string   `json:"ready,omitempty"`
	Handled     []string `json:"handled,omitempty"`
	Wall        string   `json:"wall,omitempty"`
	Static      bool     `json:"static,omitempty"` // a browser would show the same
	Lacks       []string `json:"lacks,omitempty"`

	Tier     string        `json:"tier,omitempty"`
	Country  string        `json:"country,omitempty"` // where its proxy came out
	Timezone string        `json:"timezone,omitempty"`
	Verified bool          `json:"verified,omitempty"` // the certificate was
	WaitFor  time.Duration `json:"waitFor,omitempty"`
	Shot     Shot          `json:"shot,omitempty"`

	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"lastModified,omitempty"`
	Digest       string `json:"digest"` // of all that rendering sees

	Title       string `json:"title,omitempty"` // what the page says of itself, shortened
	Description string `json:"description,omitempty"`
	File        bool   `json:"file,omitempty"` // fetched as a file, such as a sitemap, not as a page
}

// good pages are those that a later scrape may be served: a wall is not the page.
func (m *Facts) good() bool { return m.Status >= 200 && m.Status < 300 && m.Wall == "" }

// IsOf reports whether a page was stored with the same status and the same of all that rendering sees.
func (m *Facts) IsOf(src *page.Page) bool {
	return m.Digest != "" && m.Status == src.Status && m.Digest == src.Digest()
}

// Vouch gives a page of the same bytes what was found out about the stored one; false: its bytes are others.
func (m *Facts) Vouch(src *page.Page) bool {
	if !m.IsOf(src) {
		return false
	}
	src.Reason, src.Confidence, src.Lacks, src.Wall = m.Reason, m.Confidence, m.Lacks, &m.Wall
	return true
}

// restore makes a source of what was kept, without the bytes.
func (m *Facts) restore() *page.Page {
	return &page.Page{
		By: m.By, Requested: m.Source, URL: m.URL, Status: m.Status,
		ContentType: m.ContentType, MediaType: m.MediaType, Language: m.Language, FromTree: m.FromTree,
		Reason: m.Reason, Confidence: m.Confidence, Lacks: m.Lacks,
		Ready: m.Ready, Handled: m.Handled, Wall: &m.Wall, ETag: m.ETag, LastModified: m.LastModified, Sum: m.Digest,
	}
}

func (m *Facts) encode() ([]byte, error) { return json.Marshal(m) }

func decodeStored(data []byte) (*Facts, error) {
	m := &Facts{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("description of a stored page: %w", err)
	}
	return m, nil
}

// bodyFormat is the first byte of a stored page's bytes.
const bodyFormat = 1

var errStoredBody = errors.New("the bytes of a stored page are not in a known form")

// encodeBody joins a page's bytes and its screenshot.
func encodeBody(src *page.Page) []byte {
	out := make([]byte, 0, len(src.Body)+len(src.Screenshot.Bytes)+len(src.Screenshot.MediaType)+32)
	out = append(out, bodyFormat)
	for _, part := range [][]byte{[]byte(src.Screenshot.MediaType), src.Screenshot.Bytes, src.Body} {
		out = binary.AppendUvarint(out, uint64(len(part)))
		out = append(out, part...)
	}
	return out
}

// decodeBody gives src the bytes that encodeBody joined.
func decodeBody(data []byte, src *page.Page) error {
	if len(data) == 0 || data[0] != bodyFormat {
		return errStoredBody
	}
	rest := data[1:]
	var parts [3][]byte
	for i := range parts {
		n, width := binary.Uvarint(rest)
		if width <= 0 || n > uint64(len(rest)-width) {
			return errStoredBody
		}
		parts[i], rest = rest[width:width+int(n)], rest[width+int(n):]
	}
	if len(rest) != 0 {
		return errStoredBody
	}
	src.Screenshot = page.Image{MediaType: string(parts[0]), Bytes: parts[1]}
	src.Body = parts[2]
	return nil
}

// listable leaves out sitemaps and feeds, packed ones too, and robots.txt.
func (m *Facts) listable() bool {
	if m.File || page.IsHTML(m.MediaType) {
		return !m.File
	}
	return !strings.Contains(m.MediaType, "xml") && m.MediaType != "application/gzip" && !strings.HasSuffix(m.URL, "/robots.txt")
}
