package monitoring

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"regexp"
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

// errorWords bounds the words of a page that is taken for an error by its title or heading: what is longer is about errors.
const errorWords = 100

// errorHead are the titles and headings of the error pages of servers, networks of servers and frameworks, with or without the status,
// and with what sites put behind them.
var errorHead = regexp.MustCompile(`(?i)^(?:oops\W*|sorry\W*)?(?:http )?(?:error\W*)?(?:[45]\d\d\b\W*)?(?:error\W*)?(?:` +
	`internal server error|server error|bad gateway|service (?:is )?(?:temporarily )?unavailable|gateway time-?out|too many requests|` +
	`(?:the )?page (?:was |could )?not (?:be )?found|application error|a client-side exception has occurred|error establishing a database connection|` +
	`something went wrong|(?:an|a server|an unexpected) error (?:has )?occurred|web server is down|origin is unreachable|` +
	`(?:the |this |our )?(?:web)?site is (?:currently |temporarily )?(?:unavailable|down for maintenance|under maintenance)|down for maintenance)` +
	`(?:\s*[.,:;!|(–—-].*)?$`)

// errorCode are headings that have the status alone.
var errorCode = regexp.MustCompile(`(?i)^(?:http )?(?:error:? (?:code:? )?[45]\d\d|[45]\d\d (?:error|not found|forbidden))(?:\s*[.,:;!|(–—-].*)?$`)

// showsError returns the title or heading by which a page is an error, whatever its status says; "" for none.
func (o Observation) showsError() string {
	if len(strings.Fields(o.Text)) >= errorWords {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(o.Text), "\n")
	for _, head := range []string{strings.Trim(first, "#* \t\r"), strings.TrimSpace(o.Title)} {
		if errorHead.MatchString(head) || errorCode.MatchString(head) {
			return head
		}
	}
	return ""
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
