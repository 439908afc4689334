package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// stored is what is kept of an acquired page beside its bytes: what lookup decides
// on, and what the document's metadata tells. Its JSON stands in files: a field may
// be added, never changed.
type stored struct {
	Source      string   `json:"source"` // the URL that was asked for, normalised
	URL         string   `json:"url"`    // where redirects ended
	Status      int      `json:"status"`
	ContentType string   `json:"contentType,omitempty"`
	MediaType   string   `json:"mediaType,omitempty"`
	Language    string   `json:"language,omitempty"` // the header's
	By          by       `json:"by"`
	FromTree    bool     `json:"fromTree,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	Ready       string   `json:"ready,omitempty"`
	Handled     []string `json:"handled,omitempty"`
	Wall        string   `json:"wall,omitempty"`
	Static      bool     `json:"static,omitempty"` // a browser would show the same

	Tier     ProxyTier     `json:"tier,omitempty"`
	Timezone string        `json:"timezone,omitempty"`
	Verified bool          `json:"verified,omitempty"` // the certificate was
	WaitFor  time.Duration `json:"waitFor,omitempty"`
	Shot     shotKind      `json:"shot,omitempty"`

	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"lastModified,omitempty"`
	Digest       string `json:"digest"` // of all that rendering sees

	Title       string `json:"title,omitempty"` // what the page says of itself, shortened
	Description string `json:"description,omitempty"`
	File        bool   `json:"file,omitempty"` // fetched as a file, such as a sitemap, not as a page
}

// good pages are those that a later scrape may be served: a wall is not the page.
func (m *stored) good() bool { return m.Status >= 200 && m.Status < 300 && m.Wall == "" }

// describe is what is kept of the scrape's page.
func (s *scrape) describe() *stored {
	src := s.source
	title, description := src.headline()
	return &stored{
		Title: title, Description: description, File: s.plan.print == asFile,
		Source: s.plan.url, URL: src.url, Status: src.status, ContentType: src.contentType, MediaType: src.mediaType, Language: src.language,
		By: src.by, FromTree: src.fromTree, Reason: src.reason, Ready: src.ready, Handled: src.handled, Wall: src.blockedBy(), Static: src.static(),
		Tier: s.tier, Timezone: s.plan.timezone, Verified: !s.plan.skipTLS, WaitFor: s.plan.waitFor, Shot: s.taken(),
		ETag: src.etag, LastModified: src.lastModified, Digest: src.digest(),
	}
}

// static tells whether plain HTTP surely gave the page. Of one that nobody asked that
// of, it isn't sure.
func (s *source) static() bool {
	return s.by == byHTTP && (!s.isHTML() || s.signals != nil && judge(s.status, *s.signals).choice == static)
}

// taken is the kind of screenshot that the page has.
func (s *scrape) taken() shotKind {
	if len(s.source.screenshot.bytes) == 0 {
		return noShot
	}
	return s.plan.shot()
}

// restore makes a source of what was kept, without the bytes.
func (m *stored) restore() *source {
	return &source{
		by: m.By, asked: m.Source, url: m.URL, status: m.Status, contentType: m.ContentType, mediaType: m.MediaType, language: m.Language, fromTree: m.FromTree,
		reason: m.Reason, ready: m.Ready, handled: m.Handled, wall: &m.Wall, etag: m.ETag, lastModified: m.LastModified, sum: m.Digest,
	}
}

// digest identifies what rendering sees of a page.
func (s *source) digest() string {
	if s.sum == "" {
		h := sha256.New()
		fmt.Fprintf(h, "%q %q %q %t\n", s.url, s.mediaType, s.contentType, s.fromTree)
		if s.language != "" {
			fmt.Fprintf(h, "%q\n", s.language)
		}
		h.Write(s.body)
		s.sum = hex.EncodeToString(h.Sum(nil)[:16])
	}
	return s.sum
}

func (m *stored) encode() ([]byte, error) { return json.Marshal(m) }

func decodeStored(data []byte) (*stored, error) {
	m := &stored{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("description of a stored page: %w", err)
	}
	return m, nil
}

// bodyFormat is the first byte of a stored page's bytes.
const bodyFormat = 1

var errStoredBody = errors.New("the bytes of a stored page are not in a known form")

// encodeBody joins a page's bytes and its screenshot.
func encodeBody(src *source) []byte {
	out := make([]byte, 0, len(src.body)+len(src.screenshot.bytes)+len(src.screenshot.mediaType)+32)
	out = append(out, bodyFormat)
	for _, part := range [][]byte{[]byte(src.screenshot.mediaType), src.screenshot.bytes, src.body} {
		out = binary.AppendUvarint(out, uint64(len(part)))
		out = append(out, part...)
	}
	return out
}

// decodeBody gives src the bytes that encodeBody joined.
func decodeBody(data []byte, src *source) error {
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
	src.screenshot = image{mediaType: string(parts[0]), bytes: parts[1]}
	src.body = parts[2]
	return nil
}
