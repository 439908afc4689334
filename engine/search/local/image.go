package local

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"

	"github.com/winnow-go/winnow/engine/search"
)

// The fields that only the documents of images have. The names differ from those of pages, so that neither counts in
// the other's scores.
const (
	inImage        = "image.title"   // alt and tooltip
	inCaption      = "image.caption" // of its figure
	inNear         = "image.near"    // the heading before it
	inImageURL     = "image.url"     // the file's name
	inImageStems   = "image.stems"   // of all but the name, by the page's language
	byImageAddress = "image.address" // a digest
	byImageArea    = "image.area"    // as the page shows it; 0 where the page doesn't say
)

// maxImageText is the maximum length of each text of an image, in bytes.
const maxImageText = 500

// newImages returns the documents of a page's images, each address once.
func newImages(key string, p *search.Page, plain, folded analysis.Analyzer) (list []*document.Document, err error) {
	known := map[string]bool{}
	for _, i := range p.Images[:min(len(p.Images), search.MaxImages)] {
		i = shortened(i)
		if known[i.URL] || !isPicture(i) {
			continue
		}
		known[i.URL] = true
		d, err := newImage(imageID(key, len(list)), key, p, i, plain, folded)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

func shortened(i search.PageImage) search.PageImage {
	for _, text := range []*string{&i.Alt, &i.Title, &i.Caption, &i.Heading} {
		*text = oneLine(*text, maxImageText)
	}
	return i
}

// isPicture reports an image that can be found and shown; a pixel is there to be counted.
func isPicture(i search.PageImage) bool {
	web := strings.HasPrefix(i.URL, "http://") || strings.HasPrefix(i.URL, "https://")
	return web && len(i.URL) <= maxShort && i.Width != 1 && i.Height != 1 && i.Alt+i.Title+i.Caption+i.Heading != ""
}

func newImage(id, key string, p *search.Page, i search.PageImage, plain, folded analysis.Analyzer) (*document.Document, error) {
	d := fieldsOf{document.NewDocument(id)}
	d.text(inImage, join(i.Alt, i.Title), searchable, folded)
	d.text(inCaption, i.Caption, searchable, folded)
	d.text(inNear, i.Heading, searchable, folded)
	d.text(inImageURL, urlText("file://"+fileName(i.URL)), countable, folded)
	all := join(i.Alt, i.Title, i.Caption, i.Heading)
	d.text(inImageStems, all, countable, stemmed(p.Language))
	d.text(byImageAddress, digest(i.URL), sortable, plain)
	d.AddField(document.NewNumericFieldWithIndexingOptions(byImageArea, nil, float64(i.Width)*float64(i.Height), sortable))
	d.text(byPage, key, exact, plain)
	d.text(bySource, string(search.Images), sortable, plain)
	date := dateOf(p)
	d.common(p, date, plain)
	return d.Document, d.show(shown{
		URL: p.URL, Title: cmp.Or(i.Alt, i.Title, i.Caption, i.Heading), Text: all,
		Language: p.Language, Image: i.URL, Width: i.Width, Height: i.Height, Date: date,
	})
}

// imageMark begins the ids of images. Keys of pages are URLs.
const imageMark = "\x01"

// imageID is the id of the n-th image of a page.
func imageID(key string, n int) string { return fmt.Sprintf("%s%03d%s", imageMark, n, key) }

// pageOf is the key of the page that a document is of.
func pageOf(id string, source search.Source) string {
	mark := 0
	switch source {
	case search.Images:
		mark = len(imageID("", 0))
	case inPages:
		mark = len(passageID("", 0))
	}
	return id[min(mark, len(id)):]
}

func fileName(href string) string {
	href, _, _ = strings.Cut(href, "?")
	return path.Base(href)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
