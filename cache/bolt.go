package cache

import (
	"context"
	"errors"
)

// Bolt is a Store on a file of its own. Open one with OpenBolt.
type Bolt struct {
	*store
	file *File
}

var _ Store = (*Bolt)(nil)

// boltKind is the kind of a Bolt's file when FileOptions.Kind is empty.
const boltKind = "winnow cache"

// OpenBolt opens the file, or makes it, as OpenFile does and with its errors. f.Kind defaults to "winnow cache". The caller closes it.
func OpenBolt(path string, f FileOptions, o Options) (*Bolt, error) {
	if f.Kind == "" {
		f.Kind = boltKind
	}
	if f.Logger == nil {
		f.Logger = o.Logger
	}
	file, err := OpenFile(path, f)
	if err != nil {
		return nil, err
	}
	s, err := newStore(file, "pages", o, false)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Bolt{s, file}, nil
}

// DB returns the file, for callers that store something beside the Store. Close of the Bolt closes it.
func (b *Bolt) DB() DB { return b.file }

// Compact writes what is queued and rewrites the file without its free pages; see DB.
func (b *Bolt) Compact(ctx context.Context) error {
	if err := b.q.check(ctx); err != nil {
		return err
	}
	if err := b.q.drain(ctx); err != nil {
		return err
	}
	return b.file.Compact(ctx)
}

// Close implements Store and closes the file.
func (b *Bolt) Close() error {
	err := b.store.Close()
	return errors.Join(err, b.file.Close())
}
