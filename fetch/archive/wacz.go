package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// maxPart bounds a part of a WACZ file that is held in memory, in bytes once unpacked: its description, or a compressed index.
const maxPart = 256 << 20

// WACZ is a zip file of WARC files with their index, a list of pages, and digests. It is safe for concurrent use if its io.ReaderAt is.
// There is nothing to close but that.
type WACZ struct {
	// Title, Software and Created describe the file, where it says so.
	Title, Software string
	Created         time.Time

	zip       *zip.Reader
	r         io.ReaderAt
	resources []resource
	indexes   []*Index
}

// Page is an entry of the list of pages.
type Page struct {
	URL   string
	Time  time.Time // zero where it isn't known
	Title string
}

// resource is what a WACZ file says of a part of itself.
type resource struct {
	path, hash string
	bytes      int64
}

// description is datapackage.json, in the forms of versions 1.0 and 1.1.
type description struct {
	Title    string    `json:"title"`
	Software string    `json:"software"`
	Created  time.Time `json:"created"`
	Metadata struct {
		Title string `json:"title"`
	} `json:"metadata"`
	Resources []struct {
		Path    string `json:"path"`
		Hash    string `json:"hash"`
		Bytes   int64  `json:"bytes"`
		Hashing string `json:"hashing"`
		Stats   *struct {
			Hash  string `json:"hash"`
			Bytes int64  `json:"bytes"`
		} `json:"stats"`
	} `json:"resources"`
}

const (
	descriptionName = "datapackage.json"
	sealName        = "datapackage-digest.json"
)

// OpenWACZ opens a WACZ file of size bytes. The error names the part that can't be read; digests are checked by Verify alone.
// Where it has no index, one is made of its WARC files, without their damaged records.
func OpenWACZ(r io.ReaderAt, size int64) (*WACZ, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("WACZ: %w", err)
	}
	w := &WACZ{zip: z, r: r}
	if err := w.describe(); err != nil {
		return nil, fmt.Errorf("WACZ: %s: %w", descriptionName, err)
	}
	if err := w.openIndexes(); err != nil {
		return nil, fmt.Errorf("WACZ: %w", err)
	}
	return w, nil
}

func (w *WACZ) describe() error {
	text, err := w.part(descriptionName)
	if err != nil {
		return err
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	w.Title, w.Software, w.Created = d.Title, d.Software, d.Created
	if w.Title == "" {
		w.Title = d.Metadata.Title
	}
	for _, f := range d.Resources {
		res := resource{f.Path, f.Hash, f.Bytes}
		if f.Stats != nil {
			res = resource{f.Path, f.Hashing + ":" + f.Stats.Hash, f.Stats.Bytes}
		}
		w.resources = append(w.resources, res)
	}
	return nil
}

// file finds a part.
func (w *WACZ) file(name string) (*zip.File, error) {
	for _, f := range w.zip.File {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s: not in the file", name)
}

// part reads a part whole.
func (w *WACZ) part(name string) ([]byte, error) {
	f, err := w.file(name)
	if err != nil {
		return nil, err
	}
	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer in.Close()
	return readPart(name, in)
}

func readPart(name string, in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxPart+1))
	if err == nil && len(text) > maxPart {
		err = fmt.Errorf("more than %d bytes", maxPart)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// openIndexes finds the indexes, or makes one.
func (w *WACZ) openIndexes() error {
	for _, f := range w.zip.File {
		if path.Dir(f.Name) != "indexes" {
			continue
		}
		x, err := w.openIndex(f)
		if err != nil {
			return err
		}
		if x != nil {
			w.indexes = append(w.indexes, x)
		}
	}
	if len(w.indexes) > 0 {
		return nil
	}
	return w.makeIndex()
}

// openIndex opens an index; a compressed one is unpacked in memory. Nil: it is none.
func (w *WACZ) openIndex(f *zip.File) (*Index, error) {
	name, packed := strings.CutSuffix(f.Name, ".gz")
	if ext := path.Ext(name); ext != ".cdxj" && ext != ".cdx" {
		return nil, nil
	}
	if s, err := w.section(f); err == nil && !packed {
		return NewIndex(s, s.Size()), nil
	}
	text, err := w.part(f.Name)
	if err == nil && packed {
		text, err = unpack(f.Name, text)
	}
	if err != nil {
		return nil, err
	}
	return NewIndex(bytes.NewReader(text), int64(len(text))), nil
}

func unpack(name string, text []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return readPart(name, z)
}

func (w *WACZ) makeIndex() error {
	var entries []Entry
	for _, name := range w.Archives() {
		in, err := w.Open(name)
		if err != nil {
			return err
		}
		found, err := MakeIndex(in, path.Base(name), nil)
		if err := errors.Join(err, closeReader(in)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		entries = append(entries, found...)
	}
	var text bytes.Buffer
	_ = WriteIndex(&text, entries)
	w.indexes = []*Index{NewIndex(bytes.NewReader(text.Bytes()), int64(text.Len()))}
	return nil
}

func closeReader(r io.Reader) error {
	if c, ok := r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

var errCompressed = errors.New("compressed within the zip file")

// section is a part that is stored as it is.
func (w *WACZ) section(f *zip.File) (*io.SectionReader, error) {
	if f.Method != zip.Store {
		return nil, errCompressed
	}
	at, err := f.DataOffset()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(w.r, at, int64(f.UncompressedSize64)), nil
}

// Archives are the names of the WARC files, as "archive/data.warc.gz".
func (w *WACZ) Archives() (names []string) {
	for _, f := range w.zip.File {
		if strings.HasPrefix(f.Name, "archive/") && !strings.HasSuffix(f.Name, "/") {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Open opens a part by its name. One that is stored, as WARC files should be, is an *io.SectionReader; one that is compressed in the zip
// file is an io.ReadCloser, which the caller closes.
func (w *WACZ) Open(name string) (io.Reader, error) {
	f, err := w.file(name)
	if err != nil {
		return nil, err
	}
	if s, err := w.section(f); !errors.Is(err, errCompressed) {
		return s, err
	}
	return f.Open()
}

// Lookup returns the entries of an address in all indexes, as Index.Lookup does.
func (w *WACZ) Lookup(address string) (found []Entry, err error) {
	for _, x := range w.indexes {
		entries, err := x.Lookup(address)
		if err != nil {
			return nil, err
		}
		found = append(found, entries...)
	}
	return found, nil
}

// Indexes are the indexes of the file. Each covers a part of it; most files have one.
func (w *WACZ) Indexes() []*Index { return w.indexes }

// Record opens the record of an entry. Close it.
func (w *WACZ) Record(e Entry) (*Record, error) {
	in, err := w.Open("archive/" + e.Filename)
	if err != nil {
		return nil, err
	}
	if at, ok := in.(io.ReaderAt); ok {
		in = io.NewSectionReader(at, e.Offset, 1<<62-e.Offset)
	} else if _, err := io.CopyN(io.Discard, in, e.Offset); err != nil {
		return nil, early(err)
	}
	rec, err := NewReader(in).Next()
	return rec, early(err)
}

// Pages reads the lists of pages. A line that can't be read is an error, behind which the others follow.
func (w *WACZ) Pages() iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for _, f := range w.zip.File {
			if path.Dir(f.Name) == "pages" && path.Ext(f.Name) == ".jsonl" && !eachPage(f, yield) {
				return
			}
		}
	}
}

// eachPage reads one list and reports whether the caller wants another.
func eachPage(f *zip.File, yield func(Page, error) bool) bool {
	r, err := f.Open()
	if err != nil {
		return yield(Page{}, err)
	}
	defer r.Close()
	in := bufio.NewReader(r)
	for {
		line, err := readLine(in)
		if err == io.EOF {
			return true
		}
		if err != nil {
			return yield(Page{}, fmt.Errorf("%s: %w", f.Name, err))
		}
		if p, err := parsePage(line); (err != nil || p.URL != "") && !yield(p, err) {
			return false
		}
	}
}

// parsePage reads a line; that which describes the list, and an empty one, are no page.
func parsePage(line string) (Page, error) {
	if strings.TrimSpace(line) == "" {
		return Page{}, nil
	}
	var p struct{ URL, TS, Title, Format string }
	if err := json.Unmarshal([]byte(line), &p); err != nil {
		return Page{}, fmt.Errorf("line %.60q of a list of pages: %w", line, err)
	}
	if p.URL == "" && p.Format == "" {
		return Page{}, fmt.Errorf("line %.60q of a list of pages: no url", line)
	}
	t, _ := time.Parse(time.RFC3339Nano, p.TS)
	return Page{p.URL, t, p.Title}, nil
}
