// Package records keeps what is known of a scrape for a day: a record by the scrape's id, and its document.
//
//	record.go  Record, Replay: what is kept; their JSON stands in files
//	records.go Store: keeping, reading and forgetting
package records

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// MaxAge after which a record is no longer found.
const MaxAge = 24 * time.Hour

// ErrNotFound is returned for an id that is not known, or no longer.
var ErrNotFound = errors.New("no scrape of the last 24 hours has this id")

// keysAtOnce bounds how many keys are read in one go.
const keysAtOnce = 1000

// Store keeps records. All fields must be set. Safe for concurrent use.
type Store struct {
	Records cache.Store      // by id
	Ages    func() time.Time // the clock by which they expire
}

// Put keeps a record, behind the answer, and the JSON of its document where it has one.
func (s *Store) Put(ctx context.Context, r Record, document any) error {
	meta, err := json.Marshal(r)
	if err != nil {
		return err
	}
	e := cache.Entry{Key: r.ID, Stored: r.CreatedAt, Meta: meta}
	if r.HasDocument() {
		if e.Value, err = json.Marshal(document); err != nil {
			return err
		}
	}
	return s.Records.Put(ctx, e, nil)
}

// Head returns the record of an id. The error is [ErrNotFound] for an id that is not known.
func (s *Store) Head(ctx context.Context, id string) (Record, error) {
	r, _, err := s.head(ctx, id)
	return r, err
}

// Get returns the record of an id, and reads its document into document where it has one. The error is [ErrNotFound] for an
// id that is not known.
func (s *Store) Get(ctx context.Context, id string, document any) (Record, error) {
	r, version, err := s.head(ctx, id)
	if err != nil || !r.HasDocument() {
		return r, err
	}
	data, err := s.Records.Get(ctx, version)
	if errors.Is(err, cache.ErrNotFound) { // pruned meanwhile
		return r, ErrNotFound
	}
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(data, document)
}

func (s *Store) head(ctx context.Context, id string) (r Record, v cache.Version, err error) {
	if id == "" {
		return r, v, ErrNotFound
	}
	versions, err := s.Records.Versions(ctx, id)
	if err != nil {
		return r, v, err
	}
	if len(versions) == 0 || s.Ages().Sub(versions[0].Stored) > MaxAge {
		return r, v, ErrNotFound
	}
	return r, versions[0], json.Unmarshal(versions[0].Meta, &r)
}

// Forget drops the records of the pages whose key begins with one of the prefixes (see [weburl.KeyPrefixes]). It looks
// through all records, for they are kept by id.
func (s *Store) Forget(ctx context.Context, prefixes []string) error {
	for after := ""; ; {
		ids, err := s.Records.Keys(ctx, "", after, keysAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := s.forget(ctx, id, prefixes); err != nil {
				return err
			}
		}
		after = ids[len(ids)-1]
	}
}

func (s *Store) forget(ctx context.Context, id string, prefixes []string) error {
	r, err := s.Head(ctx, id)
	if err != nil || !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(r.Page+weburl.KeyEnd, p) }) {
		return nil // one that can't be read is dropped by its age
	}
	_, err = s.Records.Forget(ctx, id)
	return err
}
