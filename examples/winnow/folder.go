package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/pagefile"
)

// failedFile lists the pages of a folder that failed.
const failedFile = "failed.ndjson"

// folder writes a file for each page and format. All writing goes through root, which no name and no symbolic link leads out of. A page
// that is there already is replaced.
type folder struct {
	root   *os.Root
	errors *os.File        // nil: none yet
	files  map[string]bool // the names that files were given by their own
}

func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &folder{root: root, files: map[string]bool{}}, err
}

// page writes what is text in a file of its own; the picture of a screenshot, too; and what is left, in one of JSON.
func (f *folder) page(url string, doc *engine.Document) error {
	name := f.nameOf(url)
	rest := *doc
	err := errors.Join(
		f.write(name+".md", take(&rest.Markdown, pagefile.Head(doc.Metadata.Title, url))),
		f.write(name+".html", take(&rest.HTML, "")),
		f.write(name+".raw.html", take(&rest.RawHTML, "")),
		f.picture(name, &rest.Screenshot),
	)
	if err != nil || !isMore(&rest) {
		return err
	}
	data, err := json.MarshalIndent(&rest, "", "  ")
	if err != nil {
		return err
	}
	return f.write(name+".json", string(data)+"\n")
}

// nameOf is the name of a page's files, or that of a file, which may be that of another in another folder.
func (f *folder) nameOf(url string) string {
	base := filepath.Base(url)
	if strings.Contains(url, "://") || !filepath.IsLocal(base) || f.files[base] || strings.HasPrefix(base, ".") || base == "-" {
		return pagefile.Name(url)
	}
	f.files[base] = true
	return base
}

// take empties a field and returns what was in it, after a head; "" for an empty one.
func take(field *string, head string) string {
	if *field == "" {
		return ""
	}
	text := head + strings.TrimRight(*field, "\n") + "\n"
	*field = ""
	return text
}

// isMore reports whether a document has something beside its metadata.
func isMore(doc *engine.Document) bool {
	bare := *doc
	bare.Metadata, bare.Warning = engine.Metadata{}, ""
	data, err := json.Marshal(&bare)
	empty, _ := json.Marshal(&engine.Document{})
	return err != nil || string(data) != string(empty)
}

func (f *folder) write(name, text string) error {
	if text == "" {
		return nil
	}
	return f.root.WriteFile(name, []byte(text), 0o644)
}

// picture writes a data URI as the file that it is.
func (f *folder) picture(name string, uri *string) error {
	if *uri == "" {
		return nil
	}
	head, body, _ := strings.Cut(strings.TrimPrefix(*uri, "data:"), ",")
	media, _, _ := strings.Cut(head, ";")
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return fmt.Errorf("the screenshot is no data URI: %w", err)
	}
	*uri = ""
	return f.root.WriteFile(name+extensionOf(media), data, 0o644)
}

func extensionOf(media string) string {
	if media == "image/jpeg" {
		return ".jpg"
	}
	if list, err := mime.ExtensionsByType(media); err == nil && len(list) > 0 {
		return list[0]
	}
	return ".png"
}

func (f *folder) failed(one failure) (err error) {
	if f.errors == nil {
		if f.errors, err = f.root.Create(failedFile); err != nil {
			return err
		}
	}
	return encoder(f.errors).Encode(one)
}

// close also removes the list of failed pages that an earlier run has left, where none failed in this one.
func (f *folder) close() error {
	var err error
	if f.errors != nil {
		err = f.errors.Close()
	} else if gone := f.root.Remove(failedFile); !errors.Is(gone, os.ErrNotExist) {
		err = gone
	}
	return errors.Join(err, f.root.Close())
}
