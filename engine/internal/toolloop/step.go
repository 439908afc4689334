package toolloop

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/winnow-go/winnow/actions"
)

// Step is one step of a model, for a record of what was done. [Run] fills in Number, Tool, Arguments and Why; the caller of Run
// adds what it knows of the rest.
type Step struct {
	// Number counts from 1; Part counts the steps on a page within a step of an agent, and is 0 for others.
	Number int
	Part   int
	// URL of the page that it was about, Digest and Seen of what the model saw of it: a hash, and its beginning.
	URL    string
	Digest string
	Seen   string
	// Tool and Arguments are the model's, the name cut to 64 bytes; Why is what it said beside the call, at most 2000.
	Tool      string
	Arguments json.RawMessage
	Why       string
	// Did says what was done, Error why it was not.
	Did   string
	Error string
	// Actions do the same on the page at URL without a model, for a step with parts all that those do. Incomplete says that
	// some of it can't be done so: no selector finds the element.
	Actions    []actions.Action
	Incomplete bool
}

// seenBytes are kept of what the model saw.
const seenBytes = 400

// See notes the page that the model saw.
func (s *Step) See(address, title, text string) {
	sum := sha256.Sum256([]byte(text))
	s.URL, s.Digest, s.Seen = address, hex.EncodeToString(sum[:8]), Clip(title+"\n"+text, seenBytes)
}

// Clip cuts s to at most n bytes of valid UTF-8, and marks the cut.
func Clip(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "")
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
