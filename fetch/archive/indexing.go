package archive

import (
	"errors"
	"io"
	"strings"
)

// maxWaiting is how many responses an index in the making remembers for the requests that follow.
const maxWaiting = 10_000

// indexing makes an index.
type indexing struct {
	filename string
	onDamage func(error)
	entries  []Entry
	waiting  map[string]int // entries by record id
	requests map[string]asked
}

// asked is what an entry says of its request.
type asked struct {
	method string
	digest Digest
}

var errShared = errors.New("it shares a gzip member with other records, so that an index can't lead to it")

// add takes a record into the index.
func (m *indexing) add(rec *Record) error {
	switch rec.Type() {
	case Response, Revisit, Resource:
		return m.result(rec)
	case Request:
		return m.request(rec)
	}
	return rec.Close()
}

func (m *indexing) result(rec *Record) error {
	if rec.URL() == "" {
		return rec.Close()
	}
	e := Entry{URL: rec.URL(), Filename: m.filename, Offset: rec.Offset, MIME: mediaOf(rec.Header.Get("Content-Type"))}
	e.Time, _ = rec.Time()
	if msg, err := rec.HTTP(); err == nil {
		e.Status, e.MIME = msg.Status(), mediaOf(msg.Header.Get("Content-Type"))
		e.Digest = payloadOf(msg.Body)
	}
	if declared, err := ParseDigest(rec.Header.Get("WARC-Payload-Digest")); err == nil {
		e.Digest = declared
	}
	if rec.Type() == Revisit {
		e.MIME = mimeRevisit
	}
	if err := rec.Close(); err != nil {
		return err
	}
	if e.Length = rec.Length; e.Length == 0 {
		if damage, ok := errors.AsType[*DamageError](rec.block.err); ok {
			return damage
		}
		return &DamageError{Offset: rec.Offset, URL: rec.URL(), Err: errShared}
	}
	m.keep(rec, e)
	return nil
}

// keep adds an entry, with what is known of its request.
func (m *indexing) keep(rec *Record, e Entry) {
	ids := []string{rec.ID()}
	for _, id := range append(ids, bare(rec.Header.Get("WARC-Concurrent-To"))) {
		if a, ok := m.requests[id]; ok && id != "" {
			e.Method, e.RequestDigest = a.method, a.digest
		}
	}
	if len(m.waiting) >= maxWaiting {
		clear(m.waiting)
	}
	if rec.ID() != "" {
		m.waiting[rec.ID()] = len(m.entries)
	}
	m.entries = append(m.entries, e)
}

// request says in the entry of a response how it was requested, whichever of the two came first.
func (m *indexing) request(rec *Record) error {
	msg, err := rec.HTTP()
	if err != nil {
		return rec.Close()
	}
	a := asked{method: msg.Method(), digest: requestDigest(msg.Header.Get("Content-Type"), msg.Body)}
	if a.method == "GET" {
		a.method = ""
	}
	if err := rec.Close(); err != nil {
		return err
	}
	to := bare(rec.Header.Get("WARC-Concurrent-To"))
	if i, ok := m.waiting[to]; ok && to != "" {
		m.entries[i].Method, m.entries[i].RequestDigest = a.method, a.digest
		return nil
	}
	m.remember(a, rec.ID(), to)
	return nil
}

func (m *indexing) remember(a asked, ids ...string) {
	if m.requests == nil || len(m.requests) >= maxWaiting {
		m.requests = map[string]asked{}
	}
	for _, id := range ids {
		if id != "" {
			m.requests[id] = a
		}
	}
}

// payloadOf is the digest of a body, the zero value if it is empty. An error of reading it is that of its record, which Close returns.
func payloadOf(body io.Reader) Digest {
	if body == nil {
		return Digest{}
	}
	sum := newSumming("sha256")
	if n, _ := io.Copy(sum, body); n == 0 {
		return Digest{}
	}
	return sum.digest()
}

// sameURL reports whether two addresses are the same but for the fragment.
func sameURL(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}
