package batching

import (
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// maxURLs bounds one call.
const maxURLs = 1_000_000

// Split separates web addresses from other texts; want is what an address is. Its error, of which there is one where no text is an address,
// or one isn't and ignore is false, is an [*option.Error].
func Split(urls []string, ignore bool, want string) (valid, invalid []string, err error) {
	if len(urls) > maxURLs {
		return nil, nil, &option.Error{Field: "urls", Value: len(urls), Want: fmt.Sprintf("at most %d", maxURLs)}
	}
	for i, u := range urls {
		_, err := weburl.Target(u)
		switch {
		case err == nil:
			valid = append(valid, u)
		case ignore:
			invalid = append(invalid, u)
		default:
			return nil, nil, &option.Error{Field: fmt.Sprintf("urls[%d]", i), Value: u, Want: want}
		}
	}
	if len(valid) == 0 {
		return nil, nil, &option.Error{Field: "urls", Value: len(urls), Want: "at least one valid URL"}
	}
	return valid, invalid, nil
}
