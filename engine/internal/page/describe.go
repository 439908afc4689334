package page

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/formats"
)

// Static reports whether plain HTTP surely gave the page; false where that was not judged.
func (p *Page) Static() bool { return p.By == ByHTTP && (!p.IsHTML() || p.static) }

// Digest identifies what rendering sees of the page.
func (p *Page) Digest() string {
	if p.Sum == "" {
		h := sha256.New()
		fmt.Fprintf(h, "%q %q %q %t\n", p.URL, p.MediaType, p.ContentType, p.FromTree)
		if p.Language != "" {
			fmt.Fprintf(h, "%q\n", p.Language)
		}
		h.Write(p.Body)
		p.Sum = hex.EncodeToString(h.Sum(nil)[:16])
	}
	return p.Sum
}

// Bounds of a headline, in bytes.
const (
	maxTitle       = 300
	maxDescription = 1000
)

// Headline is the title and the description of a page that has been parsed, shortened.
func (p *Page) Headline() (title, description string) {
	if p.DOM == nil || !p.IsHTML() {
		return "", ""
	}
	out, err := p.DOM.Render(context.Background(), formats.Options{})
	if err != nil {
		return "", ""
	}
	meta := out.Metadata
	return clip.Bytes(cmp.Or(meta.Title, meta.OGTitle), maxTitle), clip.Bytes(cmp.Or(meta.Description, meta.OGDescription), maxDescription)
}

// Refusal is why a page that came is requested again.
func (p *Page) Refusal() error {
	if p.Damage != nil {
		return p.Damage
	}
	return fmt.Errorf("status %d", p.Status)
}
