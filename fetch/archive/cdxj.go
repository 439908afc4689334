package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mimeRevisit is the media type that indexes give to revisits.
const mimeRevisit = "warc/revisit"

// Entry is one line of a CDXJ index: where a record of an address is.
type Entry struct {
	URL string
	// Time is that of the record. Indexes hold seconds, or milliseconds.
	Time time.Time
	// MIME is the declared media type without parameters, "warc/revisit" for a revisit.
	MIME string
	// Status is that of the response, 0 for none.
	Status int
	// Digest is the payload's; the zero value is none.
	Digest Digest
	// Filename is the WARC file; Offset and Length are the record's place in it, in bytes as stored. Length 0 is not known.
	Filename       string
	Offset, Length int64
	// Method is the request's, "" for GET or not known. RequestDigest is that of its body, of the redacted one where it was redacted; see
	// RequestDigests.
	Method        string
	RequestDigest Digest
}

// entryJSON is the JSON of a line. Numbers are strings in it, as other tools write them.
type entryJSON struct {
	URL           string `json:"url"`
	MIME          string `json:"mime,omitempty"`
	Status        number `json:"status,omitempty"`
	Digest        string `json:"digest,omitempty"`
	Length        number `json:"length,omitempty"`
	Offset        number `json:"offset"`
	Filename      string `json:"filename"`
	Method        string `json:"method,omitempty"`
	RequestDigest string `json:"requestDigest,omitempty"`
}

// number is a number that may be a string.
type number string

// UnmarshalJSON accepts 5, "5" and what is no number, such as "-", which is 0.
func (n *number) UnmarshalJSON(b []byte) error {
	*n = number(bytes.Trim(b, `"`))
	return nil
}

func (n number) int() int64 {
	i, _ := strconv.ParseInt(string(n), 10, 64)
	return max(i, 0)
}

func numberOf(n int64) number {
	if n == 0 {
		return ""
	}
	return number(strconv.FormatInt(n, 10))
}

const stampLayout = "20060102150405.000"

// String is the line, without its end.
func (e Entry) String() string {
	j := entryJSON{URL: e.URL, MIME: e.MIME, Status: numberOf(int64(e.Status)), Digest: e.Digest.String(), Length: numberOf(e.Length),
		Offset: number(strconv.FormatInt(e.Offset, 10)), Filename: e.Filename, Method: e.Method, RequestDigest: e.RequestDigest.String()}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(j) // strings can't fail
	at := strings.TrimSuffix(strings.Replace(e.Time.UTC().Format(stampLayout), ".", "", 1), "000")
	return Key(e.URL) + " " + at + " " + strings.TrimSuffix(b.String(), "\n")
}

// ParseEntry reads a line of an index. A digest of an algorithm that isn't known is left out.
func ParseEntry(line string) (Entry, error) {
	_, rest, _ := strings.Cut(line, " ")
	at, object, ok := strings.Cut(rest, " ")
	var j entryJSON
	if !ok || json.Unmarshal([]byte(object), &j) != nil {
		return Entry{}, fmt.Errorf("line %.60q of an index: want a key, a time and JSON", line)
	}
	t, err := parseStamp(at)
	if err != nil {
		return Entry{}, fmt.Errorf("line %.60q of an index: %w", line, err)
	}
	e := Entry{URL: j.URL, Time: t, MIME: j.MIME, Status: int(min(j.Status.int(), 999)), Filename: j.Filename,
		Offset: j.Offset.int(), Length: j.Length.int(), Method: j.Method}
	e.Digest, _ = ParseDigest(j.Digest)
	e.RequestDigest, _ = ParseDigest(j.RequestDigest)
	return e, nil
}

// parseStamp reads a time of 14 digits, or of 17.
func parseStamp(s string) (time.Time, error) {
	if len(s) == len(stampLayout)-1 {
		s = s[:14] + "." + s[14:]
	}
	t, err := time.Parse(stampLayout, s)
	if len(s) == 14 {
		t, err = time.Parse(stampLayout[:14], s)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("time %.40q: want 14 digits", s)
	}
	return t, nil
}

// WriteIndex writes entries as a CDXJ index: sorted, one to a line. It sorts the slice.
func WriteIndex(w io.Writer, entries []Entry) error {
	lines := make([]string, len(entries))
	for i, e := range entries {
		lines[i] = e.String() + "\n"
	}
	slices.Sort(lines)
	for _, line := range lines {
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// MakeIndex reads a WARC or ARC file and returns an entry for each of its responses, revisits and resources. What is damaged is passed to
// onDamage, which may be nil; so is a record that shares its gzip member with others and can't be read by itself. The error is that of
// reading r.
func MakeIndex(r io.Reader, filename string, onDamage func(error)) ([]Entry, error) {
	m := &indexing{filename: filename, onDamage: onDamage, waiting: map[string]int{}}
	in := NewReader(r)
	for {
		rec, err := in.Next()
		if err == nil {
			err = m.add(rec)
		}
		if err == io.EOF {
			return m.entries, nil
		}
		if _, ok := errors.AsType[*DamageError](err); err != nil && !ok {
			return m.entries, err
		}
		if err != nil && onDamage != nil {
			onDamage(err)
		}
	}
}
