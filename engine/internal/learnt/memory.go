package learnt

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Bounds of a store for a Memory.
const (
	MaxAge   = 90 * 24 * time.Hour // since the last comparison
	InMemory = 8 << 20             // bytes
)

// Memory keeps the counts of templates. Safe for concurrent use.
type Memory struct {
	store cache.Store
	log   *slog.Logger
	now   func() time.Time
	mu    sync.Mutex // over Note
}

// New makes a memory of what a store keeps, whose owner closes it.
func New(store cache.Store, log *slog.Logger, now func() time.Time) *Memory {
	return &Memory{store: store, log: log, now: now}
}

// NewStore makes a store in memory, for a memory of its own. The caller closes it.
func NewStore(log *slog.Logger, now func() time.Time) cache.Store {
	return cache.NewMemory(cache.Options{Versions: 1, MaxBytes: InMemory, Now: now, Logger: log})
}

// key begins with the host, for Forget.
func (t Template) key() string {
	return weburl.HostKey(t.Host) + t.Digest
}

// Counts returns what is known of a template: of none, and of one that can't be read, nothing. The error is the context's.
func (m *Memory) Counts(ctx context.Context, t Template) (c Counts, err error) {
	if t == (Template{}) {
		return c, nil
	}
	versions, err := m.store.Versions(ctx, t.key())
	if err == nil && len(versions) > 0 {
		err = json.Unmarshal(versions[0].Meta, &c)
	}
	if err != nil && ctx.Err() == nil {
		m.log.Warn("what was learnt of a template can't be read", "error", err)
		return Counts{}, nil
	}
	return c.at(m.now()), ctx.Err()
}

// Note keeps what the comparison of a page with that risk (see [Counts]) has shown: whether the browser showed more. What can't be kept is
// logged.
func (m *Memory) Note(ctx context.Context, t Template, more bool, risk float64) {
	if t == (Template{}) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.add(ctx, t, more, risk); err != nil && ctx.Err() == nil {
		m.log.Warn("what was learnt of a template can't be kept", "error", err)
	}
}

func (m *Memory) add(ctx context.Context, t Template, more bool, risk float64) error {
	c, err := m.Counts(ctx, t)
	if err != nil {
		return err
	}
	now := m.now()
	meta, err := json.Marshal(c.with(more, risk, now))
	if err != nil {
		return err
	}
	return m.store.Put(ctx, cache.Entry{Key: t.key(), Stored: now, Meta: meta}, nil)
}
