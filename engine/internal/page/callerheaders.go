package page

import (
	"fmt"
	"net/http"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch"
)

// maxHeaders is the service's bound of a caller's headers.
const maxHeaders = 100

// CheckHeaders refuses headers that a caller may not set. Its error is an [option.Error].
func CheckHeaders(headers map[string]string) error {
	if len(headers) > maxHeaders {
		return &option.Error{Field: "headers", Value: len(headers), Want: fmt.Sprintf("at most %d", maxHeaders)}
	}
	seen := map[string]bool{}
	for name, value := range headers {
		if err := fetch.ValidateHeader(name, value); err != nil {
			return &option.Error{Field: "headers", Value: name, Want: "a header that a caller may set", Err: err}
		}
		canonical := http.CanonicalHeaderKey(name)
		if seen[canonical] {
			return &option.Error{Field: "headers", Value: name, Want: "each name once, whatever its case"}
		}
		seen[canonical] = true
	}
	return nil
}
