package fetch

import (
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// maxHeaderValue bounds one header value of a caller, in bytes.
const maxHeaderValue = 64 << 10

// HeaderError means that a caller's header can't be sent. It never holds the value, which may be a secret.
type HeaderError struct {
	Name   string
	Reason string
}

func (e *HeaderError) Error() string { return fmt.Sprintf("header %q: %s", e.Name, e.Reason) }

// reservedHeaders belong to the connection or to the message's framing, not to the caller. It is read only.
var reservedHeaders = map[string]string{
	"Host":              "is taken from the URL",
	"Connection":        "is hop-by-hop",
	"Keep-Alive":        "is hop-by-hop",
	"Te":                "is hop-by-hop",
	"Trailer":           "is hop-by-hop",
	"Transfer-Encoding": "is hop-by-hop",
	"Upgrade":           "is hop-by-hop",
	"Http2-Settings":    "is hop-by-hop",
	"Content-Length":    "belongs to a body",
}

// ValidateHeader reports whether a caller may send the header: its name is a token, its value has no control
// characters and at most 64 KiB, and it is none of Host, Proxy-*, Content-Length and the hop-by-hop headers.
// The error is a *HeaderError.
func ValidateHeader(name, value string) error {
	canonical := http.CanonicalHeaderKey(name)
	reason := reservedHeaders[canonical]
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		reason = "name is not a token"
	case strings.HasPrefix(canonical, "Proxy-"):
		reason = "is for proxies only"
	case len(value) > maxHeaderValue:
		reason = fmt.Sprintf("value has %d bytes: want at most %d", len(value), maxHeaderValue)
	case !httpguts.ValidHeaderFieldValue(value):
		reason = "value has control characters"
	}
	if reason != "" {
		return &HeaderError{Name: name, Reason: reason}
	}
	return nil
}
