package page

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch/filter"
)

// maxPatterns bounds the browser's own list of blocked addresses; the guard's
// has no such bound, so what doesn't fit is refused there.
const maxPatterns = 2000

// Blocker knows what advertisements and trackers are. The lists are read once,
// when first needed.
type Blocker struct {
	files []string
	load  func() (*filter.Set, error)
}

// NewBlocker makes a blocker of filter lists in files, beside the built-in ones.
func NewBlocker(files []string) *Blocker {
	b := &Blocker{files: files}
	b.load = sync.OnceValues(b.read)
	return b
}

func (b *Blocker) read() (*filter.Set, error) {
	o := filter.Options{Builtin: true}
	var opened []*os.File
	defer func() {
		for _, f := range opened {
			f.Close()
		}
	}()
	for i, name := range b.files {
		f, err := os.Open(name)
		if err != nil {
			return nil, listError(i, name, err)
		}
		opened = append(opened, f)
		o.Lists = append(o.Lists, filter.List{Name: name, Source: f})
	}
	set, err := filter.New(o)
	if err != nil {
		return nil, fmt.Errorf("filter lists: %w", err)
	}
	return set, nil
}

// Check reports a list that isn't there.
func (b *Blocker) Check() error {
	for i, name := range b.files {
		if info, err := os.Stat(name); err != nil {
			return listError(i, name, err)
		} else if info.IsDir() {
			return listError(i, name, errors.New("is a folder"))
		}
	}
	return nil
}

func listError(i int, name string, err error) error {
	return &option.Error{Field: fmt.Sprintf("FilterLists[%d]", i), Value: name, Want: "a readable file", Err: err}
}

// Blocking is what one page's visit keeps away. The zero value keeps nothing away.
type Blocking struct {
	Patterns []string               // for the browser's own list
	Hide     []string               // selectors
	Host     func(host string) bool // for the guard; nil: none
}

// ForPage gives what to keep away on a page of host.
func (b *Blocker) ForPage(host string) (Blocking, error) {
	set, err := b.load()
	if err != nil {
		return Blocking{}, err
	}
	return Blocking{
		Patterns: set.URLPatterns(host, maxPatterns),
		Hide:     set.Hiding(host),
		Host:     func(h string) bool { return set.MatchHost(h, host) },
	}, nil
}

// Blocks returns what reports whether a script is an advertisement's or a tracker's on a page of host. The lists are read at its
// first use; where they can't be, nothing is blocked, and a visit says why.
func (b *Blocker) Blocks(host string) func(script string) bool {
	return func(script string) bool {
		set, err := b.load()
		if err != nil {
			return false
		}
		blocked, _ := set.Match(filter.Request{URL: script, PageHost: host, Type: filter.Script})
		return blocked
	}
}
