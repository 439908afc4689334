package archive

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"time"
)

// WACZContent is what WriteWACZ writes.
type WACZContent struct {
	// Title describes it; "" is none. Software defaults to "winnow".
	Title, Software string
	// Created is stored in every part of the file. Zero is now.
	Created time.Time
	// Archives are the WARC files. At least one is required.
	Archives []WARCFile
	// Index has the entries of all of them, whose Filename is WARCFile.Name.
	Index []Entry
	// Pages are listed in their order. If nil, the list is empty.
	Pages iter.Seq[Page]
}

// WARCFile is a WARC file that is to become part of a WACZ file.
type WARCFile struct {
	// Name is without a folder.
	Name string
	// Open opens it for reading, once.
	Open func() (io.ReadCloser, error)
}

// packing is a WACZ file in the making.
type packing struct {
	zip       *zip.Writer
	created   time.Time
	resources []packed
}

type packed struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Hash  string `json:"hash"`
	Bytes int64  `json:"bytes"`
}

// WriteWACZ writes a WACZ 1.1.1 file: archive/, indexes/index.cdxj, pages/pages.jsonl, and the digest of each. All is stored
// uncompressed within the zip file, so that records and lines can be read where they lie. The same content makes the same bytes.
func WriteWACZ(w io.Writer, c WACZContent) error {
	if err := c.resolve(); err != nil {
		return err
	}
	p := &packing{zip: zip.NewWriter(w), created: c.Created}
	for _, f := range c.Archives {
		if err := p.archive(f); err != nil {
			return fmt.Errorf("WACZ: %s: %w", f.Name, err)
		}
	}
	return errors.Join(
		p.add("indexes/index.cdxj", func(w io.Writer) error { return WriteIndex(w, c.Index) }),
		p.add("pages/pages.jsonl", func(w io.Writer) error { return writePages(w, c.Pages) }),
		p.finish(c))
}

func (c *WACZContent) resolve() error {
	if len(c.Archives) == 0 {
		return errors.New("WACZ: Archives is empty: want at least one")
	}
	for _, f := range c.Archives {
		if f.Name == "" || f.Name != path.Base(f.Name) || f.Name == "." || f.Name == ".." {
			return fmt.Errorf("WACZ: Archives: Name %q: want a name without a folder", f.Name)
		}
	}
	if c.Software == "" {
		c.Software = "winnow"
	}
	if c.Created.IsZero() {
		c.Created = time.Now()
	}
	c.Created = c.Created.UTC().Truncate(time.Second)
	return nil
}

func (p *packing) archive(f WARCFile) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	return p.add("archive/"+f.Name, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// add stores a part and remembers its digest.
func (p *packing) add(name string, write func(io.Writer) error) error {
	out, err := p.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: p.created})
	if err != nil {
		return err
	}
	sum, n := newSumming("sha256"), int64(0)
	if err := write(io.MultiWriter(&written{out, &n}, sum)); err != nil {
		return err
	}
	p.resources = append(p.resources, packed{path.Base(name), name, sum.digest().String(), n})
	return nil
}

// finish writes the description, its digest, and the end of the zip file.
func (p *packing) finish(c WACZContent) error {
	text, err := json.MarshalIndent(struct {
		Profile   string    `json:"profile"`
		Version   string    `json:"wacz_version"`
		Title     string    `json:"title,omitempty"`
		Software  string    `json:"software"`
		Created   time.Time `json:"created"`
		Resources []packed  `json:"resources"`
	}{"data-package", "1.1.1", c.Title, c.Software, c.Created, p.resources}, "", "  ")
	if err != nil {
		return err
	}
	digest, err := json.MarshalIndent(seal{descriptionName, digestOf(text).String()}, "", "  ")
	return errors.Join(err, p.plain(descriptionName, text), p.plain(sealName, digest), p.zip.Close())
}

func (p *packing) plain(name string, text []byte) error {
	return p.add(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func writePages(w io.Writer, pages iter.Seq[Page]) error {
	if _, err := io.WriteString(w, `{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}`+"\n"); err != nil || pages == nil {
		return err
	}
	enc := json.NewEncoder(w)
	n := 0
	for page := range pages {
		n++
		line := struct {
			ID    string `json:"id"`
			URL   string `json:"url"`
			TS    string `json:"ts,omitempty"`
			Title string `json:"title,omitempty"`
		}{fmt.Sprintf("page%d", n), page.URL, "", page.Title}
		if !page.Time.IsZero() {
			line.TS = page.Time.UTC().Format(time.RFC3339)
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
