package formats

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Medium is a sound or moving picture that a page holds or names.
type Medium struct {
	// URL is its absolute address: a file, a stream's playlist, or the page of a player.
	URL string `json:"url"`
	// SourceURL is the page that it was found on.
	SourceURL string `json:"sourceURL,omitempty"`
	// Source is where on the page: "element", "opengraph", "json-ld", "twitter", "link" or "feed".
	Source string `json:"source,omitempty"`
	// Kind is "file", "stream" or "embed" (a player's page).
	Kind string `json:"kind,omitempty"`
	// Provider is the host that serves it.
	Provider    string `json:"provider,omitempty"`
	Title       string `json:"title,omitempty"`
	Thumbnail   string `json:"thumbnail,omitempty"` // absolute
	Description string `json:"description,omitempty"`
	Duration    string `json:"duration,omitempty"` // as the page spells it, mostly ISO 8601
	MimeType    string `json:"mimeType,omitempty"`
	Width       int    `json:"width,omitempty"`  // pixels
	Height      int    `json:"height,omitempty"` // pixels
}

// maxMedia bounds how many media of one kind are returned.
const maxMedia = 100

// The kinds of media.
const (
	mediumFile   = "file"
	mediumStream = "stream"
	mediumEmbed  = "embed"
)

// mediaTypes says by a file's extension what it is.
var mediaTypes = map[string]string{
	".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".m4b": "audio/mp4", ".aac": "audio/aac", ".oga": "audio/ogg", ".ogg": "audio/ogg", ".opus": "audio/ogg",
	".wav": "audio/wav", ".flac": "audio/flac", ".weba": "audio/webm",
	".mp4": "video/mp4", ".m4v": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg", ".mov": "video/quicktime", ".mkv": "video/x-matroska",
	".m3u8": "application/vnd.apple.mpegurl", ".mpd": "application/dash+xml",
}

// IsMedia reports whether a media type is that of a sound or a moving picture.
func IsMedia(mediaType string) bool {
	return strings.HasPrefix(mediaType, "audio/") || strings.HasPrefix(mediaType, "video/")
}

// mediaFinder collects the media of a page, the best sources first.
type mediaFinder struct {
	dom          *DOM
	audio, video []Medium
	metas, links []*html.Node // a and link elements alike
}

// media are the sounds and moving pictures of the whole page, in the order of how surely they are meant: elements, what the page says
// of itself in JSON-LD and meta elements, links to files.
func (d *DOM) media() (audio, video []Medium) {
	f := &mediaFinder{dom: d}
	f.read(d.doc, 0)
	f.addLinked()
	f.addMeta(f.metas)
	for _, n := range f.links {
		f.addLink(n)
	}
	return f.audio, f.video
}

// maxNestedMedia is how many players and links may stand in one another. What they name is looked for in all that they hold, so the
// sources of the inner ones are not lost.
const maxNestedMedia = 4

// read goes through what is below n; around are the players and links around it.
func (f *mediaFinder) read(n *html.Node, around int) {
	for c := range n.ChildNodes() {
		f.dom.steps.Visit()
		inside := around
		switch c.DataAtom {
		case atom.Audio, atom.Video:
			if inside++; inside <= maxNestedMedia {
				f.addElement(c)
			}
		case atom.A:
			if inside++; inside <= maxNestedMedia {
				f.links = append(f.links, c)
			}
		case atom.Meta:
			f.metas = append(f.metas, c)
		case atom.Link:
			f.links = append(f.links, c)
		}
		f.read(c, inside)
	}
}

// add keeps a medium whose address is new, with the kind of its type; isVideo decides where there is no other evidence.
func (f *mediaFinder) add(m Medium, isVideo bool) {
	if m.URL = f.dom.absolute(strings.TrimSpace(m.URL)); !isWeb(m.URL) {
		return
	}
	known := mediaTypes[extensionOf(m.URL)]
	if m.MimeType == "" {
		m.MimeType = known
	}
	switch {
	case strings.HasPrefix(m.MimeType, "audio/"):
		isVideo = false
	case strings.HasPrefix(m.MimeType, "video/"):
		isVideo = true
	}
	m.SourceURL, m.Provider = f.dom.src.URL, hostOf(m.URL)
	if m.Kind == "" {
		m.Kind = kindOfMedium(m.MimeType)
	}
	if m.Thumbnail != "" {
		m.Thumbnail = f.dom.absolute(m.Thumbnail)
	}
	list := &f.audio
	if isVideo {
		list = &f.video
	}
	if i := slices.IndexFunc(*list, func(have Medium) bool { return have.URL == m.URL }); i >= 0 {
		(*list)[i].fill(m)
	} else if len(*list) < maxMedia {
		*list = append(*list, m)
	}
}

// fill takes over what a second source knows better.
func (m *Medium) fill(other Medium) {
	for _, field := range []struct{ own, other *string }{
		{&m.Title, &other.Title}, {&m.Thumbnail, &other.Thumbnail}, {&m.Description, &other.Description}, {&m.Duration,
			&other.Duration}, {&m.MimeType, &other.MimeType},
	} {
		if *field.own == "" {
			*field.own = *field.other
		}
	}
	if m.Width == 0 {
		m.Width, m.Height = other.Width, other.Height
	}
}

func kindOfMedium(mediaType string) string {
	switch {
	case strings.Contains(mediaType, "mpegurl") || strings.Contains(mediaType, "dash+xml"):
		return mediumStream
	case mediaType == "text/html" || mediaType == "application/x-shockwave-flash":
		return mediumEmbed
	}
	return mediumFile
}

func extensionOf(href string) string {
	href, _, _ = strings.Cut(href, "#")
	href, _, _ = strings.Cut(href, "?")
	return strings.ToLower(path.Ext(href))
}

func hostOf(href string) string {
	_, rest, _ := strings.Cut(href, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// addElement reads an audio or video element and its sources.
func (f *mediaFinder) addElement(n *html.Node) {
	m := Medium{Source: "element", Title: nodes.Fold(orElse(nodes.Attr(n, "title"), nodes.Attr(n, "aria-label"))), Thumbnail: nodes.Attr(n, "poster"), Width: pixels(nodes.Attr(n, "width")), Height: pixels(nodes.Attr(n, "height"))}
	add := func(src, mediaType string) {
		if src != "" {
			m.URL, m.MimeType = src, plainType(mediaType)
			f.add(m, n.DataAtom == atom.Video)
		}
	}
	add(orElse(nodes.Attr(n, "src"), nodes.Attr(n, "data-src")), nodes.Attr(n, "type"))
	for s := range nodes.All(f.dom.steps, n) {
		if s.DataAtom == atom.Source {
			add(orElse(nodes.Attr(s, "src"), nodes.Attr(s, "data-src")), nodes.Attr(s, "type"))
		}
	}
}

func plainType(mediaType string) string {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(mediaType))
}

func orElse(s, other string) string {
	if strings.TrimSpace(s) != "" {
		return s
	}
	return other
}

func pixels(s string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), "px"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// addMeta reads the structured properties og:audio and og:video (ogp.me), of which each new address
// begins another medium, and twitter:player:stream.
func (f *mediaFinder) addMeta(metas []*html.Node) {
	var g openGraph
	for _, n := range metas {
		key, value := strings.ToLower(metaKey(n)), strings.TrimSpace(nodes.Attr(n, "content"))
		if key == "twitter:player:stream" {
			f.add(Medium{URL: value, Source: "twitter"}, true)
		}
		rest, ok := strings.CutPrefix(key, "og:")
		kind, property, _ := strings.Cut(rest, ":")
		if !ok || value == "" || kind != "audio" && kind != "video" {
			continue
		}
		if property == "" || property == "url" && (kind != g.kind || g.URL != value) {
			g.flush(f)
			g = openGraph{kind: kind, Medium: Medium{URL: value, Source: "opengraph"}}
		} else if kind == g.kind {
			g.set(property, value)
		}
	}
	g.flush(f)
}

// openGraph is the medium whose properties are being read.
type openGraph struct {
	Medium
	kind string // "audio" or "video"; "" for none
}

func (g *openGraph) flush(f *mediaFinder) {
	if g.kind != "" {
		f.add(g.Medium, g.kind == "video")
	}
}

func (g *openGraph) set(property, value string) {
	switch property {
	case "secure_url":
		g.URL = value
	case "type":
		g.MimeType = plainType(value)
	case "width":
		g.Width = pixels(value)
	case "height":
		g.Height = pixels(value)
	case "duration":
		g.Duration = value
	}
}

// addLink takes links to files, and those that are marked as enclosures.
func (f *mediaFinder) addLink(n *html.Node) {
	href, mediaType := nodes.Attr(n, "href"), plainType(nodes.Attr(n, "type"))
	if !IsMedia(mediaType) {
		mediaType = mediaTypes[extensionOf(href)]
	}
	if !IsMedia(mediaType) || n.DataAtom == atom.Link && !hasToken(strings.ToLower(nodes.Attr(n, "rel")), "enclosure") {
		return
	}
	title := nodes.Attr(n, "title")
	if title == "" && n.DataAtom == atom.A {
		tree := content.NewTree(f.dom.steps, n)
		title = tree.Text(tree.NewMask())
	}
	f.add(Medium{URL: href, Source: "link", MimeType: mediaType, Title: nodes.Fold(title)}, false)
}

// Best returns the medium to prefer: a file, else a stream, else a player's page; nil for an empty list.
func Best(list []Medium) *Medium {
	for _, kind := range []string{mediumFile, mediumStream, mediumEmbed} {
		for i := range list {
			if list[i].Kind == kind {
				return &list[i]
			}
		}
	}
	return nil
}
