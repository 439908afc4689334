package cache

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Limits of an Entry, in bytes.
const (
	MaxMeta  = 64 << 10
	MaxValue = 256 << 20
)

// Store keeps bytes with a time, several versions per key. All methods are safe for concurrent use. After
// Close they return ErrClosed. When its context is done a call stops waiting and returns the context's error; what was queued stays queued.
//
// Reads see a put at once, even while it is only queued. An entry is acknowledged, and then survives the end of the process and (in a file)
// a loss of power, once its committed function was called with nil, or Flush or Close returned nil after it was put.
type Store interface {
	// Put queues e and returns; while the queue is full it waits for room, or returns ErrUnwritable in an outage of the disk: what is
	// queued then is written when that ends. committed (may be nil) is called once, from the writer's
	// goroutine, with nil when e is durable, or with the error that lost it; it must be quick, not panic and not call the Store.
	// It is not called when Put returns an error: ErrTooLarge and an empty key are refused at once. e's slices must not change
	// after Put. An entry that is older than all stored Versions of its key is dropped.
	Put(ctx context.Context, e Entry, committed func(error)) error
	// Versions returns the stored versions of key, newest first: by Stored, then by the order of Put. None: empty, nil.
	Versions(ctx context.Context, key string) ([]Version, error)
	// Get returns the value of a version; the caller may keep and change it. ErrNotFound when it is no longer stored, *CorruptError when
	// its bytes are damaged (which is also logged).
	Get(ctx context.Context, v Version) ([]byte, error)
	// Renew sets a new time and meta for a version and keeps its value and ID (a page that the server reports as unchanged). It is
	// queued like a Put. ErrNotFound when the version is no longer stored. A zero stored means now. meta must not change afterwards.
	// A version that is being removed by age, size or Forget at this very moment stays removed.
	Renew(ctx context.Context, v Version, stored time.Time, meta []byte) error
	// Keys returns up to limit keys that begin with prefix and are > after, ascending. A limit below 1 means all.
	Keys(ctx context.Context, prefix, after string, limit int) ([]string, error)
	// Forget removes all keys that begin with prefix ("": all), queued ones too, and returns the number of versions removed. What is put
	// meanwhile may go or stay. It is durable on return. It works in many small transactions; an error leaves some of them done.
	Forget(ctx context.Context, prefix string) (versions int, err error)
	// Prune removes all that is due by age and size, now, and returns the number of versions removed. The background does the same
	// in steps: by size after each write, by age about every minute.
	Prune(ctx context.Context) (removed int, err error)
	// Flush returns when all that was put before it is durable, with the first error of a write since the last Flush that returned one.
	// In an outage of the disk it returns ErrUnwritable at once, as do Prune and Forget while entries are queued.
	Flush(ctx context.Context) error
	// Stats returns the counts of what is stored; only Queued counts what isn't written yet.
	Stats(ctx context.Context) (Stats, error)
	// Close writes what is queued, waits for the writer and returns what Flush would; in an outage of the disk what can't be written is
	// lost, and the error says how many entries. It closes the DB only if the Store opened it.
	// A second Close returns nil.
	Close() error
}

// Entry is the argument of Put.
type Entry struct {
	Key    string    // 1 to MaxKey bytes, any bytes
	Stored time.Time // kept in ms; zero: now
	Meta   []byte    // small, at most MaxMeta: data that callers need without reading Value; not compressed
	Value  []byte    // compressed and checksummed by the Store; at most MaxValue
}

// Version is a stored Entry without its value.
type Version struct {
	Key    string
	ID     uint64    // grows with each Put of a Store and is never reused
	Stored time.Time // in ms, UTC
	Size   int64     // of the value, uncompressed
	Meta   []byte
}

// Options of a Store. Negative numbers count as 0.
type Options struct {
	// Versions is how many are kept per key; the newest are. Defaults to 5.
	Versions int
	// MaxAge: older versions are removed, within about a minute or a quarter of MaxAge, if that is less. 0: never.
	MaxAge time.Duration
	// MaxBytes limits all versions, as stored: compressed value, meta and key. Above it the oldest are removed, whatever their key.
	// For a moment the store may exceed it by one batch of writes. Defaults to 256 MiB in Memory, else to no limit.
	MaxBytes int64
	// QueueBytes and QueueEntries bound what is put and not written yet. A larger entry is accepted when the queue is empty.
	// Default to 64 MiB and 1024.
	QueueBytes   int64
	QueueEntries int
	// Group is the name of what a key's value has much in common with, such as the host of a page; "": nothing. Values of a group that are
	// put to a file are compressed with a dictionary of what the first of them share, at most 256 KiB, which is stored with the first value
	// that needs it and deleted with the last; see the package's documentation. It must be quick, and give a key the same name in all
	// processes. If nil, and in memory, there are no dictionaries.
	Group func(key string) string
	// Changed is called with the keys whose versions have changed, once that is durable: for puts before Flush returns, for removals by
	// Forget, Prune or, at the same time, the background, before these return. A key may be reported twice, or without cause. It is
	// called from the writer's goroutine or a caller's, must be quick and must not call the Store. If nil, no callback is made.
	Changed func(keys []string)
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// Ages is the clock by which versions are too old. Defaults to Now.
	Ages func() time.Time
	// Logger receives reports of corrupt entries and failed writes, never with keys. nil: silent.
	Logger *slog.Logger
}

// Stats are the counts of a Store.
type Stats struct {
	Keys, Versions int64
	Bytes          int64     // of all versions as stored: compressed values, metas and keys; without dictionaries
	Queued         int       // entries that aren't written yet
	Oldest, Newest time.Time // Stored of the versions; zero: there are none
}

func (o Options) withDefaults() Options {
	o.Versions = cmp.Or(max(o.Versions, 0), 5)
	o.MaxAge = max(o.MaxAge, 0)
	o.MaxBytes = max(o.MaxBytes, 0)
	o.QueueBytes = cmp.Or(max(o.QueueBytes, 0), 64<<20)
	o.QueueEntries = cmp.Or(max(o.QueueEntries, 0), 1024)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Ages == nil {
		o.Ages = o.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// check refuses an entry beyond the limits.
func (e Entry) check() error {
	switch {
	case e.Key == "":
		return errEmptyKey
	case len(e.Key) > MaxKey:
		return fmt.Errorf("%w: key of %d bytes, at most %d", ErrTooLarge, len(e.Key), MaxKey)
	case len(e.Value) > MaxValue:
		return fmt.Errorf("%w: value of %d bytes, at most %d", ErrTooLarge, len(e.Value), MaxValue)
	}
	return checkMeta(e.Meta)
}

func checkMeta(b []byte) error {
	if len(b) > MaxMeta {
		return fmt.Errorf("%w: meta of %d bytes, at most %d", ErrTooLarge, len(b), MaxMeta)
	}
	return nil
}

// New returns a Store in a DB that other code uses too. Its buckets have names that begin with name and a slash; two Stores of one name
// must not be open in a DB at the same time. Close the Store before the DB, which stays open. In a Map values are not compressed, see
// Memory.
func New(db DB, name string, o Options) (Store, error) {
	_, inMemory := db.(*Map)
	return newStore(db, name, o, inMemory)
}

// namer is a DB that knows which stores are open in it.
type namer interface {
	claim(name string) bool
	release(name string)
}

func newStore(db DB, name string, o Options, plain bool) (*store, error) {
	if err := checkBucket(name); err != nil {
		return nil, errors.New("cache: the name of a store is empty or begins with a zero byte")
	}
	if n, ok := db.(namer); ok && !n.claim(name) {
		return nil, fmt.Errorf("cache: a store %q is already open in this DB: close it first", name)
	}
	s, err := startStore(db, name, o.withDefaults(), plain)
	if err != nil {
		if n, ok := db.(namer); ok {
			n.release(name)
		}
		return nil, err
	}
	return s, nil
}
