package ledger

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/option"
)

// activityBucket: time in ms, id → Activity. Rows of one moment are ordered by id.
const activityBucket = "activity"

// Activity is one request. Its JSON stands in files: a field may be added, never changed.
type Activity struct {
	ID        string    `json:"id"`
	Endpoint  string    `json:"endpoint"`
	Owner     string    `json:"owner,omitempty"`
	Target    string    `json:"target,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	Labels    Labels    `json:"labels,omitzero"`
}

// Labels are what a client says of itself.
type Labels struct {
	Origin      string `json:"origin,omitempty"`
	Integration string `json:"integration,omitempty"`
	Version     string `json:"version,omitempty"`
}

// Query selects requests. The zero value selects the newest of all.
type Query struct {
	Owner    *string // nil: any
	Endpoint string  // "": any
	Cursor   string  // continues a list: what the last call returned as next
	Limit    int     // 1 to 1000; 0 is 50
}

// Note keeps a request, without user and password of its target.
func (l *Ledger) Note(a Activity) {
	a.Target = publicTarget(a.Target)
	l.mu.Lock()
	if len(l.noted) < maxNoted {
		l.noted = append(l.noted, a)
	} else {
		l.missed++
	}
	l.mu.Unlock()
	l.due()
}

// Activity lists requests, newest first, and the cursor of the next page, "" for none. Those that wait for the disk are not among
// them. Errors of the query are an [*option.Error].
func (l *Ledger) Activity(q Query) (list []Activity, next string, err error) {
	below, err := q.begin()
	if err != nil {
		return nil, "", err
	}
	if err := l.Flush(); err != nil && !errors.Is(err, cache.ErrUnwritable) {
		return nil, "", err
	}
	since := activityKey(l.o.Ages().Add(-l.o.KeepFor), "")
	err = l.o.DB.View(func(tx cache.Tx) error {
		list, next, err = q.read(tx, below, since)
		return err
	})
	return list, next, err
}

// activityKey orders by time, then id.
func activityKey(at time.Time, id string) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(at.UnixMilli())), id...)
}

// begin checks the query and returns the key to read below of; nil: from the newest on.
func (q *Query) begin() ([]byte, error) {
	if q.Limit < 0 || q.Limit > 1000 {
		return nil, &option.Error{Field: "limit", Value: q.Limit, Want: "1 to 1000, or 0 for 50"}
	}
	q.Limit = cmp.Or(q.Limit, 50)
	below, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || q.Cursor != "" && len(below) < 8 {
		return nil, &option.Error{Field: "cursor", Value: q.Cursor, Want: "what an earlier page gave as its next"}
	}
	return below, nil
}

func (q *Query) read(tx cache.Tx, below, since []byte) (list []Activity, next string, err error) {
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

// putActivity writes what was noted, and drops some of what is older than since.
func putActivity(tx cache.Tx, rows []Activity, since time.Time) error {
	for _, a := range rows {
		value, err := json.Marshal(a)
		if err != nil {
			return err
		}
		if err := tx.Put(activityBucket, activityKey(a.CreatedAt, a.ID), value); err != nil {
			return err
		}
	}
	return dropActivity(tx, string(activityKey(since, "")), 2*len(rows)+1)
}

// dropActivity drops at most n rows below a key: more than are added, so that none stay.
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
