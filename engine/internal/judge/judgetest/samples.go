// Package judgetest reads the real pages that the judge is measured on, for tests and benchmarks.
package judgetest

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Sample is a page that was fetched without a browser and whose text is known to be in it.
type Sample struct {
	Name string // of its file
	URL  string // where it was
	HTML []byte
}

// Samples are the pages of the samples wcxb-dev and wcxb-dev2 below a folder. None at all is an error.
func Samples(root string) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		files, err := filepath.Glob(filepath.Join(root, "wcxb-dev*", "html", "*.html.gz"))
		if err != nil || len(files) == 0 {
			yield(Sample{}, errors.Join(err, errors.New("no pages below "+root)))
			return
		}
		for _, file := range files {
			if s, err := read(file); !yield(s, err) || err != nil {
				return
			}
		}
	}
}

func read(file string) (s Sample, err error) {
	s.Name = filepath.Base(file)
	truth := filepath.Join(filepath.Dir(file), "..", "ground-truth", strings.TrimSuffix(s.Name, ".html.gz")+".json")
	data, err := os.ReadFile(truth)
	if err != nil {
		return s, err
	}
	var at struct{ URL string }
	if err := json.Unmarshal(data, &at); err != nil {
		return s, err
	}
	s.URL = at.URL
	s.HTML, err = unpack(file)
	return s, err
}

func unpack(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}
