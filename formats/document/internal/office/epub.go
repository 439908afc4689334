package office

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/office/charsets"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// EPUB reads a book: the chapters in the order of its spine. Tables of contents made for navigation and the spine's
// non-linear parts are left out.
func EPUB(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	p, err := openPack(body, j.o.Limits)
	if err != nil {
		return nil, err
	}
	b := &book{pack: p, job: j}
	if err := b.open(); err != nil {
		return nil, asDamaged(err)
	}
	return j.finish(b.chapters())
}

// book is an EPUB being read.
type book struct {
	*pack
	job   *job
	dir   string                  // of the package document
	items map[string]manifestItem // by id
	spine []string                // ids
}

type manifestItem struct {
	href, media string
	nav         bool
}

// open finds and reads the package document.
func (b *book) open() error {
	container, err := b.tree("META-INF/container.xml")
	if err != nil {
		return err
	}
	name := container.Find("container:rootfiles", "container:rootfile").Attr("full-path")
	root, err := b.tree(name)
	if err != nil {
		return err
	}
	if root.Name != "opf:package" {
		return errNoPart
	}
	b.dir = path.Dir(name)
	b.job.doc.Meta = bookMeta(root.Find("opf:metadata"))
	b.items = map[string]manifestItem{}
	for _, n := range orEmpty(root.Find("opf:manifest")).Kids {
		if n.Name == "opf:item" {
			b.items[n.Attr("id")] = manifestItem{n.Attr("href"), n.Attr("media-type"), strings.Contains(" "+n.Attr("properties")+" ", " nav ")}
		}
	}
	for _, n := range orEmpty(root.Find("opf:spine")).Kids {
		if n.Name == "opf:itemref" && n.Attr("linear") != "no" {
			b.spine = append(b.spine, n.Attr("idref"))
		}
	}
	return nil
}

func (b *book) tree(name string) (*xmltree.Node, error) {
	return (&opc{b.pack, b.job}).tree(name)
}

// chapters writes the chapters. One that is missing is passed over with a warning.
func (b *book) chapters() error {
	locked, err := b.locked()
	if err != nil {
		return err
	}
	written := 0
	for i, id := range b.spine {
		if err := b.job.ctx.Err(); err != nil {
			return err
		}
		if i == b.job.o.Limits.Pages || b.job.out.Full() {
			b.job.doc.Warn("The book has more chapters than the limit; the rest was left out.")
			return nil
		}
		item, ok := b.items[id]
		name := resolvePart(b.dir, unescape(item.href))
		switch {
		case !ok || item.nav || !isXHTML(item.media):
			continue
		case locked[partKey(name)]:
			return ErrEncrypted
		}
		data, err := b.read(name)
		if err != nil && !partial(err) {
			return err
		}
		if err != nil {
			b.job.doc.Warn("A chapter of the book is missing.")
			continue
		}
		b.job.out.Foreign(bodyOf(data), flow.Links{Anchor: b.anchors(name), Picture: b.pictures(name, locked)})
		written++
	}
	if written == 0 {
		return errors.New("the book has no chapters")
	}
	return nil
}

// anchors gives places in chapters names that no two chapters share.
func (b *book) anchors(chapter string) func(ref string) string {
	return func(ref string) string {
		file, id, _ := strings.Cut(ref, "#")
		if id == "" || strings.Contains(file, ":") {
			return ""
		}
		target := chapter
		if file != "" {
			target = resolvePart(path.Dir(chapter), unescape(file))
		}
		return strings.NewReplacer("/", "-", " ", "-").Replace(target) + "-" + id
	}
}

// pictures gives the addresses of the pictures in a chapter; nil where none are kept.
func (b *book) pictures(chapter string, locked map[string]bool) func(src string) string {
	if !b.job.images.Wanted() {
		return nil
	}
	return func(src string) string {
		src, _, _ = strings.Cut(src, "#")
		if src == "" || strings.Contains(src, ":") {
			return ""
		}
		name := resolvePart(path.Dir(chapter), unescape(src))
		return b.job.images.Address(name, func(most int64) ([]byte, error) {
			if locked[partKey(name)] {
				return nil, ErrEncrypted
			}
			return b.picture(name, most)
		})
	}
}

func isXHTML(media string) bool {
	return media == "application/xhtml+xml" || media == "text/html" || media == "text/x-oeb1-document" || media == ""
}

// locked are the parts that are encrypted. Fonts that are only made unreadable are no chapters and don't matter.
func (b *book) locked() (map[string]bool, error) {
	root, err := b.tree("META-INF/encryption.xml")
	parts := map[string]bool{}
	root.All(func(n *xmltree.Node) { parts[partKey(unescape(n.Attr("URI")))] = true }, "enc:CipherReference")
	return parts, err
}

func unescape(href string) string {
	if plain, err := url.PathUnescape(href); err == nil {
		return plain
	}
	return href
}

// bodyOf is the content of a chapter's body element.
func bodyOf(data []byte) []byte {
	data = charsets.Markup(data)
	z := html.NewTokenizer(strings.NewReader(string(data)))
	at := 0
	for {
		kind := z.Next()
		at += len(z.Raw())
		if kind == html.ErrorToken {
			return data
		}
		if name, _ := z.TagName(); kind == html.StartTagToken && string(name) == "body" {
			return data[at:]
		}
	}
}
