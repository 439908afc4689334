// Package recording writes what is fetched to a file of package archive.
// A Recorder takes exchanges as they are made, and has them in a WACZ file, or a WARC file with its index, when it is closed.
//
// Start from [Create].
package recording

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/fetch/archive"
)

// Options say where and how exchanges are recorded.
type Options struct {
	// File is where the recording is written. It ends in ".wacz" for one file with index and list of pages, or in ".warc.gz" or ".warc" for a
	// WARC file beside which a ".cdxj" file has the index. It must not exist. Required.
	File string
	// Title describes a WACZ file. "" is none.
	Title string
	// KeepSecrets stores cookies, authorizations and passwords as they are. False: they are redacted; see archive.WriterOptions.
	KeepSecrets bool
	// KeepDuplicates stores payloads again that are in the file already. False: of those, revisit records are written.
	KeepDuplicates bool
	// Logger gets a line for the first exchange that can't be kept. Nil: silent.
	Logger *slog.Logger
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// Recorder is a recording in the making: a fetch.Recorder, for HTTP clients and guards. A WACZ file lists the HTML pages that were fetched
// as such. It is safe for concurrent use. It holds an index entry for each exchange in memory, some 300
// bytes, and some 200 for each payload that it knows.
type Recorder struct {
	o       Options
	warc    *os.File
	w       *archive.Writer
	mu      sync.Mutex
	entries []archive.Entry
	pages   []archive.Page
	listed  map[string]bool // addresses of pages
	err     error           // the first
	closed  bool
}

// suffixes are how names of files may end, with what is written first.
var suffixes = map[string]string{".wacz": ".part.warc.gz", ".warc.gz": ".warc.gz", ".warc": ".warc"}

// Create begins a recording. Until Close a WACZ file is a WARC file beside it, whose name ends in ".part.warc.gz"; it stays where the
// program dies. The error says that the file exists, can't be made, or has another ending.
func Create(o Options) (*Recorder, error) {
	suffix := o.suffix()
	if suffix == "" {
		return nil, fmt.Errorf("recording: File %q: want a name that ends in .wacz, .warc.gz or .warc", o.File)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	for _, name := range []string{o.File, o.beside(".cdxj")} {
		if _, err := os.Lstat(name); err == nil {
			return nil, fmt.Errorf("recording: File %q: %s: %w", o.File, name, fs.ErrExist)
		}
	}
	f, err := os.OpenFile(o.beside(suffixes[suffix]), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	r := &Recorder{o: o, warc: f, listed: map[string]bool{}}
	r.w = archive.NewWriter(f, archive.WriterOptions{Name: r.name(), Plain: suffix == ".warc", KeepSecrets: o.KeepSecrets,
		KeepDuplicates: o.KeepDuplicates, OnEntry: r.entry, Now: o.Now})
	return r, nil
}

// maxNumber is the last that CreateNext tries.
const maxNumber = 10_000

// CreateNext is Create for a file of which there may be others: where it exists, or is being written, its name gets a number, as in
// "site-2.wacz".
func CreateNext(o Options) (*Recorder, error) {
	file, suffix := o.File, o.suffix()
	r, err := Create(o)
	for n := 2; errors.Is(err, fs.ErrExist) && n <= maxNumber; n++ {
		o.File = strings.TrimSuffix(file, suffix) + "-" + strconv.Itoa(n) + suffix
		r, err = Create(o)
	}
	return r, err
}

// Valid reports whether a file has a name that Create takes.
func Valid(file string) bool { return (&Options{File: file}).suffix() != "" }

// Discard ends the recording and removes it.
func (r *Recorder) Discard() {
	_ = r.Close()
	for _, name := range r.Files() {
		_ = os.Remove(name)
	}
}

// suffix is how the file's name ends, "" for a name that isn't one.
func (o *Options) suffix() string {
	for suffix := range suffixes {
		if name, ok := strings.CutSuffix(filepath.Base(o.File), suffix); ok && name != "" {
			return suffix
		}
	}
	return ""
}

// beside is the file's name with another ending.
func (o *Options) beside(suffix string) string {
	return strings.TrimSuffix(o.File, o.suffix()) + suffix
}

// name is that of the WARC file in indexes.
func (r *Recorder) name() string {
	if r.o.suffix() == ".wacz" {
		return "data.warc.gz"
	}
	return filepath.Base(r.o.File)
}

// Files are what Close leaves: the file, and an index if that is one of its own.
func (r *Recorder) Files() []string {
	if r.o.suffix() == ".wacz" {
		return []string{r.o.File}
	}
	return []string{r.o.File, r.o.beside(".cdxj")}
}

// entry keeps an index entry; the writer calls it for one at a time.
func (r *Recorder) entry(e archive.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = append(r.entries, e)
}

// Record keeps an exchange. One that can't be kept is logged, if it is the first, and makes Close fail; so is one that comes after Close.
func (r *Recorder) Record(e archive.Exchange) {
	if !r.begin() {
		return
	}
	r.failed(r.w.WriteExchange(e))
	if isPage(e) {
		if e.Time.IsZero() {
			e.Time = r.o.Now()
		}
		if !r.o.KeepSecrets {
			e.URL = archive.RedactURL(e.URL)
		}
		r.page(archive.Page{URL: e.URL, Time: e.Time})
	}
}

// isPage reports a page that was fetched as such: what scripts and frames load is none. Plain clients don't say what they fetch for.
func isPage(e archive.Exchange) bool {
	media, _, _ := strings.Cut(e.Response.Header.Get("Content-Type"), ";")
	if e.Response.Status() != 200 || !strings.EqualFold(strings.TrimSpace(media), "text/html") || e.Request == nil {
		return false
	}
	purpose := e.Request.Header.Get("Sec-Fetch-Dest")
	return purpose == "" || purpose == "document"
}

// Resource keeps something that has an address and was not the response of one exchange, as Record does.
func (r *Recorder) Resource(address, mediaType string, body io.Reader) {
	if r.begin() {
		r.failed(r.w.WriteResource(address, mediaType, time.Time{}, body))
	}
}

// page adds a page to the list of a WACZ file, once.
func (r *Recorder) page(p archive.Page) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.listed[p.URL] {
		r.listed[p.URL] = true
		r.pages = append(r.pages, p)
	}
}

// begin reports whether the recording goes on.
func (r *Recorder) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.closed
}

func (r *Recorder) failed(err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.o.Logger.Error("recording: an exchange can't be kept", "err", err)
		r.err = fmt.Errorf("recording %s lacks an exchange: %w", r.o.File, err)
	}
}

// Close writes the index, and the WACZ file. Its error is that of writing, or the first of what could not be kept; the file is made all
// the same. It is safe to call more than once.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return r.err
	}
	r.closed = true
	var err error
	if r.o.suffix() == ".wacz" {
		err = r.pack()
	} else {
		index := func(w io.Writer) error { return archive.WriteIndex(w, r.entries) }
		err = errors.Join(r.warc.Sync(), r.warc.Close(), r.create(r.o.beside(".cdxj"), index))
	}
	r.err = errors.Join(r.err, err)
	return r.err
}

// pack makes the WACZ file and removes the WARC file that it holds.
func (r *Recorder) pack() error {
	if _, err := r.warc.Seek(0, io.SeekStart); err != nil {
		return errors.Join(err, r.warc.Close())
	}
	open := func() (io.ReadCloser, error) { return r.warc, nil }
	err := r.create(r.o.File, func(w io.Writer) error {
		return archive.WriteWACZ(w, archive.WACZContent{Title: r.o.Title, Created: r.o.Now(), Index: r.entries, Pages: slices.Values(r.pages),
			Archives: []archive.WARCFile{{Name: r.name(), Open: open}}})
	})
	_ = r.warc.Close() // of a file that was only read since
	if err != nil {
		return err
	}
	return os.Remove(r.warc.Name())
}

// create writes a file that is there whole or not at all.
func (r *Recorder) create(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
