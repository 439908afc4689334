package guard

import (
	"crypto/tls"
	"encoding/binary"
	"sync"

	"golang.org/x/net/http2"
)

// downward is the browser's side of a relay, which gets the frames of the site, and others between them.
type downward struct {
	*tls.Conn
	mu      sync.Mutex
	head    []byte // of the frame that is being written, as far as it has come
	left    int    // of its payload
	begun   bool   // the site's first frame has been written, before which none may come
	inHead  bool   // the site's last frame is a part of a head, of which more follows
	waiting []byte // frames to be inserted
}

// maxWaiting bounds the frames that wait for the end of one of the site's, in bytes.
const maxWaiting = 1 << 20

// insert writes a frame with a payload of four bytes, now or behind the frame that is being written.
func (d *downward) insert(kind http2.FrameType, stream, payload uint32) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = binary.BigEndian.AppendUint32(appendHead(d.waiting, 4, kind, 0, stream), payload)
	if len(d.waiting) > maxWaiting {
		return errFrames
	}
	return d.flush()
}

// flush writes what waits, where it may.
func (d *downward) flush() error {
	if len(d.waiting) == 0 || !d.between() {
		return nil
	}
	_, err := d.Conn.Write(d.waiting)
	d.waiting = d.waiting[:0]
	return err
}

// between reports whether the last frame has been written to its end, and another may follow.
func (d *downward) between() bool { return d.begun && len(d.head) == 0 && d.left == 0 && !d.inHead }

// Write writes what the site has sent.
func (d *downward) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := len(b)
	for len(b) > 0 {
		part := d.part(b)
		if _, err := d.Conn.Write(b[:part]); err != nil {
			return n - len(b), err
		}
		b = b[part:]
		if err := d.flush(); err != nil {
			return n - len(b), err
		}
	}
	return n, nil
}

// part follows the frames in b: to its end, or, while frames wait to be inserted, to the first place for them.
func (d *downward) part(b []byte) int {
	at := 0
	for at < len(b) {
		if len(d.waiting) > 0 && at > 0 && d.between() {
			return at
		}
		if d.left > 0 {
			n := min(d.left, len(b)-at)
			at, d.left = at+n, d.left-n
			continue
		}
		d.head = append(d.head, b[at])
		if at++; len(d.head) == frameHead {
			d.left, d.begun, d.inHead = length(d.head), true, partOfHead(d.head)
			d.head = d.head[:0]
		}
	}
	return at
}

// partOfHead reports whether a frame belongs to a head that it doesn't end.
func partOfHead(head []byte) bool {
	switch http2.FrameType(head[3]) {
	case http2.FrameHeaders, http2.FramePushPromise, http2.FrameContinuation:
		return !http2.Flags(head[4]).Has(http2.FlagHeadersEndHeaders)
	}
	return false
}
