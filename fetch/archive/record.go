package archive

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// The types of records that the package writes or treats specially.
const (
	Info     = "warcinfo"
	Response = "response"
	Request  = "request"
	Resource = "resource"
	Metadata = "metadata"
	Revisit  = "revisit"
)

// Record is one record of a WARC or ARC file. Those of ARC have the header that they would have in WARC.
type Record struct {
	// Version is "WARC/1.1" or another version of WARC, or "ARC/1.0" or "ARC/2.0".
	Version string
	Header  Header
	// Offset is where the record, or the gzip member that it begins, starts in its file, in bytes.
	Offset int64
	// Length is how long it is in its file, in bytes as stored. It is 0 until Close has returned, and where the record shares a gzip
	// member with another, so that it can't be read by itself.
	Length int64

	block *block
}

// Type is the WARC-Type, "" if there is none.
func (r *Record) Type() string { return strings.ToLower(r.Header.Get("WARC-Type")) }

// ID is the WARC-Record-ID without its angle brackets; ARC records have none.
func (r *Record) ID() string { return bare(r.Header.Get("WARC-Record-ID")) }

// URL is the WARC-Target-URI, without the angle brackets that some tools add.
func (r *Record) URL() string { return bare(r.Header.Get("WARC-Target-URI")) }

func bare(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "<"), ">") }

// Time is the WARC-Date; the error is that of a date that can't be read.
func (r *Record) Time() (time.Time, error) {
	s := r.Header.Get("WARC-Date")
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("WARC-Date %.40q: not a time", s)
	}
	return t.UTC(), nil
}

// Read reads the block, up to its Content-Length. A block that ends early or contradicts its digest is a *DamageError at its end.
func (r *Record) Read(p []byte) (int, error) { return r.block.Read(p) }

// Close reads the rest of the block and reports its damage, if Read hasn't yet. Reader.Next closes the record before, and
// returns that error.
func (r *Record) Close() error { return r.block.close() }

// DamageError is the error of what can't be read as a record. Reading goes on behind it: the next call of Reader.Next searches for the
// next record.
type DamageError struct {
	// Offset is where the damaged record starts in its file, in bytes.
	Offset int64
	// URL is the record's, "" where that isn't known.
	URL string
	Err error
}

func (e *DamageError) Error() string {
	if e.URL == "" {
		return fmt.Sprintf("record at byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("record at byte %d, %s: %v", e.Offset, e.URL, e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }

// block is the content of a record in its file.
type block struct {
	r      *Reader
	rec    *Record
	left   int64
	want   Digest
	sum    *summing // nil: not checked
	err    error    // at the end: io.EOF or damage
	shown  bool     // the damage has been returned
	closed bool
}

func (b *block) Read(p []byte) (int, error) {
	if b.closed {
		return 0, io.EOF
	}
	if b.err == nil && b.left == 0 {
		b.err = b.verdict()
	}
	if b.err != nil {
		b.shown = true
		return 0, b.err
	}
	n, err := b.r.text.Read(p[:min(int64(len(p)), b.left)])
	if b.left -= int64(n); b.sum != nil {
		_, _ = b.sum.Write(p[:n])
	}
	if err != nil {
		b.err = b.r.damage(b.rec, early(err))
	}
	return n, nil
}

// early is the error of a file that ends where more must follow.
func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// verdict compares the digest of the whole block.
func (b *block) verdict() error {
	if b.sum == nil {
		return io.EOF
	}
	if got := b.sum.digest(); got != b.want {
		return b.r.wrong(b.rec, fmt.Errorf("its block has the digest %s, not %s", got, b.want))
	}
	return io.EOF
}

// close reads to the end and then beyond it, to where the next record starts.
func (b *block) close() error {
	if b.closed {
		return nil
	}
	shown := b.shown
	_, _ = io.Copy(io.Discard, struct{ io.Reader }{b}) // its error is b.err
	b.closed = true
	if b.err == io.EOF {
		return b.r.end(b.rec, true)
	}
	_ = b.r.end(b.rec, false) // one error is enough for one record
	if shown {
		return nil
	}
	return b.err
}
