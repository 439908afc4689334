// Package archives brings recorded sites into the cache of an engine, and the cache into an archive. It may change without notice.
// An archive is a WACZ or WARC file, or, for Import, an ARC or HAR file too. Engines write one of all that they fetch, and live on some
// alone, by [engine.Options] Record and Replay; here a folder's cache is filled without a network, or carried elsewhere as one file.
//
//	archives.go  Import
//	export.go    Export
package archives

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch/archive/replay"
)

// PageError is the error of one page that was not imported.
type PageError struct {
	URL string
	Err error
}

func (e *PageError) Error() string { return fmt.Sprintf("import %s: %v", e.URL, e.Err) }

// Unwrap returns the cause.
func (e *PageError) Unwrap() error { return e.Err }

// Import scrapes every page of archives into the cache of a folder, as of the time when each was recorded: o.Replay and o.Dir are required,
// o.Now is set here. Pages are those that a WACZ file lists, and the HTML and PDF files that were fetched by GET with status 200 of all
// other archives. With o.Render "auto", the default, those that scripts build are rendered in a browser, from the archives alone. It
// returns how many pages are stored. The error joins what could not be read of the archives when they were opened, a *PageError for each
// page that isn't stored, the first 100 of both, and that of the engine; ctx's error ends it. No engine may have the folder open.
func Import(ctx context.Context, o engine.Options) (pages int, err error) {
	switch {
	case o.Dir == "":
		return 0, errors.New("archives: Dir is empty: want the folder of the cache")
	case len(o.Replay) == 0:
		return 0, errors.New("archives: Replay is empty: want at least one archive")
	}
	r, err := replay.Open(o.Replay...)
	if err != nil {
		return 0, fmt.Errorf("archives: %w", err)
	}
	defer r.Close()
	var at atomic.Pointer[time.Time]
	at.Store(new(time.Now()))
	o.Now = func() time.Time { return *at.Load() }
	e, err := engine.New(o)
	if err != nil {
		return 0, err
	}
	pages, err = scrapeAll(ctx, e, r, func(t time.Time) { at.Store(&t) })
	return pages, errors.Join(errors.Join(r.Damage()...), err, e.Close())
}

var errIncomplete = errors.New("its recording is not whole")

// maxErrors is how many errors of pages are returned.
const maxErrors = 100

func scrapeAll(ctx context.Context, e *engine.Engine, r *replay.Replay, setTime func(time.Time)) (pages int, err error) {
	var failed []error
	for page := range r.Pages() {
		setTime(page.Time)
		doc, err := e.Scrape(ctx, page.URL, engine.ScrapeOptions{MaxAge: new(time.Duration(0))})
		if err == nil && doc.Metadata.Incomplete { // which the cache doesn't take
			err = errIncomplete
		}
		switch {
		case ctx.Err() != nil:
			return pages, context.Cause(ctx)
		case err == nil:
			pages++
		case len(failed) < maxErrors:
			failed = append(failed, &PageError{page.URL, err})
		}
	}
	return pages, errors.Join(failed...)
}
