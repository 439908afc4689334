// Package replay answers requests from archives, in place of the network. It may change without notice.
// Archives lie in layers: the first that has an answer gives it. A request is found by its method, its address and the digest of its
// body, in forms without passwords and boundaries; if there is none, by the address as indexes spell it, and then by the address without
// parameters that are new each time, such as timestamps and cache-busters. What isn't found is a *MissError. It opens no connection.
//
// Start from [Open].
//
//	replay.go  Replay: finding an answer
//	part.go    answers that are parts of a file
//	layer.go   the archives
//	coding.go  content encodings
//	serve.go   Replay as an http.Handler
//	socket.go  websockets
//	clock.go, clock.js  the moment of the recording, for the scripts of pages
package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/fetch/archive"
)

// Replay answers from archives. It is safe for concurrent use. Close it when done.
type Replay struct {
	layers []*layer
	damage []error
}

// maxDamage is how many errors of damaged records are kept.
const maxDamage = 100

// Open opens archives: WACZ, WARC, ARC or HAR files, which their names say, the first layer first. A WARC, ARC or HAR file is read whole,
// to make its index, which takes some 300 bytes of memory for each of its records.
func Open(files ...string) (*Replay, error) {
	if len(files) == 0 {
		return nil, errors.New("replay: no archive")
	}
	r := &Replay{}
	for _, name := range files {
		l, err := openLayer(name, r.damaged)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("replay: %s: %w", name, err), r.Close())
		}
		r.layers = append(r.layers, l)
	}
	return r, nil
}

func (r *Replay) damaged(err error) {
	if len(r.damage) < maxDamage {
		r.damage = append(r.damage, err)
	}
}

// Damage is what could not be read of the archives when they were opened, the first 100 errors.
func (r *Replay) Damage() []error { return r.damage }

// Close closes the archives.
func (r *Replay) Close() error {
	var errs []error
	for _, l := range r.layers {
		errs = append(errs, l.close())
	}
	return errors.Join(errs...)
}

// Pages are those that WACZ files list, and the HTML and PDF files that were fetched by GET with status 200 of other archives: each
// address once, a million of an archive at most. Time is that of the recording.
func (r *Replay) Pages() iter.Seq[archive.Page] {
	return func(yield func(archive.Page) bool) {
		seen := map[string]bool{}
		for _, l := range r.layers {
			for _, p := range l.pages {
				if seen[p.URL] {
					continue
				}
				seen[p.URL] = true
				if p.Time.IsZero() {
					p.Time = r.Moment(p.URL)
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Request is what is looked for.
type Request struct {
	// Method; "" is GET.
	Method string
	// URL is absolute.
	URL string
	// ContentType and Body are those of the request.
	ContentType string
	Body        []byte
}

// MissError is the error of a request that no archive has an answer for.
type MissError struct {
	Method, URL string
	// Nearest are recorded addresses that are like it, at most three.
	Nearest []string
}

func (e *MissError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("no archive has %s %s, nor anything like it", e.Method, e.URL)
	}
	return fmt.Sprintf("no archive has %s %s; the nearest are %s", e.Method, e.URL, strings.Join(e.Nearest, ", "))
}

// Answer is a recorded response.
type Answer struct {
	// Entry is where it lies.
	Entry archive.Entry
	*archive.Message
}

// Find looks an answer up. Its body is read from the archive: only one goroutine may read it, and what is damaged fails there. The
// error is a *MissError, or that of an archive.
func (r *Replay) Find(q Request) (*Answer, error) { return r.find(q, nil) }

// find is Find for a part; nil is all. A layer whose answer repeats what no layer has leaves the answer to the next.
func (r *Replay) find(q Request, part *span) (*Answer, error) {
	if q.Method == "" {
		q.Method = "GET"
	}
	var lost error
	for _, l := range r.layers {
		e, err := l.find(q, part)
		if err != nil {
			return nil, err
		}
		if e == nil {
			continue
		}
		a, err := r.answer(l, *e)
		if !errors.Is(err, errNoOriginal) {
			return a, err
		}
		lost = cmp.Or(lost, err)
	}
	if lost != nil {
		return nil, lost
	}
	return nil, r.miss(q)
}

// maxNearest is how many addresses a miss names.
const maxNearest = 3

func (r *Replay) miss(q Request) error {
	m := &MissError{Method: q.Method, URL: q.URL}
	for _, l := range r.layers {
		for _, x := range l.indexes {
			near, err := x.Nearest(q.URL, maxNearest)
			if err != nil {
				return err
			}
			near = slices.DeleteFunc(near, func(address string) bool { return slices.Contains(m.Nearest, address) })
			m.Nearest = append(m.Nearest, near...)
		}
	}
	slices.SortStableFunc(m.Nearest, func(a, b string) int { return archive.Likeness(b, q.URL) - archive.Likeness(a, q.URL) })
	m.Nearest = m.Nearest[:min(maxNearest, len(m.Nearest))]
	return m
}

// maxSiblings is how many addresses with other parameters are compared.
const maxSiblings = 1000

// find returns the entry that answers a request, nil if there is none.
func (l *layer) find(q Request, part *span) (*archive.Entry, error) {
	found, err := l.each(func(x *archive.Index) ([]archive.Entry, error) { return x.Lookup(q.URL) })
	if e := l.pick(found, q, part); e != nil || err != nil {
		return e, err
	}
	found, err = l.each(func(x *archive.Index) ([]archive.Entry, error) { return x.Siblings(q.URL, maxSiblings) })
	want := stable(q.URL)
	return l.pick(slices.DeleteFunc(found, func(e archive.Entry) bool { return stable(e.URL) != want }), q, part), err
}

// pick returns the last of the best entries that the request's method and body were sent for.
func (l *layer) pick(found []archive.Entry, q Request, part *span) (best *archive.Entry) {
	digests := archive.RequestDigests(q.ContentType, q.Body)
	highest := 0
	for i, e := range found {
		method := cmp.Or(e.Method, "GET")
		if method != q.Method && !(q.Method == "HEAD" && method == "GET") || !slices.Contains(digests, e.RequestDigest) || e.Status == 101 || isSocket(e.URL) {
			continue
		}
		if n := l.rank(e, part); n >= max(highest, bare) {
			best, highest = &found[i], n
		}
	}
	return best
}

// volatile are the names of parameters whose values are new each time.
var volatile = regexp.MustCompile(`(?i)^(_|_t|_ts|t|ts|cb|cachebuster|cache_?bust|nocache|rand|random|rnd|timestamp|time|now|v?t?stamp|nonce|sid)$`)

// moment is a value that is a time in seconds or milliseconds, or a random number between 0 and 1.
var moment = regexp.MustCompile(`^(1\d{9}|1\d{12}|0\.\d{6,})$`)

// stable is an address without the parameters that are new each time, or aren't stored, the others in order.
func stable(address string) string {
	key := archive.Key(address)
	path, query, _ := strings.Cut(key, "?")
	kept := slices.DeleteFunc(strings.Split(query, "&"), func(parameter string) bool {
		name, value, _ := strings.Cut(parameter, "=")
		value, err := url.QueryUnescape(value)
		return parameter == "" || archive.IsPassword(name) || err == nil && (moment.MatchString(value) || volatile.MatchString(name) && strings.Trim(value, "0123456789.") == "")
	})
	return path + "?" + strings.Join(kept, "&")
}

// answer reads the response of an entry.
func (r *Replay) answer(l *layer, e archive.Entry) (*Answer, error) {
	rec, err := l.record(e)
	if err != nil {
		return nil, fmt.Errorf("replay: %s: %w", e.URL, err)
	}
	m, err := rec.HTTP()
	if errors.Is(err, archive.ErrNoHTTP) {
		m, err = resource(rec), nil
	}
	if err == nil && rec.Type() == archive.Revisit {
		m.Body, err = r.revisited(l, rec, e)
	}
	if err != nil {
		return nil, fmt.Errorf("replay: %s: %w", e.URL, err)
	}
	return (&Answer{e, m}).decoded(), nil
}

// resource is a record that is no exchange, as the response it would have been.
func resource(rec *archive.Record) *archive.Message {
	return &archive.Message{Line: "HTTP/1.1 200 OK", Body: rec,
		Header: archive.Header{{Name: "Content-Type", Value: rec.Header.Get("Content-Type")}}}
}

var errNoOriginal = errors.New("it repeats a payload that isn't in the archive")

// revisited is the payload that a revisit refers to: in its own archive, or in another.
func (r *Replay) revisited(own *layer, rec *archive.Record, e archive.Entry) (io.Reader, error) {
	address := cmp.Or(strings.Trim(rec.Header.Get("WARC-Refers-To-Target-URI"), "<>"), e.URL)
	for _, l := range append([]*layer{own}, r.layers...) {
		if body, err := l.original(address, e.Digest); body != nil || err != nil {
			return body, err
		}
	}
	return nil, errNoOriginal
}

// original is the payload with a digest that an address had; nil where the archive has none.
func (l *layer) original(address string, payload archive.Digest) (io.Reader, error) {
	found, err := l.each(func(x *archive.Index) ([]archive.Entry, error) { return x.Lookup(address) })
	if err != nil {
		return nil, err
	}
	for _, e := range found {
		if e.MIME == "warc/revisit" || e.Digest != payload || payload == (archive.Digest{}) {
			continue
		}
		first, err := l.record(e)
		if err != nil {
			return nil, err
		}
		m, err := first.HTTP()
		if err != nil {
			return nil, err
		}
		return m.Body, nil
	}
	return nil, nil
}
