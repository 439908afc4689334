package download

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// maxFiles is how many files may wait to be read; maxTypes is how many types of documents are known.
const (
	maxFiles = 16
	maxTypes = 64
)

// Inbox holds the files that the pages of a context have the browser save while actions are performed. The zero value takes none. The
// methods for events, Save and Answered, never wait.
type Inbox struct {
	mu      sync.Mutex
	open    bool
	files   []playwright.Download // not read yet
	types   map[string]string     // address → Content-Type, of documents that were answered
	begun   bool                  // a file has come since the last action
	expects bool                  // one is to come
	changed chan struct{}         // closed when one has, or none is to come any more
}

// Open has files taken from now on.
func (in *Inbox) Open() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.open, in.files, in.types, in.begun, in.expects = true, nil, map[string]string{}, false, false
}

// Close ends that, and removes files that were not read. It is of no effect where nothing was opened.
func (in *Inbox) Close(t *tab.Tab) {
	in.mu.Lock()
	left := in.files
	in.open, in.files, in.types, in.expects = false, nil, nil, false
	in.mu.Unlock()
	for _, d := range left {
		End(t, d)
	}
}

// Act begins an action, which is to have a file saved where the link that it clicks says so.
func (in *Inbox) Act(saves bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.begun, in.expects = false, in.open && saves
}

// Save takes a file; false where none are wanted.
func (in *Inbox) Save(d playwright.Download) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.open || len(in.files) >= maxFiles {
		return false
	}
	in.files, in.begun, in.expects = append(in.files, d), true, false
	in.notify()
	return true
}

// notify wakes those that wait for a file.
func (in *Inbox) notify() {
	if in.changed != nil {
		close(in.changed)
		in.changed = nil
	}
}

// Answered notes what a document is. One that is an attachment becomes a file, of which the browser speaks later.
func (in *Inbox) Answered(r playwright.Response) {
	if !r.Request().IsNavigationRequest() {
		return
	}
	address, headers := r.URL(), r.Headers()
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.open {
		return
	}
	if len(in.types) < maxTypes {
		in.types[address] = headers["content-type"]
	}
	if in.begun {
		return
	}
	if r.Ok() && strings.HasPrefix(strings.ToLower(headers["content-disposition"]), "attachment") {
		in.expects = true
	} else if in.expects && isDocument(r) { // a redirect of the link has led to another site, whose answer is shown
		in.expects = false
		in.notify()
	}
}

// isDocument reports whether an answer takes the page's place: not a redirect's, a frame's, or that of a tab that isn't there yet.
func isDocument(r playwright.Response) bool {
	f := r.Frame()
	return (r.Status() < 300 || r.Status() > 399) && f != nil && f.ParentFrame() == nil
}

// take returns the files that have come, whether another is to come, and a channel that is closed when one has, or when none is to come
// any more.
func (in *Inbox) take() (files []playwright.Download, expects bool, changed <-chan struct{}) {
	in.mu.Lock()
	defer in.mu.Unlock()
	files, in.files = in.files, nil
	if in.changed == nil {
		in.changed = make(chan struct{})
	}
	return files, in.expects, in.changed
}

// typeOf is the Content-Type of the answer from an address, "" where none is known.
func (in *Inbox) typeOf(address string) string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.types[address]
}

// fileWait is how long a file may take.
const fileWait = 2 * time.Minute

// Read reads the files that have come, each of at most limit bytes, and waits for one that is to come until begin is over. Notes have a
// sentence for each that comes to nothing. Errors: ctx's, and that the browser has died; the files of all are removed then.
func (in *Inbox) Read(ctx context.Context, t *tab.Tab, limit int64, begin time.Duration) (files []actions.File, notes []string, err error) {
	saved, late, err := in.await(ctx, t, begin)
	if late {
		notes = append(notes, fmt.Sprintf("A download was to begin, but did not in %s.", begin.Round(time.Millisecond)))
	}
	for _, d := range saved {
		if err != nil {
			End(t, d)
			continue
		}
		data, failure := read(ctx, t, d, limit, timeFor(ctx))
		switch {
		case failure == nil:
			files = append(files, actions.File{Name: d.SuggestedFilename(), URL: d.URL(), Type: in.typeOf(d.URL()), Data: data})
		case ctx.Err() != nil || t.Gone(failure):
			err = failure
		default:
			notes = append(notes, fmt.Sprintf("The download of %s failed: %s.", shorten(d.URL()), reason(failure, limit)))
		}
	}
	return files, notes, err
}

// timeFor leaves two fifths of the time for what comes after a file.
func timeFor(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return min(fileWait, time.Until(end)*3/5)
	}
	return fileWait
}

// await takes what has come, and waits for what is to come; late reports that it did not.
func (in *Inbox) await(ctx context.Context, t *tab.Tab, limit time.Duration) (saved []playwright.Download, late bool, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		files, expects, changed := in.take()
		if saved = append(saved, files...); !expects {
			return saved, false, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			in.Act(false)
			return saved, true, nil
		case <-ctx.Done():
			return saved, false, fmt.Errorf("wait for a download: %w", context.Cause(ctx))
		case <-t.Browser.Dead():
			return saved, false, t.Explain("wait for a download", tab.ErrGone)
		}
	}
}

// reason is why a file could not be loaded or read, in the browser's words without the library's. All that a browser can say of one that
// was cut off, as a proxy does at the limit, is that it was canceled.
func reason(err error, limit int64) string {
	if size, ok := errors.AsType[*sizeError](err); ok {
		return size.Error()
	}
	text := strings.TrimSuffix(strings.TrimPrefix(err.Error(), "playwright: "), ".")
	if text == "canceled" {
		return fmt.Sprintf("it was cut off, as those are that have over %d bytes", limit)
	}
	return shorten(text)
}

// shorten makes a text fit into a note.
func shorten(text string) string {
	const limit = 200
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
