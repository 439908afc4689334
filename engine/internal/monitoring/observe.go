package monitoring

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// Facts are what is known of how a page was fetched.
type Facts struct {
	Status     int    // HTTP
	BlockedBy  string // the wall that it shows
	Incomplete bool   // something of it is missing
}

// key is what the page is known by.
func (o Observation) key() string { return cmp.Or(o.Key, o.URL) }

// Judged notes whether an observation is a page, gone, or neither.
func (o Observation) Judged(f Facts) Observation {
	o.Status = f.Status
	switch {
	case f.BlockedBy != "":
		o.Failure = "the page is a wall (" + f.BlockedBy + ")"
	case f.Status == http.StatusNotFound || f.Status == http.StatusGone:
		o.Gone = true
	case f.Status >= http.StatusBadRequest:
		o.Failure = fmt.Sprintf("the site answered with status %d", f.Status)
	case f.Incomplete:
		o.Failure = "the page is not whole"
	}
	return o
}

// maxPicture bounds a picture that is kept, in bytes.
const maxPicture = 16 << 20

// Picture reads a screenshot as documents have it: a data URI, or the path of a file. Nil where there is none, or one that can't be used.
func Picture(screenshot string) []byte {
	if _, encoded, ok := strings.Cut(screenshot, ";base64,"); ok && strings.HasPrefix(screenshot, "data:") {
		if len(encoded) > maxPicture*4/3 {
			return nil
		}
		data, _ := base64.StdEncoding.DecodeString(encoded)
		return data
	}
	if screenshot == "" {
		return nil
	}
	data, err := os.ReadFile(screenshot)
	if err != nil || len(data) > maxPicture {
		return nil
	}
	return bytes.Clone(data)
}
