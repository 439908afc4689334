package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Reader reads the records of a WARC file, of any version, or an ARC file, compressed by gzip or not. It holds one header and a few
// buffers in memory, however long records are. It is for one goroutine.
type Reader struct {
	src    *source
	zip    *gzip.Reader  // nil until a member has been met
	inZip  *bufio.Reader // what zip holds
	text   *bufio.Reader // of the record: inZip or src.in
	member bool          // the record lies in a gzip member
	start  int64         // of the record, or of its member
	shared bool          // the member has held another record
	now    *Record
	lost   int64 // where the search for the next record begins; -1: none is needed
	fatal  error
}

// NewReader makes a Reader. Where r is an io.Seeker, records that lie inside damaged ones are found too; of a stream, the search begins
// where the damage was noticed.
func NewReader(r io.Reader) *Reader {
	return &Reader{src: newSource(r), lost: -1}
}

// Next returns the next record; the one before must not be read any more. The error is io.EOF at the end, and a *DamageError for what is no
// intact record, the record before included; only after a *DamageError Next may be called again. Any other error is the source's.
func (r *Reader) Next() (*Record, error) {
	if r.fatal != nil {
		return nil, r.fatal
	}
	if r.now != nil {
		before := r.now
		r.now = nil
		if err := before.Close(); err != nil {
			return nil, r.final(err)
		}
	}
	if err := r.begin(); err != nil {
		return nil, r.final(err)
	}
	rec, err := r.header()
	if err != nil {
		return nil, r.final(r.damage(rec, early(err)))
	}
	r.now = rec
	return rec, nil
}

// final remembers an error that ends reading.
func (r *Reader) final(err error) error {
	if _, ok := errors.AsType[*DamageError](err); !ok {
		r.fatal = err
	}
	return err
}

// damage makes an error of a record, behind which the next one is searched for; where the source itself failed, it is that error.
func (r *Reader) damage(rec *Record, err error) error {
	if r.src.from.fail != nil {
		return r.src.from.fail
	}
	r.lost = rec.Offset + 1
	return r.wrong(rec, err)
}

// wrong makes an error of a record that ends where it should.
func (r *Reader) wrong(rec *Record, err error) error {
	return &DamageError{Offset: rec.Offset, URL: rec.URL(), Err: err}
}

// begin moves to the beginning of a record.
func (r *Reader) begin() error {
	if err := r.search(); err != nil {
		return err
	}
	if r.member {
		r.shared = true
		return nil
	}
	if err := skipNewlines(r.src.in); err != nil {
		return r.sourceErr(err)
	}
	r.start, r.shared, r.text = r.src.offset(), false, r.src.in
	magic, err := r.src.in.Peek(len(gzipMagic))
	if string(magic) != string(gzipMagic) {
		if len(magic) == 0 {
			return r.sourceErr(err)
		}
		return nil
	}
	return r.open()
}

func (r *Reader) sourceErr(err error) error {
	if r.src.from.fail != nil {
		return r.src.from.fail
	}
	return err
}

// open begins a gzip member.
func (r *Reader) open() (err error) {
	if r.zip == nil {
		r.zip, err = gzip.NewReader(r.src.in)
	} else {
		err = r.zip.Reset(r.src.in)
	}
	if err != nil {
		r.zip = nil
		return r.damage(&Record{Offset: r.start}, early(err))
	}
	r.zip.Multistream(false)
	if r.inZip == nil {
		r.inZip = bufio.NewReaderSize(r.zip, window)
	}
	r.inZip.Reset(r.zip)
	r.text, r.member = r.inZip, true
	return nil
}

// search moves behind damage, to the next record.
func (r *Reader) search() error {
	if r.lost < 0 {
		return nil
	}
	from := r.lost
	r.lost = -1
	if r.member && r.shared {
		err := find(r.text, true, startsText)
		if err == nil {
			return nil
		}
		from = r.src.offset()
	}
	r.member = false
	fresh := !r.src.back(from)
	return r.sourceErr(find(r.src.in, fresh, startsStored))
}

func skipNewlines(in *bufio.Reader) error {
	for {
		c, err := in.ReadByte()
		if err != nil {
			return err
		}
		if c != '\r' && c != '\n' {
			return in.UnreadByte()
		}
	}
}

// header reads the header of the record that begins here. Beside an error the record is what is known of it.
func (r *Reader) header() (*Record, error) {
	h := newHead(r.text)
	rec := &Record{Offset: r.start}
	line, err := h.line()
	if err != nil {
		return rec, err
	}
	if version, ok := strings.CutPrefix(line, "WARC/"); ok {
		rec.Version = "WARC/" + strings.TrimSpace(version)
		rec.Header, err = h.fields(true)
	} else {
		err = r.arcHeader(rec, line)
	}
	if err != nil {
		return rec, err
	}
	return rec, r.content(rec)
}

// content prepares the block.
func (r *Reader) content(rec *Record) error {
	length := rec.Header.Get("Content-Length")
	n, err := strconv.ParseInt(length, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("Content-Length %.40q: want the length of the block in bytes", length)
	}
	rec.block = &block{r: r, rec: rec, left: n}
	if want, err := ParseDigest(rec.Header.Get("WARC-Block-Digest")); err == nil {
		rec.block.want, rec.block.sum = want, newSumming(want.Algorithm)
	}
	return nil
}

var errNoBoundary = errors.New("its Content-Length isn't the length of its block, since no record or end follows")

// end moves behind the record. One that is not intact may be so because it holds the beginning of the next.
func (r *Reader) end(rec *Record, intact bool) error {
	if r.lost >= 0 { // it is known already that nothing can follow
		return nil
	}
	err := r.boundary()
	switch {
	case errors.Is(err, errNoBoundary) && intact && rec.block.sum != nil:
		// The digest is right: what is damaged begins here, and is an error of the next call.
	case errors.Is(err, errNoBoundary):
		r.shared = r.shared || r.member // the search goes on within the member
		return r.damage(rec, err)
	case err != nil:
		return r.damage(rec, err)
	}
	if !r.shared && !r.member {
		rec.Length = r.src.offset() - rec.Offset
	}
	return nil
}

// boundary skips the end of a record and reports whether another begins, or the file or the member ends.
func (r *Reader) boundary() error {
	err := skipNewlines(r.text)
	switch {
	case err == io.EOF:
		r.member = false // its checksum is right
		return nil
	case err != nil:
		return err
	}
	b, _ := r.text.Peek(maxStart)
	if r.member && startsText(b) || !r.member && startsStored(b) {
		return nil
	}
	return errNoBoundary
}
