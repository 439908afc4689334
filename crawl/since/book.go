package since

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"

	"github.com/winnow-go/winnow/crawl"
)

// The buckets. Keys of all but the first three begin with the space and a zero.
const (
	bucketSeries = "since.series" // series → Head
	bucketJobs   = "since.jobs"   // job → its series
	bucketGone   = "since.gone"   // space whose rows are to be deleted
	bucketPages  = "since.pages"  // hash of Key → Page
	bucketTexts  = "since.texts"  // hash of Key → what the page held
	bucketSums   = "since.sums"   // Sum → hash of Key
	bucketGoals  = "since.goals"  // hash of Goal → hash of Key
	bucketHosts  = "since.hosts"  // hash of a host → Host
	bucketHeld   = "since.held"   // kind, hash of Key → Held
)

// spaceBuckets hold the rows of spaces.
var spaceBuckets = [...]string{bucketPages, bucketTexts, bucketSums, bucketGoals, bucketHosts, bucketHeld}

// Book is what a crawl knows of its pages. Safe for concurrent use.
type Book struct {
	db                 crawl.DB
	job, series, space string
	run                int
	again              bool
}

// Again reports whether the crawl goes on with pages of an earlier one.
func (b *Book) Again() bool { return b.again }

// Run is the number of the crawl in its series; 0 for a first one.
func (b *Book) Run() int { return b.run }

// Page returns what is known of the page with a key; nil: nothing.
func (b *Book) Page(key string) (p *Page, err error) {
	err = b.db.View(func(tx crawl.Tx) error {
		p = b.pageIn(tx, hash(key))
		return nil
	})
	return p, err
}

// Unknown returns the URLs of which nothing is known.
func (b *Book) Unknown(list []crawl.Found) (unknown []crawl.Found, err error) {
	err = b.db.View(func(tx crawl.Tx) error {
		unknown = unknown[:0]
		for _, f := range list {
			name := b.row(hash(cmp.Or(f.Key, f.URL)))
			if tx.Get(bucketPages, name) == nil && tx.Get(bucketGoals, name) == nil {
				unknown = append(unknown, f)
			}
		}
		return nil
	})
	return unknown, err
}

func (b *Book) pageIn(tx crawl.Tx, name []byte) *Page {
	p := &Page{}
	if !get(tx, bucketPages, b.row(name), p) {
		return nil
	}
	return p
}

// key of the page's item.
func (p *Page) key() string {
	if p.Key == "" {
		return p.URL
	}
	return p.Key
}

// Touch keeps what was seen of a page that holds what it did.
func (b *Book) Touch(tx crawl.Tx, p Page) error {
	name := hash(p.key())
	if err := tx.Delete(bucketHeld, b.heldRow(gone, p.key())); err != nil { // it is there again
		return err
	}
	if p.Key == p.URL {
		p.Key = ""
	}
	if p.Final == p.URL {
		p.Final = ""
	}
	return put(tx, bucketPages, b.row(name), p)
}

// Put keeps a page, and its text unless that is nil.
func (b *Book) Put(tx crawl.Tx, p Page, text []byte) error {
	name := hash(p.key())
	if before := b.pageIn(tx, name); before != nil && before.Goal != p.Goal && before.Goal != "" {
		if err := tx.Delete(bucketGoals, b.row(hash(before.Goal))); err != nil {
			return err
		}
	}
	if p.Goal != "" {
		if err := tx.Put(bucketGoals, b.row(hash(p.Goal)), name); err != nil {
			return err
		}
	}
	if p.Sum != "" {
		if err := tx.Put(bucketSums, b.row([]byte(p.Sum)), name); err != nil {
			return err
		}
	}
	if text != nil {
		if err := tx.Put(bucketTexts, b.row(name), text); err != nil {
			return err
		}
	}
	return b.Touch(tx, p)
}

// Correct puts what a page holds in the place of what it was thought to hold; what is known of its past stays.
func (b *Book) Correct(tx crawl.Tx, p Page, text []byte) error {
	before := b.pageIn(tx, hash(p.key()))
	if before == nil {
		return nil
	}
	now := *before
	now.Final, now.Goal, now.ETag, now.Modified, now.Body, now.Sum, now.Folded = p.Final, p.Goal, p.ETag, p.Modified, p.Body, p.Sum, p.Folded
	return b.Put(tx, now, text)
}

// Text is what the page with a key held; nil: it isn't known.
func (b *Book) Text(key string) (text []byte, err error) {
	err = b.db.View(func(tx crawl.Tx) error {
		text = bytes.Clone(b.TextIn(tx, key))
		return nil
	})
	return text, err
}

// TextIn is Text in a transaction; it is valid until that ends.
func (b *Book) TextIn(tx crawl.Tx, key string) []byte { return tx.Get(bucketTexts, b.row(hash(key))) }

// Delete forgets a page.
func (b *Book) Delete(tx crawl.Tx, key string) error {
	name := hash(key)
	if p := b.pageIn(tx, name); p != nil && p.Sum != "" {
		if err := tx.Delete(bucketSums, b.row([]byte(p.Sum))); err != nil {
			return err
		}
	}
	if p := b.pageIn(tx, name); p != nil && p.Goal != "" {
		if err := tx.Delete(bucketGoals, b.row(hash(p.Goal))); err != nil {
			return err
		}
	}
	if err := tx.Delete(bucketTexts, b.row(name)); err != nil {
		return err
	}
	return tx.Delete(bucketPages, b.row(name))
}

// bySum returns a page that shows what a digest stands for; nil: none.
func (b *Book) bySum(tx crawl.Tx, sum string) *Page {
	name := tx.Get(bucketSums, b.row([]byte(sum)))
	if name == nil || sum == "" {
		return nil
	}
	if p := b.pageIn(tx, name); p != nil && p.Sum == sum {
		return p
	}
	return nil
}

// readAtOnce is how many pages are read in one go.
const readAtOnce = 500

// Pages calls do with all pages, some at a time, in an order that says nothing.
func (b *Book) Pages(do func([]Page) error) error {
	for after := []byte(nil); ; {
		var some []Page
		err := b.db.View(func(tx crawl.Tx) error {
			some = some[:0]
			b.each(tx, bucketPages, after, func(key, row []byte) bool {
				var p Page
				if read(row, &p) {
					some = append(some, p)
				}
				after = append(bytes.Clone(key), 0)
				return len(some) < readAtOnce
			})
			return nil
		})
		if err != nil || len(some) == 0 {
			return err
		}
		if err := do(some); err != nil {
			return err
		}
	}
}

// each goes over the rows of the space in a bucket, from one on, until do returns false. Keys are without the space.
func (b *Book) each(tx crawl.Tx, bucket string, from []byte, do func(key, row []byte) bool) {
	own := b.row()
	for key, row := range tx.Scan(bucket, b.row(from)) {
		rest, ok := bytes.CutPrefix(key, own)
		if !ok || !do(rest, row) {
			return
		}
	}
}

func (b *Book) row(parts ...[]byte) []byte {
	return append(append([]byte(b.space), 0), bytes.Join(parts, nil)...)
}

// hash stands for a text in a key.
func hash(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:16]
}

// get reads a row into v. A row that can't be read is none: its page counts as new.
func get(tx crawl.Tx, bucket string, key []byte, v any) bool {
	row := tx.Get(bucket, key)
	return row != nil && read(row, v)
}

func read(row []byte, v any) bool { return json.Unmarshal(row, v) == nil }

func put(tx crawl.Tx, bucket string, key []byte, v any) error {
	row, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Put(bucket, key, row)
}
