package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats/document"
)

// Upload is a file that is handed over: Reader or Path, exactly one of them.
type Upload struct {
	Reader      io.Reader // is not closed
	Path        string    // of a regular file
	Name        string    // "": that of Path
	ContentType string    // that came with it; "": content and name decide
	URL         string    // where it comes from; "": unknown
}

// Title is what the file is called.
func (u Upload) Title() string {
	if u.Name != "" || u.Path == "" {
		return u.Name
	}
	return filepath.Base(u.Path)
}

// Acquire is Read as a step of a request.
func (u Upload) Acquire(ctx context.Context, r *Request, now func() time.Time, maxBytes int64) (got Result, err error) {
	err = r.Step(now, "read", func() (detail string, err error) {
		if got.Page, err = u.Read(ctx, maxBytes); err == nil {
			detail = fmt.Sprintf("%d bytes of %s", len(got.Page.Body), got.Page.MediaType)
		}
		return detail, err
	})
	return got, err
}

// Read reads the file as a page. Its errors are an [*option.Error] for a file that cannot be read or is empty, a
// [*document.TooLargeError], a [*FileTypeError], and those of ctx.
func (u Upload) Read(ctx context.Context, maxBytes int64) (*Page, error) {
	body, err := u.bytes(ctx, maxBytes)
	if err != nil {
		return nil, err
	}
	if len(body) == 0 {
		return nil, &option.Error{Field: "file", Value: u.Title(), Want: "a file with content: this one is empty (0 bytes)"}
	}
	src := u.page(body)
	if !src.IsHTML() && src.FileKind() == document.Unknown && !fetch.IsText(src.MediaType) {
		return nil, &FileTypeError{fmt.Errorf("a file of type %q can't be read", src.MediaType)}
	}
	return src, nil
}

func (u Upload) bytes(ctx context.Context, maxBytes int64) ([]byte, error) {
	r := u.Reader
	if r == nil {
		f, err := openRegular(u.Path)
		if err != nil {
			return nil, &option.Error{Field: "path", Value: u.Path, Want: "a regular file that can be read", Err: err}
		}
		defer f.Close()
		r = f
	}
	body, err := io.ReadAll(io.LimitReader(ctxReader{ctx, r}, maxBytes+1))
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, &option.Error{Field: "reader", Value: u.Title(), Want: "a file that can be read", Err: err}
	case err != nil:
		return nil, err
	case int64(len(body)) > maxBytes:
		return nil, &document.TooLargeError{What: "bytes", Limit: maxBytes}
	}
	return body, nil
}

// openRegular opens no pipe, device or folder: those may block forever.
func openRegular(path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("is no regular file")
	}
	return os.Open(path)
}

// ctxReader ends with its context, between two reads.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// textTypes are the types of texts that cannot be recognized by their content.
var textTypes = map[string]string{
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".md": "text/markdown", ".markdown": "text/markdown",
	".txt": "text/plain", ".text": "text/plain", ".log": "text/plain", ".json": "application/json",
	".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml",
	".css": "text/css", ".js": "text/javascript",
	".go": "text/x-go", ".py": "text/x-python", ".sh": "text/x-sh", ".sql": "application/sql", ".toml": "application/toml",
}

func (u Upload) page(body []byte) *Page {
	declared := u.ContentType
	if known := textTypes[strings.ToLower(filepath.Ext(u.Title()))]; known != "" && generic(declared) {
		declared = known
	}
	return &Page{
		Status: http.StatusOK, URL: u.URL, Name: u.Title(), Body: body,
		ContentType: declared, MediaType: fetch.MediaType(declared, body),
	}
}

// generic types say nothing that a name doesn't say better.
func generic(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return slices.Contains([]string{"", "application/octet-stream", "text/plain"}, strings.ToLower(strings.TrimSpace(mediaType)))
}
