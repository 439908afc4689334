package judge

import (
	"context"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// Frame is a document inside of a page that is content: a browser would show it, and plain HTTP leaves it out.
type Frame struct {
	Name    string // its address, else "#id" or its element
	Foreign bool   // of another site, in a page of few words: it may be a widget that is not known
}

// fewFrameWords is what a document in the page's own markup has to say to be content.
const fewFrameWords = 10

// Frames are the names of the frames of a page at an address whose documents are content, and are not in its tree.
func Frames(ctx context.Context, d *formats.DOM, url string) ([]string, error) {
	frames, err := d.Frames(ctx)
	if err != nil || len(frames) == 0 {
		return nil, err
	}
	signals, err := d.Signals(ctx)
	return frameNames(Sources{Page: url}.content(frames, signals.TextWords), false), err
}

// content keeps the frames whose documents are content of a page with so many words: those of a frameset, and those of its own site, or in
// its own markup, that stand in its main content or beside little else.
func (s Sources) content(frames []formats.Frame, words int) (list []Frame) {
	for _, f := range frames {
		foreign := f.Src != "" && !s.isOfSite(f.Src)
		switch {
		case f.Src != "" && s.isPage(f.Src), f.Src == "" && f.Words < fewFrameWords:
		case f.Set:
			list = append(list, Frame{Name: f.Name})
		case foreign && words < fewWords && !s.isKnown(f.Src):
			list = append(list, Frame{Name: f.Name, Foreign: true})
		case !foreign && (f.InMain || words < someWords):
			list = append(list, Frame{Name: f.Name})
		}
	}
	return list
}

// isPage reports the address of the page itself, whatever fragment it has.
func (s Sources) isPage(url string) bool {
	url, _, _ = strings.Cut(url, "#")
	page, _, _ := strings.Cut(s.Page, "#")
	return weburl.Key(url) == weburl.Key(page)
}

// frameNames are the names of the frames of other sites, or of the others.
func frameNames(frames []Frame, foreign bool) (names []string) {
	for _, f := range frames {
		if f.Foreign == foreign {
			names = append(names, f.Name)
		}
	}
	return names
}

// OwnFrames are the names of the frames whose documents are surely content.
func (e Evidence) OwnFrames() []string { return frameNames(e.Frames, false) }

// Verbed says in words how many frames there are, and names the first: "1 frame (https://a.example/part) is"; "" for none.
func Verbed(frames []string) string { return verbed(frames, "frame") }
