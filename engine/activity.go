package engine

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/engine/internal/ledger"
)

// Activity is one request of the last 24 hours. Those under zero data retention and
// lockdown are not among them, nor are the single pages of jobs and searches.
type Activity struct {
	// ID finds it again: [Engine.ScrapeByID], [Engine.Job] or [Engine.SessionInfo].
	ID string `json:"id"`
	// Endpoint is "scrape", "parse", "crawl", "batch_scrape", "map", "search", "extract", "agent", "browser", or "interact", of a
	// session that goes on with a scrape.
	Endpoint string `json:"endpoint"`
	// Owner who asked.
	Owner string `json:"owner,omitempty"`
	// Target is the URL, the first one of several, without user and password.
	Target string `json:"target,omitempty"`
	// CreatedAt in UTC, to the millisecond.
	CreatedAt time.Time `json:"createdAt"`
	// Labels of the request.
	Labels Labels `json:"labels,omitzero"`
}

// ActivityQuery says which are wanted. The zero value asks for the newest of all.
type ActivityQuery struct {
	// Owner whose requests are wanted; nil: any owner's.
	Owner *string
	// Endpoint; empty: any.
	Endpoint string
	// Cursor continues a list: what the last call returned as next.
	Cursor string
	// Limit, 1 to 1000. Zero is 50.
	Limit int
}

// Activity lists the requests of the last 24 hours, newest first, and the cursor of
// the next page; empty: there is none. What comes in meanwhile neither repeats nor
// hides any.
func (e *Engine) Activity(ctx context.Context, q ActivityQuery) (list []Activity, next string, err error) {
	err = e.manage(ctx, "activity", "", func(context.Context) error {
		rows, cursor, err := e.stores.Ledger.Activity(ledger.Query(q))
		for _, r := range rows {
			list = append(list, activityOf(r))
		}
		next = cursor
		return err
	})
	return list, next, err
}

func activityOf(a ledger.Activity) Activity {
	return Activity{
		ID: a.ID, Endpoint: a.Endpoint, Owner: a.Owner, Target: a.Target, CreatedAt: a.CreatedAt, Labels: Labels(a.Labels),
	}
}

// note keeps a request, with the labels of its context, for [Engine.Activity].
func (e *Engine) note(ctx context.Context, a Activity) {
	e.stores.Ledger.Note(ledger.Activity{
		ID: a.ID, Endpoint: a.Endpoint, Owner: a.Owner, Target: a.Target, CreatedAt: a.CreatedAt, Labels: ledger.Labels(labelsOf(ctx)),
	})
}
