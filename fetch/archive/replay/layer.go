package replay

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch/archive"
)

// layer is one archive.
type layer struct {
	file    *os.File
	named   bool      // the file is a temporary one, on systems where an open file keeps its name
	began   time.Time // its first page or record; zero where that isn't known
	pages   []archive.Page
	indexes []*archive.Index
	record  func(archive.Entry) (*archive.Record, error)
}

// openLayer opens a file, whose kind is in its name. Errors of damaged records go to damage; where nothing of a file can be used from its
// beginning on, the error is the file's.
func openLayer(name string, damage func(error)) (*layer, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	l := &layer{file: f}
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".wacz"):
		err = l.openWACZ(damage)
	case strings.HasSuffix(lower, ".har"):
		err = l.openHAR(damage)
	case strings.Contains(filepath.Base(lower), ".warc"), strings.Contains(filepath.Base(lower), ".arc"):
		err = l.openWARC(damage)
	default:
		err = errors.New("want a name that ends in .wacz, .warc, .warc.gz, .arc, .arc.gz or .har")
	}
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (l *layer) openWACZ(damage func(error)) error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	w, err := archive.OpenWACZ(l.file, info.Size())
	if err != nil {
		return err
	}
	l.indexes, l.record, l.began = w.Indexes(), w.Record, w.Created
	for p, err := range w.Pages() {
		if err != nil {
			damage(err)
			continue
		}
		l.addPage(p)
	}
	return nil
}

// addPage adds a page to the list.
func (l *layer) addPage(p archive.Page) {
	if !p.Time.IsZero() && (l.began.IsZero() || p.Time.Before(l.began)) {
		l.began = p.Time
	}
	if len(l.pages) < maxPages {
		l.pages = append(l.pages, p)
	}
}

// maxPages bounds the list of a layer's pages.
const maxPages = 1_000_000

// isPage reports an entry that seems to be a page, where none are listed.
func isPage(e archive.Entry) bool {
	media := e.MIME == "text/html" || e.MIME == "application/xhtml+xml" || e.MIME == "application/pdf"
	return media && e.Status == http.StatusOK && (e.Method == "" || e.Method == http.MethodGet) && strings.HasPrefix(e.URL, "http")
}

// openWARC makes an index of the file, in memory.
func (l *layer) openWARC(damage func(error)) error {
	var first *archive.DamageError
	entries, err := archive.MakeIndex(l.file, filepath.Base(l.file.Name()), func(err error) {
		if first == nil {
			first, _ = errors.AsType[*archive.DamageError](err)
		}
		damage(err)
	})
	if err == nil && len(entries) == 0 && first != nil && first.Offset == 0 {
		err = first
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if l.began.IsZero() || e.Time.Before(l.began) {
			l.began = e.Time
		}
		if isPage(e) {
			l.addPage(archive.Page{URL: e.URL, Time: e.Time})
		}
	}
	var text bytes.Buffer
	if err := archive.WriteIndex(&text, entries); err != nil {
		return err
	}
	l.indexes = []*archive.Index{archive.NewIndex(bytes.NewReader(text.Bytes()), int64(text.Len()))}
	l.record = func(e archive.Entry) (*archive.Record, error) {
		rec, err := archive.NewReader(io.NewSectionReader(l.file, e.Offset, e.Length)).Next()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return rec, err
	}
	return nil
}

// close closes the archive.
func (l *layer) close() error {
	err := l.file.Close()
	if l.named {
		err = errors.Join(err, os.Remove(l.file.Name()))
	}
	return err
}

// openHAR makes a temporary WARC file of it.
func (l *layer) openHAR(damage func(error)) error {
	har := l.file
	defer har.Close()
	f, err := os.CreateTemp("", "winnow-replay-*.warc.gz")
	if err != nil {
		return err
	}
	l.file, l.named = f, os.Remove(f.Name()) != nil // a program that is killed leaves nothing
	w := archive.NewWriter(f, archive.WriterOptions{KeepSecrets: true})
	var first error
	written := 0
	for e, err := range archive.ReadHAR(har) {
		if first = cmp.Or(first, err); err != nil {
			damage(err)
		} else if err := w.WriteExchange(e); err != nil {
			return err
		} else {
			written++
		}
	}
	if written == 0 && first != nil {
		return first
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return l.openWARC(damage)
}

// each gathers what a look-up finds in all indexes.
func (l *layer) each(lookup func(*archive.Index) ([]archive.Entry, error)) (found []archive.Entry, err error) {
	for _, x := range l.indexes {
		entries, err := lookup(x)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(l.file.Name()), err)
		}
		found = append(found, entries...)
	}
	return found, nil
}
