package since

import "github.com/winnow-go/winnow/crawl"

// Host is what has come of a host's words on its pages.
type Host struct {
	// Liars is in which run a page had changed under the validators that it had before; 0: none has. Since then all pages of the host are
	// fetched whole.
	Liars int `json:"liars,omitempty"`
	// Stale is in which run a page had changed although its sitemap had the time of before; 0: none has.
	Stale int `json:"stale,omitempty"`
	// Held is how often a page was as before where its sitemap had the time of before, Moved how often it had changed where that was
	// another.
	Held  int `json:"held,omitempty"`
	Moved int `json:"moved,omitempty"`
}

// enoughHeld is how often sitemaps must have been right before they are believed.
const enoughHeld = 10

// Dated reports whether a page need not be asked whose sitemap has the time of before: as far as it was looked at, sitemaps named all
// changes, one at least, and they were looked at often enough.
func (h Host) Dated() bool { return h.Stale == 0 && h.Moved > 0 && h.Held >= enoughHeld }

// Honest reports whether validators may vouch for pages of the host.
func (h Host) Honest() bool { return h.Liars == 0 }

// Host returns what is known of a host.
func (b *Book) Host(name string) (h Host, err error) {
	err = b.db.View(func(tx crawl.Tx) error {
		h = b.hostIn(tx, name)
		return nil
	})
	return h, err
}

func (b *Book) hostIn(tx crawl.Tx, name string) (h Host) {
	get(tx, bucketHosts, b.row(hash(name)), &h)
	return h
}

// Word is what a host said of one page that came whole, or that a validator vouched for.
type Word struct {
	// Changed: the page is another.
	Changed bool
	// Vouched: it has the validators of before.
	Vouched bool
	// Dated: its sitemap has the time of before; Redated: another one.
	Dated, Redated bool
}

// Heard takes in a host's word, in the transaction in which its page ends.
func (b *Book) Heard(tx crawl.Tx, name string, w Word) error {
	before := b.hostIn(tx, name)
	h := before
	if w.Changed && w.Vouched && h.Liars == 0 {
		h.Liars = b.run
	}
	switch {
	case w.Changed && w.Dated && h.Stale == 0:
		h.Stale = b.run
	case w.Dated && !w.Changed:
		h.Held = min(h.Held+1, enoughHeld)
	case w.Redated && w.Changed:
		h.Moved = 1
	}
	if h == before {
		return nil
	}
	return put(tx, bucketHosts, b.row(hash(name)), h)
}
