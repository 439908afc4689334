package engine

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/passages"
	"github.com/winnow-go/winnow/formats/product"
	"github.com/winnow-go/winnow/formats/window"
)

// Document is what a scrape gives: the asked formats, metadata, and a warning
// where something asked could not be had. Its JSON is the service's; what was not
// asked is absent. It round-trips through JSON.
type Document struct {
	Markdown string `json:"markdown,omitempty"`
	Summary  string `json:"summary,omitempty"`
	// Pages and Blocks of a PDF, where its parser was asked for them.
	Pages     []PageMarkdown `json:"pages,omitempty"`
	Blocks    []PageBlocks   `json:"blocks,omitempty"`
	HTML      string         `json:"html,omitempty"`
	RawHTML   string         `json:"rawHtml,omitempty"`
	RawBase64 string         `json:"rawBase64,omitempty"`
	// Links and Images are empty, not nil, when they were asked for and the page has none.
	Links  []string `json:"links,omitzero"`
	Images []string `json:"images,omitzero"`
	Audio  string   `json:"audio,omitempty"`
	Video  string   `json:"video,omitempty"`
	// Videos are all that the page has, the best sources first, when video was asked for.
	Videos     []formats.Medium `json:"videos,omitempty"`
	Answer     string           `json:"answer,omitempty"`
	Highlights string           `json:"highlights,omitempty"`
	// Screenshot is a data URI, or the path of a file where [Options.AssetDir] is set.
	Screenshot string `json:"screenshot,omitempty"`
	// JSON is null, with a warning, when nothing was found in the page.
	JSON json.RawMessage `json:"json,omitempty"`
	// Evidence are the quotes that the values of JSON come from, where they were asked for, by
	// JSON Pointer (RFC 6901). A value that no quote bears out is null, with a warning.
	Evidence   map[string]string   `json:"evidence,omitempty"`
	Attributes []formats.Attribute `json:"attributes,omitempty"`
	// Product and Menu are nil when the page has none, with a warning.
	Product *product.Product `json:"product,omitempty"`
	Menu    *menu.Menu       `json:"menu,omitempty"`
	Actions *actions.Output  `json:"actions,omitempty"`
	// Passages are the pieces of the markdown, whether that was asked for or not, where the format passages was. It is empty, not nil,
	// when there are none.
	Passages []passages.Passage `json:"passages,omitzero"`
	// Window says which part of the page's markdown Markdown is, where [ScrapeOptions.Budget] bounds it. Nil: the whole.
	Window *window.Window `json:"window,omitempty"`
	// LeftOut is what onlyMainContent has left out, by kind, most words first, where [ScrapeOptions.LeftOut] asked for it. Each word
	// of the page that the main content hasn't is in one entry. It is empty, not nil, when there is none, and for files.
	LeftOut []formats.LeftOut `json:"leftOut,omitzero"`
	// Warning joins all soft failures into one text.
	Warning        string          `json:"warning,omitempty"`
	ChangeTracking *ChangeTracking `json:"changeTracking,omitempty"`
	Branding       *formats.Brand  `json:"branding,omitempty"`
	Metadata       Metadata        `json:"metadata"`
}

// ChangeTracking compares a page with its last stored version.
type ChangeTracking struct {
	// PreviousScrapeAt is nil when there was none.
	PreviousScrapeAt *time.Time `json:"previousScrapeAt"`
	// ChangeStatus is "new", "same", "changed" or "removed".
	ChangeStatus string `json:"changeStatus"`
	// Visibility is "visible", or "hidden" for a page that an earlier crawl of the engine was
	// led to and the newest whole crawl whose scope covers it was not. A crawl is whole that
	// followed all links: neither its limit nor a discovery depth kept it from some.
	Visibility string `json:"visibility"`
	// Diff is a unified diff, in git-diff mode and only when something changed.
	Diff string `json:"diff,omitempty"`
	// JSON is the comparison by fields in json mode, else the parsed diff.
	JSON json.RawMessage `json:"json,omitempty"`
}

// The words of [ChangeTracking.Visibility].
const (
	visible = "visible"
	hidden  = "hidden"
)

// documentOf makes a document of its own from what others share.
func documentOf(m *render.Output) *Document {
	out := m.Output
	doc := &Document{
		Markdown:  out.Markdown,
		HTML:      out.HTML,
		RawHTML:   out.RawHTML,
		RawBase64: out.RawBase64,
		Links:     slices.Clone(out.Links),
		Images:    slices.Clone(out.Images),
		Videos:    slices.Clone(out.Video),
		LeftOut:   slices.Clone(out.LeftOut),
		Product:   out.Product.Clone(),
		Menu:      out.Menu.Clone(),
	}
	for _, p := range m.Pages {
		doc.Pages = append(doc.Pages, PageMarkdown(p))
	}
	for _, b := range m.Blocks {
		doc.Blocks = append(doc.Blocks, blocksOf(b))
	}
	for _, a := range out.Attributes {
		a.Values = slices.Clone(a.Values)
		doc.Attributes = append(doc.Attributes, a)
	}
	meta := out.Metadata
	meta.OGLocaleAlternate, meta.Author, meta.Feeds = slices.Clone(meta.OGLocaleAlternate), slices.Clone(meta.Author), slices.Clone(meta.Feeds)
	meta.Extra = maps.Clone(meta.Extra)
	for name, values := range meta.Extra {
		meta.Extra[name] = slices.Clone(values)
	}
	if meta.ContentConfidence != nil {
		meta.ContentConfidence = new(*meta.ContentConfidence)
	}
	doc.Metadata.Metadata = meta
	return doc
}

func blocksOf(b render.PageBlocks) PageBlocks {
	list := PageBlocks{PageNumber: b.PageNumber, Width: b.Width, Height: b.Height, Status: b.Status, Items: make([]PageBlock, len(b.Items))}
	for i, item := range b.Items {
		if item.MarkdownSpan != nil {
			item.MarkdownSpan = new(*item.MarkdownSpan)
		}
		list.Items[i] = PageBlock{
			ID: item.ID, Type: item.Type, Label: item.Label, BBox: item.BBox, Content: item.Content, MarkdownSpan: item.MarkdownSpan,
			ReadingOrder: item.ReadingOrder, Source: item.Source, Confidence: BlockConfidence(item.Confidence),
		}
	}
	return list
}
