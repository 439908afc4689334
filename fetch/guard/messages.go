package guard

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/fetch"
)

// maxMessage bounds a message of a websocket that is recorded, in bytes; of a longer one the beginning is.
const maxMessage = 1 << 20

// heard is a reader of one direction of a connection that has changed its protocol, which records the messages of a websocket.
func (p *peer) heard(resp *http.Response, r io.Reader, sent bool) io.Reader {
	if p.tape == nil || !strings.EqualFold(resp.Header.Get("Upgrade"), "websocket") {
		return r
	}
	direction := "received"
	if sent {
		direction = "sent"
	}
	address := strings.Replace(p.tape.exchange.URL, "http", "ws", 1)
	return io.TeeReader(r, &messages{to: p.tape.to, address: address, direction: direction + "; socket=" + p.tape.socket})
}

// messages takes the frames of one direction apart (RFC 6455) and records each message. It never fails.
type messages struct {
	to                 fetch.Recorder
	address, direction string

	head    []byte // of a frame, as far as it has come
	left    uint64 // of the frame's payload
	mask    []byte // nil: none
	at      int    // in the mask
	control bool   // the frame is no part of a message
	last    bool
	text    bool
	message bytes.Buffer
}

func (m *messages) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if m.left > 0 {
			p = m.payload(p)
			continue
		}
		m.head = append(m.head, p[0])
		p = p[1:]
		if m.begin() && m.left == 0 {
			m.end()
		}
	}
	return n, nil
}

// begin starts a frame once its head is whole, and reports whether it is.
func (m *messages) begin() bool {
	h := m.head
	if len(h) < 2 {
		return false
	}
	size, masked := 2, h[1]&0x80 != 0
	extended := map[byte]int{126: 2, 127: 8}[h[1]&0x7f]
	need := size + extended
	if masked {
		need += 4
	}
	if len(h) < need {
		return false
	}
	switch m.left = uint64(h[1] & 0x7f); extended {
	case 2:
		m.left = uint64(binary.BigEndian.Uint16(h[2:]))
	case 8:
		m.left = binary.BigEndian.Uint64(h[2:])
	}
	if m.mask, m.at = nil, 0; masked {
		m.mask = bytes.Clone(h[need-4 : need])
	}
	m.kind(h[0])
	m.head = m.head[:0]
	return true
}

// kind is what the first byte of a frame says.
func (m *messages) kind(b byte) {
	const text, binaryData, firstControl = 1, 2, 8
	code := b & 0x0f
	m.control, m.last = code >= firstControl, b&0x80 != 0
	if code == text || code == binaryData {
		m.text = code == text
		m.message.Reset()
	}
}

// payload takes what belongs to the frame and returns the rest.
func (m *messages) payload(p []byte) []byte {
	n := int(min(uint64(len(p)), m.left))
	for _, c := range p[:n] {
		if m.mask != nil {
			c ^= m.mask[m.at%4]
			m.at++
		}
		if !m.control && m.message.Len() < maxMessage {
			m.message.WriteByte(c)
		}
	}
	if m.left -= uint64(n); m.left == 0 {
		m.end()
	}
	return p[n:]
}

// end ends a frame, and with the last one the message.
func (m *messages) end() {
	if m.control || !m.last {
		return
	}
	media := "application/octet-stream"
	if m.text {
		media = "text/plain; charset=utf-8"
	}
	m.to.Resource(m.address, media+"; websocket="+m.direction, bytes.NewReader(bytes.Clone(m.message.Bytes())))
	m.message.Reset()
}
