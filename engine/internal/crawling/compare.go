package crawling

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"net/http"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/noise"
	"github.com/winnow-go/winnow/engine/internal/tracking"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// remember writes down what a page that was fetched has come to for crawls that come again, and what has changed since the one before.
func (n *night) remember(ctx context.Context, item crawl.Item, p *since.Page, v Visit, out work.Outcome) work.Outcome {
	switch {
	case n == nil || out.Failed != nil || !out.RetryAt.IsZero():
		return out
	case out.Silent:
		return n.ledFrom(item, p, v.URL, out)
	case v.Status == http.StatusNotFound || v.Status == http.StatusGone:
		return n.goneFrom(item, p, out)
	case v.Status >= http.StatusBadRequest || v.Unfit:
		return out // neither a page nor none
	case p == nil:
		return n.newcomer(item, v.digested(), out)
	}
	return n.compare(ctx, item, p, v.digested(), out)
}

// ledFrom is a page that leads to where another is, or out of the crawl.
func (n *night) ledFrom(item crawl.Item, p *since.Page, to string, out work.Outcome) work.Outcome {
	if p == nil || to == "" || to == cmp.Or(p.Final, p.URL) {
		return out
	}
	return beside(out, func(tx jobs.Tx, _ uint64) error {
		if err := n.book.Delete(tx, item.Key); err != nil {
			return err
		}
		if err := n.book.Led(tx, n.c.scope.Load().Key(to)); err != nil {
			return err
		}
		return n.report(tx, Change{Kind: Moved, URL: to, From: p.URL})
	})
}

// goneFrom is a page that isn't there. One that was there before gives no document, nor does a dead link to a crawl that comes again: it is
// neither added nor changed, and would cost something each time.
func (n *night) goneFrom(item crawl.Item, p *since.Page, out work.Outcome) work.Outcome {
	if p == nil && !n.again() {
		return out
	}
	out = silent(out, out.Denied...)
	if p == nil {
		return out
	}
	return beside(out, func(tx jobs.Tx, _ uint64) error {
		return n.book.Gone(tx, since.Held{URL: p.URL, Key: item.Key, Sum: p.Sum})
	})
}

// newcomer is a page that no crawl had before.
func (n *night) newcomer(item crawl.Item, v Visit, out work.Outcome) work.Outcome {
	return beside(out, func(tx jobs.Tx, result uint64) error {
		page := n.pageOf(item, v, since.Page{First: n.now()})
		page.Checked = page.First
		if n.c.o.Again {
			if err := n.reportNew(tx, item, v, result); err != nil {
				return err
			}
		}
		return n.keep(tx, item, page, since.Word{}, textRow(v, n.c.line.Record.ID, result))
	})
}

func (n *night) reportNew(tx jobs.Tx, item crawl.Item, v Visit, result uint64) error {
	held, err := n.book.Came(tx, since.Held{URL: item.URL, Key: item.Key, Sum: contentOf(v), Data: n.resultData(result)})
	if err != nil || held {
		return err
	}
	return n.report(tx, Change{Kind: Added, URL: item.URL, Result: result})
}

// resultData is the number of a held page's document, which is one of this job.
func (n *night) resultData(result uint64) []byte {
	return append(binary.BigEndian.AppendUint64(nil, result), n.c.line.Record.ID...)
}

// resultOf is that number; 0: the job has no document of the page.
func (n *night) resultOf(h since.Held) uint64 {
	if len(h.Data) < 8 || string(h.Data[8:]) != n.c.line.Record.ID {
		return 0
	}
	return binary.BigEndian.Uint64(h.Data)
}

// corrected is a page whose document another one takes the place of.
func (n *night) corrected(item crawl.Item, v Visit, out work.Outcome) work.Outcome {
	if n == nil || v.Unfit || v.Status >= http.StatusBadRequest {
		return out
	}
	v = v.digested()
	return beside(out, func(tx jobs.Tx, result uint64) error {
		return n.book.Correct(tx, n.pageOf(item, v, since.Page{}), textRow(v, n.c.line.Record.ID, result))
	})
}

// pageOf is what is known of a page that came whole.
func (n *night) pageOf(item crawl.Item, v Visit, p since.Page) since.Page {
	p.URL, p.Key, p.Final, p.Goal = item.URL, item.Key, v.URL, n.c.scope.Load().Key(v.URL)
	if p.Goal == item.Key {
		p.Goal = ""
	}
	p.ETag, p.Modified, p.Body = v.Answer.ETag, v.Answer.LastModified, v.Answer.Digest
	p.Sum, p.Folded = contentOf(v), n.foldSum(item, v)
	p.Whole, p.Vouched, p.Dated = n.now(), 0, 0
	return p
}

// foldSum is what a crawl that comes again needs to know of a page to take other addresses of it for it.
func (n *night) foldSum(item crawl.Item, v Visit) string {
	if n.c.book == nil {
		return ""
	}
	return n.c.book.Sum(n.c.folded(item, v))
}

// contentOf is a digest of the page's text or, where that isn't known, of all that it shows.
func contentOf(v Visit) string {
	if v.Text == "" {
		return v.Sum
	}
	return hex.EncodeToString(v.digest)
}

// digested is a visit whose text has a digest.
func (v Visit) digested() Visit {
	v.digest = digestOf(v.Text)
	return v
}

// compare is a page that was known and came whole.
func (n *night) compare(ctx context.Context, item crawl.Item, p *since.Page, v Visit, out work.Outcome) work.Outcome {
	diff, changed, err := n.differs(ctx, item, p, v)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	moved := v.URL != cmp.Or(p.Final, p.URL)
	if !changed && !moved {
		out.Documents, out.Kept, out.Credits = nil, true, 0
	}
	return beside(out, func(tx jobs.Tx, result uint64) error {
		now, page := n.now(), n.pageOf(item, v, *p)
		if page.Same(now); changed {
			page.Changes++
		}
		list := []Change{}
		if moved {
			list = append(list, Change{Kind: Moved, URL: v.URL, From: p.URL, Result: result})
		}
		if changed {
			list = append(list, Change{Kind: Changed, URL: v.URL, Diff: diff, Result: result})
		}
		for _, one := range list {
			if err := n.report(tx, one); err != nil {
				return err
			}
		}
		word := since.Word{Changed: changed, Vouched: n.sameValidators(p, v), Dated: dated(item, p), Redated: redated(item, p)}
		return n.keep(tx, item, page, word, textRow(v, n.c.line.Record.ID, result))
	})
}

// sameValidators reports whether a site would have vouched for the page as it was.
func (n *night) sameValidators(p *since.Page, v Visit) bool {
	return p.Vouchers() && v.Answer.ETag == p.ETag && v.Answer.LastModified == p.Modified
}

// differs reports whether a page says something else than before, and the difference where both texts are known.
func (n *night) differs(ctx context.Context, item crawl.Item, p *since.Page, v Visit) (diff string, changed bool, err error) {
	if p.Body != "" && p.Body == v.Answer.Digest || p.Sum != "" && p.Sum == contentOf(v) {
		return "", false, nil
	}
	before, known, err := n.textBefore(item.Key)
	if err != nil {
		return "", false, err
	}
	if !known || v.Text == "" {
		return "", true, nil
	}
	was, is := noise.Version{Text: before, Seen: p.Whole}, noise.Version{Text: v.Text, Seen: n.now()}
	if tracking.Same(before, v.Text) || !noise.Compare(was, is, nil).Changed {
		return "", false, nil
	}
	diff, err = tracking.Diff(ctx, before, v.Text)
	return diff, true, err
}
