// Package download reads the files that a page has the browser save. It may change without notice.
//
// Start from Inbox. The browser's own copy of a file is removed afterwards, also where it is of no use.
//
//	inbox.go     Inbox: the files that come while actions are performed
//	download.go  one file: waiting for it, its size, its end
//	inside.go    files of a browser in a sandbox, or elsewhere
package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// sizeError means that a file is too large.
type sizeError struct{ Size, Limit int64 }

// Error has both sizes.
func (e *sizeError) Error() string {
	return fmt.Sprintf("it has %d bytes, and at most %d are allowed", e.Size, e.Limit)
}

// errLate means that the file wasn't there in time; the download has ended then.
var errLate = errors.New("it did not end in time")

// endWait is how long the end of a download may take.
const endWait = 2 * time.Second

// read waits for a file, at most wait, and returns its bytes, at most limit. Errors: a *sizeError, errLate, why the browser could not load
// the file, ctx's.
func read(ctx context.Context, t *tab.Tab, d playwright.Download, limit int64, wait time.Duration) ([]byte, error) {
	defer End(t, d)
	failure, err, answered := tab.Try(ctx, t, wait, func() (error, error) { return d.Failure(), nil })
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("wait for a download: %w", context.Cause(ctx))
	case !answered:
		return nil, errLate
	case err != nil:
		return nil, err
	case failure != nil:
		return nil, failure
	}
	switch {
	case t.Browser.HangsUp():
		return readRemote(ctx, t, d, limit)
	case t.Browser.Apart():
		return readInside(ctx, t, d, limit)
	}
	return tab.Do(ctx, t, "read a download", func() ([]byte, error) {
		path, err := d.Path()
		if err != nil {
			return nil, err
		}
		return readFile(path, limit)
	})
}

// End stops a download that is of no use, and removes its file.
func End(t *tab.Tab, d playwright.Download) {
	ctx, cancel := context.WithTimeout(context.Background(), endWait)
	defer cancel()
	tab.Try(ctx, t, endWait, func() (struct{}, error) { return struct{}{}, errors.Join(d.Cancel(), d.Delete()) })
}

// readRemote copies the file of a Playwright server.
func readRemote(ctx context.Context, t *tab.Tab, d playwright.Download, limit int64) ([]byte, error) {
	return tab.Do(ctx, t, "read a download", func() ([]byte, error) {
		dir, err := os.MkdirTemp(t.Browser.Folder.Dir, "download-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "file")
		if err := d.SaveAs(file); err != nil {
			return nil, err
		}
		return readFile(file, limit)
	})
}

func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, &sizeError{info.Size(), limit}
	}
	return io.ReadAll(io.LimitReader(f, limit))
}
