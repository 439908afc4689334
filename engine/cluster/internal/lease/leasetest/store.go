// Package leasetest has a key-value store in memory for tests of leases, which behaves as that of NATS does.
package leasetest

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
)

// Store is a lease.Store in memory. The zero value is empty. It is safe for concurrent use.
type Store struct {
	mu       sync.Mutex
	rows     map[string]lease.Entry
	revision uint64
}

var _ lease.Store = (*Store)(nil)

// Entries implements lease.Store.
func (s *Store) Entries(context.Context) (list []lease.Entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(s.rows)) {
		list = append(list, s.rows[key])
	}
	return list, nil
}

// Put implements lease.Store.
func (s *Store) Put(_ context.Context, key, value string, revision uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows[key].Revision != revision {
		return 0, lease.ErrConflict
	}
	if s.rows == nil {
		s.rows = map[string]lease.Entry{}
	}
	s.revision++
	s.rows[key] = lease.Entry{Key: key, Value: value, Revision: s.revision}
	return s.revision, nil
}

// Delete implements lease.Store.
func (s *Store) Delete(_ context.Context, key string, revision uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.rows[key]; !ok || e.Revision != revision {
		return lease.ErrConflict
	}
	delete(s.rows, key)
	return nil
}
