package batching

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// readAtOnce bounds how many results are read in one go.
const readAtOnce = 50

// Order are the results of a batch that has ended, in the order of giving.
type Order struct {
	db       work.DB
	job      string
	frontier *crawl.Frontier
	numbers  []uint64                // of the results, 0 for none
	shared   map[int]string          // places that have the result of another place, with their own URL
	failed   map[string]crawl.Result // by address
}

// Place is what became of a URL.
type Place struct {
	// URL as it was given; empty where the document says it.
	URL string
	// Document as packed JSON; nil for none.
	Document []byte
	// Failed pages have a Code and an Error. One with neither that nor a document was never reached.
	Failed      bool
	Code, Error string
}

// OrderOf reads where the results of a batch belong. For a job that was given no URLs it is empty.
func OrderOf(ctx context.Context, r *work.Runner, job string) (*Order, error) {
	f, err := r.Frontier(job)
	if err != nil {
		return nil, err
	}
	o := &Order{db: r.DB(), job: job, frontier: f, shared: map[int]string{}, failed: map[string]crawl.Result{}}
	for _, part := range []func(context.Context) error{o.readErrors, o.readNumbers, o.share} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Len is how many URLs the batch was given.
func (o *Order) Len() int { return len(o.numbers) }

// At is what became of the URL at a place, from 0. [jobs.ErrNotFound]: the batch has expired meanwhile.
func (o *Order) At(ctx context.Context, n int) (Place, error) {
	if o.numbers[n] == 0 {
		return o.missing(n)
	}
	results, err := o.frontier.Results(ctx, o.numbers[n]-1, 1)
	if err == nil && len(results) == 0 {
		err = jobs.ErrNotFound
	}
	if err != nil {
		return Place{}, err
	}
	return Place{URL: o.shared[n], Document: results[0].Data}, nil
}

// missing says why a URL has no document.
func (o *Order) missing(n int) (Place, error) {
	urls, err := after(o.db, o.job, uint64(n))
	if err != nil || len(urls) == 0 {
		return Place{}, jobs.ErrNotFound
	}
	p := Place{URL: urls[0]}
	href, _ := weburl.Target(p.URL)
	if f, ok := o.failed[href]; ok {
		p.Failed, p.Code, p.Error = true, f.Code, string(f.Data)
	}
	return p, nil
}

func (o *Order) readErrors(ctx context.Context) error {
	for last := uint64(0); ; {
		errs, err := o.frontier.Errors(ctx, last, readAtOnce)
		if err != nil || len(errs) == 0 {
			return err
		}
		for _, e := range errs {
			o.failed[e.URL], last = e, e.Sequence
		}
	}
}

// readNumbers finds, for each URL in the order of giving, the number of its result. An address has as many results as it
// was given, one after the other.
func (o *Order) readNumbers(ctx context.Context) error {
	given, err := count(o.db, o.job)
	if err != nil {
		return err
	}
	o.numbers = make([]uint64, given)
	for last := uint64(0); ; {
		results, err := o.frontier.Results(ctx, last, readAtOnce)
		if err != nil || len(results) == 0 {
			return err
		}
		err = o.db.View(func(tx jobs.Tx) error {
			for _, r := range results {
				o.enter(tx, r)
			}
			return nil
		})
		if err != nil {
			return err
		}
		last = results[len(results)-1].Sequence
	}
}

// enter puts a result at the first place of its address that is still free.
func (o *Order) enter(tx jobs.Tx, r crawl.Result) {
	for _, n := range placesOf(tx, o.job, r.URL) {
		if n <= uint64(len(o.numbers)) && o.numbers[n-1] == 0 {
			o.numbers[n-1] = r.Sequence
			return
		}
	}
}

// share gives URLs that were added when their page was active, or done already, the result of that page.
func (o *Order) share(context.Context) error {
	found := map[string]uint64{}
	return o.db.View(func(tx jobs.Tx) error {
		for i, n := range o.numbers {
			if n != 0 {
				continue
			}
			given := string(tx.Get(givenBucket, givenKey(o.job, uint64(i)+1)))
			href, err := weburl.Target(given)
			if err != nil {
				continue
			}
			if _, known := found[href]; !known {
				found[href] = o.anyResult(placesOf(tx, o.job, href))
			}
			if o.numbers[i] = found[href]; o.numbers[i] != 0 {
				o.shared[i] = given
			}
		}
		return nil
	})
}

// anyResult is that of the first of some places which has one.
func (o *Order) anyResult(places []uint64) uint64 {
	for _, n := range places {
		if n <= uint64(len(o.numbers)) && o.numbers[n-1] != 0 {
			return o.numbers[n-1]
		}
	}
	return 0
}
