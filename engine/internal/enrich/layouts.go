package enrich

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/flight"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/recipe"
)

// Bounds of what is kept of layouts.
const (
	LayoutAge     = 180 * 24 * time.Hour // since something of it was last written
	MemoryLayouts = 8 << 20
	maxLayouts    = 3 // of one key: sites show variants of a page under one kind of address
	maxAsked      = 3 // times within askedWithin that selectors of one key are learned
	askedWithin   = time.Hour
	maxMisses     = 3 // pages in a row on which a field may be missing that was there before
)

// Layouts are the selectors that deterministicJson has learned, by host, kind of address,
// schema, prompt and owner. Safe for concurrent use.
type Layouts struct {
	store    cache.Store
	now      func() time.Time
	log      *slog.Logger
	learning flight.Group[layout] // one call of the model is for all pages of a key at the same time
	mu       sync.Mutex           // over change
}

// NewLayouts are those that a store keeps.
func NewLayouts(store cache.Store, log *slog.Logger, now func() time.Time) *Layouts {
	return &Layouts{store: store, log: log, now: now}
}

// layout is how pages of one kind are read.
type layout struct {
	Recipe  recipe.Recipe `json:"recipe"`
	Learned time.Time     `json:"learned"`
	// Found are the paths that the page had it was learned from, Misses on how many pages in a
	// row each of them was missing since.
	Found  []string       `json:"found"`
	Misses map[string]int `json:"misses,omitempty"`
}

// layoutRecord is what is kept of a key.
type layoutRecord struct {
	Layouts []layout    `json:"layouts,omitempty"` // the newest first
	Asked   []time.Time `json:"asked,omitempty"`   // when a model was, within askedWithin
}

// layoutKey names the layout of a page. It begins with the host, for Forget; "" when nothing
// can be kept under the address.
func layoutKey(owner, href string, schema json.RawMessage, prompt string) string {
	template := weburl.Template(href)
	if template == "" {
		return ""
	}
	id, err := json.Marshal([]string{owner, template, string(schema), prompt})
	if err != nil { // strings only
		panic(err)
	}
	sum := sha256.Sum256(id)
	return weburl.HostKey(weburl.Host(href)) + hex.EncodeToString(sum[:])
}

// load gives what is kept of a key. What can't be read is logged and as good as nothing.
func (l *Layouts) load(ctx context.Context, key string) (layoutRecord, error) {
	var r layoutRecord
	versions, err := l.store.Versions(ctx, key)
	if err != nil || len(versions) == 0 {
		return r, err
	}
	data, err := l.store.Get(ctx, versions[0])
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err == nil || ctx.Err() != nil {
		return r, ctx.Err()
	}
	l.log.Warn("learned selectors can't be read", "error", err)
	return layoutRecord{}, nil
}

// change reads, changes and keeps what is known of a key.
func (l *Layouts) change(ctx context.Context, key string, edit func(*layoutRecord)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, err := l.load(ctx, key)
	if err != nil {
		return err
	}
	edit(&r)
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return l.store.Put(ctx, cache.Entry{Key: key, Stored: l.now(), Value: data}, nil)
}

// ask counts a question to the model; ok is false when there were enough of late.
func (l *Layouts) ask(ctx context.Context, key string) (ok bool, err error) {
	err = l.change(ctx, key, func(r *layoutRecord) {
		now := l.now()
		var late []time.Time
		for _, at := range r.Asked {
			if now.Sub(at) < askedWithin && !at.After(now) {
				late = append(late, at)
			}
		}
		if ok = len(late) < maxAsked; ok {
			late = append(late, now)
		}
		r.Asked = late
	})
	return ok, err
}

// unask takes back a question that came to nothing through no fault of the page's.
func (l *Layouts) unask(ctx context.Context, key string) error {
	return l.change(context.WithoutCancel(ctx), key, func(r *layoutRecord) {
		r.Asked = r.Asked[:max(0, len(r.Asked)-1)]
	})
}

// add keeps a layout as the newest.
func (l *Layouts) add(ctx context.Context, key string, learned layout) error {
	return l.change(ctx, key, func(r *layoutRecord) {
		r.Layouts = append([]layout{learned}, r.Layouts...)
		r.Layouts = r.Layouts[:min(len(r.Layouts), maxLayouts)]
	})
}

// missed keeps which paths of a layout were missing of late.
func (l *Layouts) missed(ctx context.Context, key string, of layout, misses map[string]int) error {
	return l.change(ctx, key, func(r *layoutRecord) {
		for i := range r.Layouts {
			if r.Layouts[i].Learned.Equal(of.Learned) {
				r.Layouts[i].Misses = misses
			}
		}
	})
}
