// Package entries is the form of what the pages of a spread job leave for it: messages in pieces, each of which is an entry of a cluster
// that bounds their size. Pieces of one shard are in order and follow on each other; those of several shards are mixed.
//
// Start with [Message.Pieces] and [Join].
package entries

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/llm"
)

// Message is something that happened to a job. At most one of Page, Event and Admitted is set.
type Message struct {
	// End of a job that moves as a whole: no message follows.
	End   *End   `json:"end,omitempty"`
	Page  *Page  `json:"page,omitempty"`
	Event *Event `json:"event,omitempty"`
	Spent *Spent `json:"spent,omitempty"`
	// Admitted are URLs that were denied by an earlier message, and are fetched after all.
	Admitted []crawl.Denied `json:"admitted,omitempty"`
	// Notes are kept under their names; see [github.com/winnow-go/winnow/engine/internal/work.Job].Note.
	Notes map[string]json.RawMessage `json:"notes,omitempty"`
	// Left are the pages of a job that moves, which are still to be done.
	Left *Left `json:"left,omitempty"`
	// Note is what the job's kind keeps of it.
	Note json.RawMessage `json:"note,omitempty"`
	// Documents of the Page, packed.
	Documents [][]byte `json:"-"`
}

// Page is one that has ended.
type Page struct {
	Found    crawl.Found `json:"found"`
	Attempts int         `json:"attempts"`
	At       time.Time   `json:"at"`
	Silent   bool        `json:"silent,omitempty"`
	Kept     bool        `json:"kept,omitempty"`
	Failed   bool        `json:"failed,omitempty"`
	// Code and Error of a page that failed. Fatal: the job has, if it comes to nothing else.
	Code  string `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
	Fatal bool   `json:"fatal,omitempty"`
	// Denied is what it leads to and is not fetched.
	Denied  []crawl.Denied `json:"denied,omitempty"`
	Credits int            `json:"credits,omitempty"`
}

// Event for those who follow the job.
type Event struct {
	Type string          `json:"type"`
	At   time.Time       `json:"at"`
	Data json.RawMessage `json:"data,omitempty"`
}

// End is how a job has ended.
type End struct {
	State string `json:"state"`
	Code  string `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// Left counts pages.
type Left struct {
	Queued int `json:"queued,omitempty"`
	Active int `json:"active,omitempty"`
}

// Spent is what was used beside what pages cost.
type Spent struct {
	Usage   llm.Usage `json:"usage"`
	Credits int       `json:"credits,omitempty"`
}

// The first byte of a piece.
const (
	first = 1 << iota // of a message
	last
)

// ErrDamaged: an entry is not what was written.
var ErrDamaged = errors.New("entries: a damaged entry")

// Pieces returns the message in pieces of at most so many bytes, at least 2.
func (m Message) Pieces(size int) (list [][]byte, err error) {
	head, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	all := append(binary.AppendUvarint(nil, uint64(len(head))), head...)
	for _, d := range m.Documents {
		all = append(binary.AppendUvarint(all, uint64(len(d))), d...)
	}
	for mark := byte(first); mark&last == 0; mark = 0 {
		n := min(len(all), size-1)
		if n == len(all) {
			mark |= last
		}
		list = append(list, append([]byte{mark}, all[:n]...))
		if all = all[n:]; mark&last != 0 {
			break
		}
	}
	return list, nil
}

// Ends reports whether a piece is the last one of its message; whole: it is the only one.
func Ends(piece []byte) (ends, whole bool) {
	if len(piece) == 0 {
		return true, true // which Join finds damaged
	}
	return piece[0]&last != 0, piece[0] == first|last
}

// Join reads a message of all of its pieces.
func Join(pieces ...[]byte) (m Message, err error) {
	var all []byte
	for i, p := range pieces {
		if len(p) == 0 || (p[0]&first != 0) != (i == 0) || (p[0]&last != 0) != (i == len(pieces)-1) {
			return m, ErrDamaged
		}
		all = append(all, p[1:]...)
	}
	head, all, ok := cut(all)
	if !ok || json.Unmarshal(head, &m) != nil {
		return m, ErrDamaged
	}
	for len(all) > 0 {
		var one []byte
		if one, all, ok = cut(all); !ok {
			return m, ErrDamaged
		}
		m.Documents = append(m.Documents, bytes.Clone(one))
	}
	return m, nil
}

func cut(all []byte) (one, rest []byte, ok bool) {
	size, n := binary.Uvarint(all)
	if n <= 0 || size > uint64(len(all)-n) {
		return nil, nil, false
	}
	return all[n : n+int(size)], all[n+int(size):], true
}
