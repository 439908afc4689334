package guard

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	preface    = http2.ClientPreface
	frameHead  = 9        // bytes before a frame's payload
	maxFrame   = 16 << 10 // a payload that a browser sends
	maxTable   = 1 << 20  // of header compression, in bytes, which the site may allow the browser
	firstTable = 4096     // its size until the site has said another
	maxFields  = 10_000   // of a request's head
	maxDenied  = 10_000   // requests of one connection
)

var errFrames = errors.New("not HTTP/2 as browsers speak it")

// relay passes HTTP/2 on between the browser and a site, frame by frame as they are, but for requests that are refused: of these the site
// sees nothing.
func (l *Lease) relay(browser, site *tls.Conn) {
	down := &downward{Conn: browser}
	splice(down, newUpward(l, browser, down), site, site)
}

// upward reads what the browser sends, without the requests that are refused. It belongs to one goroutine.
type upward struct {
	lease *Lease
	in    *bufio.Reader
	out   bytes.Buffer // what has been read and may go on
	left  int          // of the preface
	down  *downward
	err   error // of a frame, after which nothing goes on

	rest     int // of a payload
	dropping bool

	block    []byte // of a head that is being read
	raw      []byte // its frames
	first    frame  // of them
	priority []byte
	inHead   bool
	decoder  *hpack.Decoder
	fields   []hpack.HeaderField

	denied  map[uint32]bool // streams that the site doesn't know
	encoder *hpack.Encoder  // once a request has been refused: the site's tables are no longer the browser's
	encoded bytes.Buffer
}

func newUpward(l *Lease, browser io.Reader, down *downward) *upward {
	u := &upward{lease: l, in: bufio.NewReaderSize(browser, frameHead+2*maxFrame), down: down, left: len(preface), denied: map[uint32]bool{}}
	u.decoder = hpack.NewDecoder(firstTable, u.field)
	u.decoder.SetAllowedMaxDynamicTableSize(maxTable)
	u.decoder.SetMaxStringLength(maxHead)
	return u
}

// frame is one frame; its bytes are valid until the next is read.
type frame struct {
	length int // of the payload
	kind   http2.FrameType
	flags  http2.Flags
	stream uint32
	raw    []byte // all of a head's, of others what comes before the payload
}

// Read returns what goes to the site.
func (u *upward) Read(p []byte) (int, error) {
	for u.out.Len() == 0 || u.out.Len() < maxFrame && u.another() {
		if err := u.next(); err != nil && u.out.Len() == 0 {
			return 0, err
		} else if err != nil {
			break
		}
	}
	return u.out.Read(p)
}

// another reports whether more has been read ahead that can be taken.
func (u *upward) another() bool {
	if u.left > 0 || u.rest > 0 || u.in.Buffered() < frameHead {
		return u.left == 0 && u.rest > 0 && u.in.Buffered() > 0
	}
	head, _ := u.in.Peek(frameHead)
	return u.in.Buffered() >= frameHead+length(head)
}

func length(head []byte) int { return int(head[0])<<16 | int(head[1])<<8 | int(head[2]) }

// next takes the next frame, or a part of one. Nothing is lost where the connection's deadline ends it.
func (u *upward) next() error {
	switch {
	case u.err != nil:
		return u.err
	case u.left > 0:
		return u.begin()
	case u.rest > 0:
		return u.payload()
	}
	raw, err := u.in.Peek(frameHead)
	if err != nil {
		return err
	}
	n := frameHead
	f := frame{length(raw), http2.FrameType(raw[3]), http2.Flags(raw[4]), binary.BigEndian.Uint32(raw[5:]) &^ (1 << 31), raw}
	if f.kind == http2.FrameHeaders || f.kind == http2.FrameContinuation {
		if n += f.length; n > u.in.Size() {
			return errFrames
		}
		if f.raw, err = u.in.Peek(n); err != nil {
			return err
		}
	}
	u.err = u.take(f)
	_, _ = u.in.Discard(n)
	return u.err
}

// payload takes what is there of a payload that goes on, or is dropped.
func (u *upward) payload() error {
	if _, err := u.in.Peek(1); err != nil {
		return err
	}
	part, _ := u.in.Peek(min(u.rest, u.in.Buffered()))
	if u.rest -= len(part); !u.dropping {
		u.out.Write(part)
	}
	_, _ = u.in.Discard(len(part))
	return nil
}

func (u *upward) begin() error {
	text, err := u.in.Peek(u.left)
	if err != nil {
		return err
	}
	if string(text) != preface {
		return errFrames
	}
	u.out.Write(text)
	_, _ = u.in.Discard(u.left)
	u.left = 0
	return nil
}

func (u *upward) take(f frame) error {
	isHead := f.kind == http2.FrameHeaders && !u.inHead || f.kind == http2.FrameContinuation && u.inHead && f.stream == u.first.stream
	switch {
	case isHead:
		return u.head(f)
	case u.inHead:
		return errFrames
	}
	u.rest, u.dropping = f.length, u.denied[f.stream]
	if !u.dropping {
		u.out.Write(f.raw)
	} else if f.kind == http2.FrameData && f.length > 0 { // the site won't make room for what it doesn't get
		return u.down.insert(http2.FrameWindowUpdate, 0, uint32(f.length))
	}
	return nil
}

// head takes a part of a request's head, or of the trailers behind its body.
func (u *upward) head(f frame) error {
	fragment := f.raw[frameHead:]
	if f.kind == http2.FrameHeaders {
		u.inHead, u.first, u.block, u.raw = true, f, u.block[:0], u.raw[:0]
		fragment, u.priority = f.fragment()
	}
	u.block, u.raw = append(u.block, fragment...), append(u.raw, f.raw...)
	if len(u.raw) > maxHead {
		return errHeadTooBig
	}
	if !f.flags.Has(http2.FlagHeadersEndHeaders) {
		return nil
	}
	u.inHead = false
	return u.request()
}

// fragment is what a HEADERS frame has of the head, without padding and priority, and a copy of the priority.
func (f frame) fragment() (fragment, priority []byte) {
	fragment = f.raw[frameHead:]
	if f.flags.Has(http2.FlagHeadersPadded) && len(fragment) > 0 {
		fragment = fragment[1:max(1, len(fragment)-int(fragment[0]))]
	}
	if f.flags.Has(http2.FlagHeadersPriority) {
		n := min(len(fragment), 5)
		fragment, priority = fragment[n:], bytes.Clone(fragment[:n])
	}
	return fragment, priority
}

func (u *upward) field(f hpack.HeaderField) {
	if len(u.fields) <= maxFields {
		u.fields = append(u.fields, f)
	}
}

// request judges a request whose head is there.
func (u *upward) request() error {
	u.fields = u.fields[:0]
	if _, err := u.decoder.Write(u.block); err != nil {
		return fmt.Errorf("%w: %w", errFrames, err)
	}
	if err := u.decoder.Close(); err != nil || len(u.fields) > maxFields {
		return errFrames
	}
	stream := u.first.stream
	if u.denied[stream] || u.lease.unwantedRequest(u.get(":method"), "https://"+u.get(":authority")+u.get(":path"), u.get) {
		return u.deny(stream)
	}
	if u.encoder == nil {
		u.out.Write(u.raw)
		return nil
	}
	return u.encode()
}

func (u *upward) get(name string) string {
	for _, f := range u.fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// deny ends a request towards the browser.
func (u *upward) deny(stream uint32) error {
	if u.encoder == nil {
		u.encoder = hpack.NewEncoder(&u.encoded)
		u.encoder.SetMaxDynamicTableSize(0)
	}
	if u.denied[stream] {
		return nil
	}
	if len(u.denied) >= maxDenied {
		return errFrames
	}
	u.denied[stream] = true
	return u.down.insert(http2.FrameRSTStream, stream, uint32(http2.ErrCodeInternal))
}

// encode writes the head without compression tables.
func (u *upward) encode() error {
	u.encoded.Reset()
	for _, f := range u.fields {
		if err := u.encoder.WriteField(f); err != nil {
			return err
		}
	}
	block := u.encoded.Bytes()
	flags := u.first.flags & (http2.FlagHeadersEndStream | http2.FlagHeadersPriority)
	if flags.Has(http2.FlagHeadersPriority) {
		block = append(u.priority, block...)
	}
	kind := http2.FrameHeaders
	for {
		part := block[:min(len(block), maxFrame)]
		if block = block[len(part):]; len(block) == 0 {
			flags |= http2.FlagHeadersEndHeaders
		}
		u.out.Write(appendHead(nil, len(part), kind, flags, u.first.stream))
		u.out.Write(part)
		if len(block) == 0 {
			return nil
		}
		kind, flags = http2.FrameContinuation, 0
	}
}

func appendHead(b []byte, n int, kind http2.FrameType, flags http2.Flags, stream uint32) []byte {
	b = append(b, byte(n>>16), byte(n>>8), byte(n), byte(kind), byte(flags))
	return binary.BigEndian.AppendUint32(b, stream)
}
