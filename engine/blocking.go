package engine

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/winnow-go/winnow/fetch/filter"
)

// mostPatterns bounds the browser's own list of blocked addresses; the guard's
// has no such bound, so what doesn't fit is refused there.
const mostPatterns = 2000

// blocker knows what advertisements and trackers are. The lists are read once,
// when first needed.
type blocker struct {
	files []string
	load  func() (*filter.Set, error)
}

func newBlocker(files []string) *blocker {
	b := &blocker{files: files}
	b.load = sync.OnceValues(b.read)
	return b
}

func (b *blocker) read() (*filter.Set, error) {
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

// check tells early of a list that isn't there.
func (b *blocker) check() error {
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
	return &OptionError{Field: fmt.Sprintf("FilterLists[%d]", i), Value: name, Want: "a readable file", Err: err}
}

// blocking is what one page's visit keeps away. The zero value keeps nothing away.
type blocking struct {
	patterns []string               // for the browser's own list
	hide     []string               // selectors
	host     func(host string) bool // for the guard; nil: none
}

// forPage gives what to keep away on a page of host.
func (b *blocker) forPage(host string) (blocking, error) {
	set, err := b.load()
	if err != nil {
		return blocking{}, err
	}
	return blocking{
		patterns: set.URLPatterns(host, mostPatterns),
		hide:     set.Hiding(host),
		host:     func(h string) bool { return set.MatchHost(h, host) },
	}, nil
}
