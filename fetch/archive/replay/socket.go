package replay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"

	"github.com/winnow-go/winnow/fetch/archive"
)

// maxTalk bounds the messages of all websockets of one address, in bytes, and maxHeard a message of the browser's.
const (
	maxTalk  = 64 << 20
	maxHeard = 16 << 20
)

// message is one of a websocket.
type message struct {
	sent bool // by the browser
	text bool
	body []byte
}

// talk is what was said over one websocket, in order.
type talk []message

// converse answers a websocket as the archive's site did: each of its messages is sent once the browser has sent as many as it had sent
// before. Of several websockets to the address it is the first in which the browser said the same, as far as that is known. The
// websocket stays open until the browser ends it.
func (r *Replay) converse(w http.ResponseWriter, q *http.Request, address string) {
	talks, err := r.talks(address)
	if err == nil && len(talks) == 0 {
		err = r.miss(Request{Method: http.MethodGet, URL: address})
	}
	if err != nil {
		refuse(w, q, err)
		return
	}
	c, err := websocket.Accept(w, q, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: r.protocols(address, q)})
	if err != nil {
		return // which has been answered
	}
	defer func() { _ = c.CloseNow() }()
	c.SetReadLimit(maxHeard)
	_ = say(q.Context(), c, talks) // it ends with the browser's end of it
}

// say sends and receives until the websocket ends.
func say(ctx context.Context, c *websocket.Conn, talks []talk) error {
	var heard talk
	for at := 0; ; {
		t := agreeing(talks, heard)
		next, due := t.due(len(heard))
		for ; at < due; at++ {
			kind := websocket.MessageBinary
			if next[at].text {
				kind = websocket.MessageText
			}
			if err := c.Write(ctx, kind, next[at].body); err != nil {
				return err
			}
		}
		kind, body, err := c.Read(ctx)
		if err != nil {
			return err
		}
		heard = append(heard, message{true, kind == websocket.MessageText, body})
	}
}

// agreeing is the first talk that begins with what was heard, or else the first.
func agreeing(talks []talk, heard talk) talk {
	for _, t := range talks {
		said := slices.DeleteFunc(slices.Clone(t), func(m message) bool { return !m.sent })
		if len(said) >= len(heard) && slices.EqualFunc(said[:len(heard)], heard, message.equal) {
			return t
		}
	}
	return talks[0]
}

// equal reports whether a recorded message is one that was heard, whatever its passwords.
func (m message) equal(heard message) bool {
	return m.text == heard.text && (bytes.Equal(m.body, heard.body) || bytes.Equal(m.body, archive.RedactText(heard.body)))
}

// due are the site's messages, and how many of them follow so many of the browser's.
func (t talk) due(heard int) (received talk, n int) {
	for _, m := range t {
		switch {
		case !m.sent:
			received = append(received, m)
			if heard >= 0 {
				n = len(received)
			}
		default:
			heard--
		}
	}
	return received, n
}

// talks are what was said over the websockets of an address, in the first archive that has any.
func (r *Replay) talks(address string) ([]talk, error) {
	for _, l := range r.layers {
		found, err := l.sockets(address)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			return l.read(found)
		}
	}
	return nil, nil
}

// isSocket reports whether an address is that of a websocket.
func isSocket(address string) bool {
	return strings.HasPrefix(address, "ws:") || strings.HasPrefix(address, "wss:")
}

// sockets are the entries of an address's messages in the order in which they were recorded, and those of its beginning.
func (l *layer) sockets(address string) ([]archive.Entry, error) {
	found, err := l.each(func(x *archive.Index) ([]archive.Entry, error) { return x.Siblings(address, maxMessages) })
	if err != nil {
		return nil, err
	}
	plain := strings.Replace(address, "ws", "http", 1)
	exact := slices.ContainsFunc(found, func(e archive.Entry) bool { return e.URL == address || e.URL == plain && e.Status == 101 })
	found = slices.DeleteFunc(found, func(e archive.Entry) bool {
		same := e.URL == address || e.URL == plain || !exact && stable(e.URL) == stable(address)
		return !same || !isSocket(e.URL) && e.Status != http.StatusSwitchingProtocols
	})
	slices.SortStableFunc(found, func(a, b archive.Entry) int {
		return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset))
	})
	return found, nil
}

// maxMessages is how many messages of an address are found.
const maxMessages = 100_000

// read makes talks of entries.
func (l *layer) read(entries []archive.Entry) ([]talk, error) {
	var order []string
	talks, left := map[string]talk{}, int64(maxTalk)
	for _, e := range entries {
		if !isSocket(e.URL) {
			continue
		}
		name, m, err := l.message(e, left)
		if err != nil {
			return nil, err
		}
		if left -= int64(len(m.body)); talks[name] == nil {
			order = append(order, name)
		}
		talks[name] = append(talks[name], m)
	}
	if len(order) == 0 {
		return []talk{nil}, nil // nothing was said
	}
	var all []talk
	for _, name := range order {
		all = append(all, talks[name])
	}
	return all, nil
}

var errTalk = errors.New("its websockets have more than 64 MiB of messages")

// message reads a message, and the name of its websocket.
func (l *layer) message(e archive.Entry, limit int64) (socket string, m message, err error) {
	rec, err := l.record(e)
	if err != nil {
		return "", m, fmt.Errorf("replay: %s: %w", e.URL, err)
	}
	media, params, _ := mime.ParseMediaType(rec.Header.Get("Content-Type"))
	m.sent, m.text = params["websocket"] == "sent", media == "text/plain"
	m.body, err = io.ReadAll(io.LimitReader(rec, limit+1))
	if int64(len(m.body)) > limit {
		err = errTalk
	}
	if err != nil {
		return "", m, fmt.Errorf("replay: %s: %w", e.URL, err)
	}
	return params["socket"], m, nil
}

// protocols are those that the site chose, or else those that the browser offers.
func (r *Replay) protocols(address string, q *http.Request) []string {
	for _, l := range r.layers {
		found, _ := l.sockets(address)
		for _, e := range found {
			if a, err := r.answer(l, e); err == nil && e.Status == http.StatusSwitchingProtocols {
				return []string{a.Header.Get("Sec-Websocket-Protocol")}
			}
		}
	}
	return strings.Split(strings.ReplaceAll(strings.Join(q.Header.Values("Sec-Websocket-Protocol"), ","), " ", ""), ",")
}
