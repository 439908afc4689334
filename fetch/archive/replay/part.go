package replay

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/fetch/archive"
)

// span is a part of a file, in bytes. As what is wanted, last is -1 for the end, and first is negative for so many bytes before the end.
type span struct{ first, last, total int64 }

// parseRange reads a Range header with one range; nil for others, and for none.
func parseRange(header string) *span {
	text, ok := strings.CutPrefix(header, "bytes=")
	from, to, dash := strings.Cut(strings.TrimSpace(text), "-")
	s := span{last: -1}
	var err error
	switch {
	case !ok || !dash:
		return nil
	case from == "":
		s.first, err = strconv.ParseInt("-"+to, 10, 64)
	case to != "":
		s.last, err = strconv.ParseInt(to, 10, 64)
	}
	if from != "" && err == nil {
		s.first, err = strconv.ParseInt(from, 10, 64)
	}
	if err != nil || s.last >= 0 && s.last < s.first || from == "" && s.first >= 0 {
		return nil
	}
	return &s
}

// parseContentRange reads the header of a part whose file's length is known.
func parseContentRange(header string) (s span, ok bool) {
	n, err := fmt.Sscanf(header, "bytes %d-%d/%d", &s.first, &s.last, &s.total)
	return s, n == 3 && err == nil && 0 <= s.first && s.first <= s.last && s.last < s.total
}

// of is the wanted part of a file of so many bytes.
func (s span) of(total int64) span {
	if s.first < 0 {
		s.first = max(0, total+s.first)
	}
	if s.last < 0 || s.last >= total {
		s.last = total - 1
	}
	return span{s.first, s.last, total}
}

// How well entries answer a request. What isn't there of the part that is wanted is no answer.
const (
	elsewhere = iota - 1
	bare      // without content of its own
	partial   // a part, of which nothing more is known
	beginning // of the part that is wanted
	whole     // of the file
	exact     // the part that is wanted
)

// rank is how well an entry answers a request for a part; nil is all.
func (l *layer) rank(e archive.Entry, part *span) int {
	switch {
	case e.Status == http.StatusNotModified:
		return bare
	case e.Status != http.StatusPartialContent:
		return whole
	case part == nil:
		return partial
	}
	has, ok := l.part(e)
	want := part.of(has.total)
	switch {
	case !ok:
		return partial
	case want.first < has.first || want.first > has.last:
		return elsewhere
	case want.last > has.last:
		return beginning
	}
	return exact
}

// part is that of an entry.
func (l *layer) part(e archive.Entry) (s span, ok bool) {
	rec, err := l.record(e)
	if err != nil {
		return s, false
	}
	defer rec.Close()
	m, err := rec.HTTP()
	if err != nil {
		return s, false
	}
	return parseContentRange(m.Header.Get("Content-Range"))
}

// servePart writes what is wanted of a part that was recorded, as much of it as there is, and a part that is the whole file as such where
// no part is wanted. It reports whether it has answered.
func (a *Answer) servePart(w http.ResponseWriter, q *http.Request, part *span) bool {
	has, ok := parseContentRange(a.Header.Get("Content-Range"))
	if a.Status() != http.StatusPartialContent || !ok || q.Method == http.MethodHead || a.Body == nil {
		return false
	}
	if part == nil && has.last-has.first+1 != has.total {
		return false
	}
	body, err := io.ReadAll(io.LimitReader(a.Body, maxAnswer))
	want := span{0, has.total - 1, has.total}
	if part != nil {
		want = part.of(has.total)
	}
	want.last = min(want.last, has.first+int64(len(body))-1)
	if err != nil || want.last < want.first {
		panic(http.ErrAbortHandler) // as a site whose answer breaks off
	}
	a.header(w.Header())
	status := http.StatusOK
	if w.Header().Del("Content-Range"); part != nil {
		status = http.StatusPartialContent
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", want.first, want.last, want.total))
	}
	w.WriteHeader(status)
	_, _ = io.Copy(w, bytes.NewReader(body[want.first-has.first:want.last-has.first+1]))
	return true
}
