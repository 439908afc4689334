package engine

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// activityBucket: time in ms, id → what was asked for. Rows of one moment are ordered by id.
const activityBucket = "activity"

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
	// Owner whose requests are wanted; nil: everybody's.
	Owner *string
	// Endpoint; empty: any.
	Endpoint string
	// Cursor continues a list: what the last call returned as next.
	Cursor string
	// Limit, 1 to 1000. Zero is 50.
	Limit int
}

// activityKey orders by time, then id.
func activityKey(at time.Time, id string) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(at.UnixMilli())), id...)
}

// Activity lists the requests of the last 24 hours, newest first, and the cursor of
// the next page; empty: there is none. What comes in meanwhile neither repeats nor
// hides any.
func (e *Engine) Activity(ctx context.Context, q ActivityQuery) (list []Activity, next string, err error) {
	err = e.manage(ctx, "activity", "", func(context.Context) error {
		below, err := q.begin()
		if err != nil {
			return err
		}
		e.stores.ledger.write() // what was noted a moment ago
		since := activityKey(e.now().Add(-recordAge), "")
		return e.stores.state.View(func(tx cache.Tx) error {
			list, next, err = q.read(tx, below, since)
			return err
		})
	})
	return list, next, err
}

// begin checks the query and gives the key to read below of; nil: from the newest on.
func (q *ActivityQuery) begin() ([]byte, error) {
	if q.Limit < 0 || q.Limit > 1000 {
		return nil, &OptionError{Field: "limit", Value: q.Limit, Want: "1 to 1000, or 0 for 50"}
	}
	q.Limit = cmp.Or(q.Limit, 50)
	below, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || q.Cursor != "" && len(below) < 8 {
		return nil, &OptionError{Field: "cursor", Value: q.Cursor, Want: "what an earlier page gave as its next"}
	}
	return below, nil
}

func (q *ActivityQuery) read(tx cache.Tx, below, since []byte) (list []Activity, next string, err error) {
	for key, value := range tx.ScanBack(activityBucket, below) {
		if string(key) < string(since) {
			break
		}
		var a Activity
		if err := json.Unmarshal(value, &a); err != nil {
			return nil, "", fmt.Errorf("a record of activity can't be read: %w", err)
		}
		if q.Owner != nil && a.Owner != *q.Owner || q.Endpoint != "" && a.Endpoint != q.Endpoint {
			continue
		}
		if len(list) == q.Limit {
			last := list[len(list)-1]
			return list, base64.RawURLEncoding.EncodeToString(activityKey(last.CreatedAt, last.ID)), nil
		}
		list = append(list, a)
	}
	return list, "", nil
}

// putActivity writes what was noted, and drops some of what is too old.
func putActivity(tx cache.Tx, rows []Activity, now time.Time) error {
	for _, a := range rows {
		value, err := json.Marshal(a)
		if err != nil {
			return err
		}
		if err := tx.Put(activityBucket, activityKey(a.CreatedAt, a.ID), value); err != nil {
			return err
		}
	}
	return dropActivity(tx, string(activityKey(now.Add(-recordAge), "")), 2*len(rows)+1)
}

// dropActivity drops at most n rows below a key: more than come in, so that none stay.
func dropActivity(tx cache.Tx, before string, n int) error {
	var old [][]byte
	for key := range tx.Scan(activityBucket, nil) {
		if string(key) >= before || len(old) == n {
			break
		}
		old = append(old, append([]byte(nil), key...))
	}
	for _, key := range old {
		if err := tx.Delete(activityBucket, key); err != nil {
			return err
		}
	}
	return nil
}

// publicTarget leaves user and password out of a URL; what is no URL, such as a query, stays as it is.
func publicTarget(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.User == nil {
		return target
	}
	u.User = nil
	return u.String()
}
