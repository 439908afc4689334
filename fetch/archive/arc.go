package archive

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const httpResponse = "application/http; msgtype=response"

// arcHeader fills in the header of a record from the line that begins it in ARC: URL, address, time, media type and length, between which
// version 2 has a status, a checksum, a location, an offset and a file name.
func (r *Reader) arcHeader(rec *Record, line string) error {
	f := strings.Fields(line)
	if !isArcLine(line) {
		return fmt.Errorf("%.40q begins no record", line)
	}
	n, err := strconv.ParseInt(f[len(f)-1], 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("length %.40q of an ARC record: want 0 or more", f[len(f)-1])
	}
	at, err := arcTime(f[2])
	if err != nil {
		return err
	}
	rec.Version = "ARC/1.0"
	if len(f) >= 10 {
		rec.Version = "ARC/2.0"
	}
	begin, _ := r.text.Peek(int(min(n, 5)))
	kind, media := Resource, f[3]
	switch {
	case strings.HasPrefix(f[0], "filedesc:"):
		kind, media = Info, "text/plain"
	case bytes.Equal(begin, []byte("HTTP/")):
		kind, media = Response, httpResponse
	}
	rec.Header = Header{{"WARC-Type", kind}, {"WARC-Target-URI", f[0]}, {"WARC-Date", at.Format(time.RFC3339)},
		{"WARC-IP-Address", f[1]}, {"Content-Type", media}, {"Content-Length", f[len(f)-1]}}
	return nil
}

// arcTime reads a time of 14 digits, or of 12 or 8.
func arcTime(s string) (time.Time, error) {
	for _, layout := range []string{"20060102150405", "200601021504", "20060102"} {
		if t, err := time.Parse(layout, s); err == nil && len(s) == len(layout) {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("time %.40q of an ARC record: want 14 digits", s)
}
