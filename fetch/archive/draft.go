package archive

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/google/uuid"
)

// draft is a record before it is written.
type draft struct {
	header  Header
	block   *Spool
	kind    string
	id      string
	payload Digest // zero: not known
	entry   Entry  // zero: none
}

// about fills in the index entry of a response.
func (d *draft) about(e Exchange, request *draft) {
	d.entry = Entry{URL: e.URL, Time: e.Time, MIME: mediaOf(e.Response.Header.Get("Content-Type")), Status: e.Response.Status(), Digest: d.payload}
	if request == nil {
		return
	}
	d.entry.Method, d.entry.RequestDigest = e.Request.Method(), request.sent(e.Request.Header.Get("Content-Type"))
	if d.entry.Method == "GET" {
		d.entry.Method = ""
	}
	request.header.Set("WARC-Concurrent-To", "<"+d.id+">")
}

// sent is the digest by which a request is found.
func (d *draft) sent(mediaType string) Digest {
	if boundaryOf(mediaType) == "" {
		return d.payload
	}
	block, err := d.block.Reader()
	if err != nil {
		return d.payload
	}
	in := bufio.NewReader(block)
	for line := ""; line != "\r\n" && err == nil; {
		line, err = in.ReadString('\n')
	}
	return requestDigest(mediaType, in)
}

func (d *draft) close() {
	if d != nil && d.block != nil {
		_ = d.block.Close()
	}
}

// redacted is an exchange without secrets.
func (e Exchange) redacted() Exchange {
	e.URL = RedactURL(e.URL)
	response := *e.Response
	response.Header = redactHeader(response.Header)
	e.Response = &response
	if e.Request != nil {
		request := *e.Request
		request.Line, request.Header = redactLine(request.Line), redactHeader(request.Header)
		request.Body = redactBody(request.Header.Get("Content-Type"), request.Body)
		e.Request = &request
	}
	return e
}

func (w *Writer) requestDraft(e Exchange, base Header) (*draft, error) {
	if e.Request == nil {
		return nil, nil
	}
	return w.draft(Request, "application/http; msgtype=request", base, e.Request, false)
}

func (w *Writer) responseDraft(e Exchange, base Header) (*draft, error) {
	bodyless := e.Request != nil && e.Request.Method() == "HEAD" || e.Response.Status() == 304 || e.Response.Status() == 204
	if e.Truncated != "" {
		base = append(base[:len(base):len(base)], Field{"WARC-Truncated", oneLine(e.Truncated)})
	}
	return w.draft(Response, httpResponse, base, e.Response, bodyless)
}

// draft reads a message's body, which comes before its head is known: the head says how long it is.
func (w *Writer) draft(kind, media string, base Header, m *Message, bodyless bool) (*draft, error) {
	body := NewSpool()
	defer body.Close()
	if m.Body != nil {
		if _, err := io.Copy(body, m.Body); err != nil {
			return nil, err
		}
	}
	d := &draft{kind: kind, header: append(Header{}, base...), block: NewSpool()}
	d.header = append(d.header, Field{"Content-Type", media})
	if body.n > 0 {
		d.payload = body.sum.digest()
	}
	if err := errors.Join(d.fill(m.head(body.n, bodyless), body), w.identify(d)); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// fill writes the block.
func (d *draft) fill(head string, body *Spool) error {
	from, err := body.Reader()
	if err != nil {
		return err
	}
	_, err = io.Copy(d.block, io.MultiReader(strings.NewReader(head), from))
	return err
}

// identify gives a draft its id.
func (w *Writer) identify(d *draft) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	id, err := uuid.NewRandomFromReader(w.o.Random)
	d.id = "urn:uuid:" + id.String()
	return err
}
