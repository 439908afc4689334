package httpapi

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// body reads the request's JSON object into f; its error lists all that is wrong with it.
func (c *call) body(f decode.Fields) error {
	if c.describe != nil {
		*c.describe = f
		return errDescribed
	}
	if err := c.acceptable(c.api.options.MaxBody); err != nil {
		return err
	}
	data, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, c.api.options.MaxBody))
	if err != nil {
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return tooLarge("body", large.Limit)
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return errSlowBody
		}
		return refusal(engine.CodeBadRequest, "the body could not be read")
	}
	return decode.Object(data, f)
}

// acceptable refuses a body before it is read, by its header.
func (c *call) acceptable(limit int64) error {
	if coding := c.r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refusal(codeContentType, "a body must be sent without a Content-Encoding")
	}
	if c.r.ContentLength > limit {
		return tooLarge("body", limit)
	}
	return nil
}

// labels are accepted with every body: who the client says it is.
func (c *call) labels(f decode.Fields) decode.Fields {
	f["origin"] = decode.Text(&c.origin, 0, decode.MaxLabel)
	f["integration"] = decode.OrNull(decode.Text(&c.integration, 0, decode.MaxLabel))
	return f
}
