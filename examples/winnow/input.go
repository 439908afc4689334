package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Bounds of what is read from a file or a pipe.
const (
	maxLine = 64 << 20 // bytes: a document with its formats may be one line
	maxURLs = 100_000
)

// urlsFrom reads addresses from files, "-" for stdin, which is also what is read where no file is named.
func (p *program) urlsFrom(files []string) (urls []string, err error) {
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, name := range files {
		more, err := p.urlsOf(name)
		if err != nil {
			return nil, err
		}
		if urls = append(urls, more...); len(urls) > maxURLs {
			return nil, wrong("more than %d URLs: divide the list", maxURLs)
		}
	}
	if len(urls) == 0 {
		return nil, wrong("no URLs: want a file, or a pipe, with a line for each")
	}
	return urls, nil
}

func (p *program) urlsOf(name string) ([]string, error) {
	if name == "-" {
		return readURLs("stdin", p.stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, &usageError{err}
	}
	defer file.Close()
	return readURLs(name, file)
}

// readURLs reads a line for each address: the address alone, or a JSON object that has it, as map, search and scrape write them. Empty
// lines, and those that begin with #, are none.
func readURLs(name string, from io.Reader) (urls []string, err error) {
	scan := bufio.NewScanner(from)
	scan.Buffer(nil, maxLine)
	for n := 1; scan.Scan(); n++ {
		line := strings.TrimSpace(scan.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		url, err := urlOf(line)
		if err != nil {
			return nil, wrong("%s, line %d: %w", name, n, err)
		}
		if urls = append(urls, url); len(urls) > maxURLs {
			break
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return urls, nil
}

// urlOf is the address of a line.
func urlOf(line string) (string, error) {
	if !strings.HasPrefix(line, "{") {
		return line, nil
	}
	var object struct {
		URL      string `json:"url"`
		Metadata struct {
			SourceURL string `json:"sourceURL"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal([]byte(line), &object); err != nil {
		return "", fmt.Errorf("no JSON: %w", err)
	}
	if object.URL == "" {
		object.URL = object.Metadata.SourceURL
	}
	if object.URL == "" {
		return "", fmt.Errorf("the object has no url")
	}
	return object.URL, nil
}
