package archive

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzip"
)

const (
	version     = "WARC/1.1"
	conformsTo  = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
	sameProfile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
)

// WriterOptions configure a Writer. The zero value works.
type WriterOptions struct {
	// Name is the name of the file, which the index entries and the first record name. "" is none.
	Name string
	// Plain leaves records uncompressed. False: each is a gzip member.
	Plain bool
	// KeepSecrets stores the headers Cookie, Set-Cookie, Authorization and Proxy-Authorization, the password fields of forms, of JSON that
	// is sent, of messages to websockets and of addresses, and user names and passwords of URLs, as they are. False: "(redacted)" is stored
	// in their place, and nothing in that of user names.
	KeepSecrets bool
	// KeepDuplicates stores every payload. False: of a payload that has been stored already, a revisit record is written. A writer
	// that knows 100,000 payloads forgets them and goes on from there.
	KeepDuplicates bool
	// Software is named in the first record. Defaults to "winnow".
	Software string
	// OnEntry gets an index entry for each response, revisit and resource, one at a time. If nil, no index is made.
	OnEntry func(Entry)
	// Now is the clock of what has no time of its own. Defaults to time.Now.
	Now func() time.Time
	// Random is the source of record ids. Defaults to crypto/rand.
	Random io.Reader
}

// Writer writes a WARC 1.1 file. It is safe for concurrent use. A record is held in memory up to 1 MiB, and beyond in a temporary file
// until it is written. After an error of the file every call returns that error. There is nothing to close but the file.
type Writer struct {
	o WriterOptions

	mu    sync.Mutex
	w     io.Writer
	zip   *gzip.Writer
	n     int64 // written so far
	seen  payloads
	err   error
	begun bool
}

// NewWriter makes a Writer that writes to w, which must be at its beginning.
func NewWriter(w io.Writer, o WriterOptions) *Writer {
	if o.Software == "" {
		o.Software = "winnow"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return &Writer{o: o, w: w, seen: payloads{}}
}

// Exchange is a request and its response.
type Exchange struct {
	// URL is absolute. Its fragment isn't stored.
	URL string
	// Time is when the request was sent. Zero: the writer's clock.
	Time time.Time
	// IP is the address of the server, "" if not known.
	IP string
	// Request may be nil, which is not stored.
	Request *Message
	// Response is required.
	Response *Message
	// Truncated is why the response's body isn't whole: "length", "time", "disconnect" or "unspecified". "": it is.
	Truncated string
}

// WriteExchange writes a response, or a revisit of one with the same payload, and its request behind it. Bodies are read to their
// end. The error is theirs, the file's, or that of a URL which isn't one.
func (w *Writer) WriteExchange(e Exchange) error {
	if e.Response == nil || e.Response.Status() == 0 {
		return fmt.Errorf("exchange %s: want a response with a status", plainURL(e.URL))
	}
	if e.Time.IsZero() {
		e.Time = w.o.Now()
	}
	e.URL, _, _ = strings.Cut(e.URL, "#")
	if !w.o.KeepSecrets {
		e = e.redacted()
	}
	base := Header{{"WARC-Target-URI", oneLine(e.URL)}, {"WARC-Date", stamp(e.Time)}}
	if e.IP != "" {
		base = append(base, Field{"WARC-IP-Address", e.IP})
	}
	request, err := w.requestDraft(e, base)
	if err != nil {
		return err
	}
	defer request.close()
	response, err := w.responseDraft(e, base)
	if err != nil {
		return err
	}
	defer response.close()
	response.about(e, request)
	return w.write(response, request)
}

// WriteResource writes something that has an address and was not the response of one exchange, such as the messages of a websocket.
func (w *Writer) WriteResource(address, mediaType string, at time.Time, body io.Reader) error {
	if at.IsZero() {
		at = w.o.Now()
	}
	if !w.o.KeepSecrets {
		address = RedactURL(address)
		if _, params, _ := mime.ParseMediaType(mediaType); params["websocket"] == "sent" {
			body = redactBody(mediaType, body)
		}
	}
	d := &draft{kind: Resource, block: NewSpool()}
	defer d.close()
	if _, err := io.Copy(d.block, body); err != nil {
		return err
	}
	d.header = Header{{"WARC-Target-URI", oneLine(address)}, {"WARC-Date", stamp(at)}, {"Content-Type", oneLine(mediaType)}}
	d.payload = d.block.sum.digest()
	d.entry = Entry{URL: address, Time: at, MIME: mediaOf(mediaType), Digest: d.payload}
	if err := w.identify(d); err != nil {
		return err
	}
	return w.write(d)
}

// write writes records one behind the other, and their index entries.
func (w *Writer) write(drafts ...*draft) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.info(); err != nil {
		return err
	}
	for _, d := range drafts {
		if d == nil {
			continue
		}
		if err := w.dedupe(d); err != nil {
			return err
		}
		begin := w.n
		if w.err = w.record(d); w.err != nil {
			return w.err
		}
		w.announce(d, begin)
	}
	return nil
}

// announce says where a record has been written.
func (w *Writer) announce(d *draft, begin int64) {
	if d.entry.URL == "" || w.o.OnEntry == nil {
		return
	}
	d.entry.Filename, d.entry.Offset, d.entry.Length = w.o.Name, begin, w.n-begin
	if d.kind == Revisit {
		d.entry.MIME = mimeRevisit
	}
	w.o.OnEntry(d.entry)
}

// info writes the record that a file begins with.
func (w *Writer) info() error {
	if w.begun || w.err != nil {
		return w.err
	}
	w.begun = true
	id, err := uuid.NewRandomFromReader(w.o.Random)
	if err != nil {
		w.err = err
		return err
	}
	d := &draft{kind: Info, block: NewSpool(), id: "urn:uuid:" + id.String()}
	d.header = Header{{"WARC-Date", stamp(w.o.Now())}, {"Content-Type", "application/warc-fields"}}
	if w.o.Name != "" {
		d.header = append(d.header, Field{"WARC-Filename", w.o.Name})
	}
	_, _ = fmt.Fprintf(d.block, "software: %s\r\nformat: WARC File Format 1.1\r\nconformsTo: %s\r\n", oneLine(w.o.Software), conformsTo)
	w.err = w.record(d)
	return w.err
}

// record writes one record.
func (w *Writer) record(d *draft) (err error) {
	h := Header{{"WARC-Type", d.kind}, {"WARC-Record-ID", "<" + d.id + ">"}}
	h = append(h, d.header...)
	h = append(h, Field{"WARC-Block-Digest", d.block.sum.digest().String()})
	if d.payload.Algorithm != "" {
		h = append(h, Field{"WARC-Payload-Digest", d.payload.String()})
	}
	h = append(h, Field{"Content-Length", strconv.FormatInt(d.block.n, 10)})
	var b strings.Builder
	b.WriteString(version + "\r\n")
	h.writeTo(&b)
	block, err := d.block.Reader()
	if err != nil {
		return err
	}
	return w.store(io.MultiReader(strings.NewReader(b.String()), block, strings.NewReader("\r\n\r\n")))
}

// store writes a record's bytes, as a gzip member of their own.
func (w *Writer) store(r io.Reader) error {
	out := &written{w.w, &w.n}
	if w.o.Plain {
		_, err := io.Copy(out, r)
		return err
	}
	if w.zip == nil {
		w.zip = gzip.NewWriter(out)
	} else {
		w.zip.Reset(out)
	}
	_, err := io.Copy(w.zip, r)
	return errors.Join(err, w.zip.Close())
}

// written counts what is written.
type written struct {
	w io.Writer
	n *int64
}

func (c *written) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	*c.n += int64(n)
	return n, err
}

// stamp is a time as WARC 1.1 writes it, in microseconds.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// mediaOf is a media type without its parameters.
func mediaOf(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}
