package sample

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Page is a web page with what is known of its main content.
type Page struct {
	ID, URL string
	// Type is article, documentation, service, forum, collection, listing or product.
	Type string
	HTML []byte
	// Reference is the main content as plain text, empty for a page without any.
	Reference string
	// With are snippets of the main content, Without snippets of what does not belong to it.
	With, Without []string
}

// Read yields the pages of the folder dir in the order of their ids, each read when the loop reaches it. A page that can't be read comes
// with its ID and an error, and the next one follows; a folder that can't be listed, or has no pages, comes as one error.
func Read(dir string) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		all, err := ids(dir)
		if err != nil {
			yield(Page{}, err)
			return
		}
		for _, id := range all {
			if !yield(readPage(dir, id)) {
				return
			}
		}
	}
}

func ids(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "ground-truth"))
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			all = append(all, id)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no pages: ground-truth has no .json file", dir)
	}
	slices.Sort(all)
	return all, nil
}

// truth is a file of the folder ground-truth.
type truth struct {
	URL      string `json:"url"`
	Internal struct {
		PageType struct {
			Primary string `json:"primary"`
		} `json:"page_type"`
	} `json:"_internal"`
	Known struct {
		Main    string   `json:"main_content"`
		With    []string `json:"with"`
		Without []string `json:"without"`
	} `json:"ground_truth"`
}

func readPage(dir, id string) (Page, error) {
	t, err := readTruth(filepath.Join(dir, "ground-truth", id+".json"))
	if err != nil {
		return Page{ID: id}, err
	}
	html, err := unzipped(filepath.Join(dir, "html", id+".html.gz"))
	if err != nil {
		return Page{ID: id}, err
	}
	return Page{
		ID: id, URL: t.URL, Type: t.Internal.PageType.Primary, HTML: html,
		Reference: t.Known.Main, With: t.Known.With, Without: t.Known.Without,
	}, nil
}

func readTruth(path string) (t truth, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	if t.Internal.PageType.Primary == "" {
		return t, fmt.Errorf("%s: no _internal.page_type.primary", path)
	}
	return t, nil
}

func unzipped(path string) (data []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if data, err = io.ReadAll(z); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}
