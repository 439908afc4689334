package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// outputs names the file for each input: its own name and ".md", with a number before that where two are called
// alike. Without a folder the names are empty.
func outputs(folder string, inputs []engine.ParseInput) ([]string, error) {
	files := make([]string, len(inputs))
	if folder == "" {
		return files, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for i, in := range inputs {
		name := nameOf(in)
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s.%d", nameOf(in), n)
		}
		taken[strings.ToLower(name)] = true
		files[i] = filepath.Join(folder, name+".md")
	}
	return files, nil
}

func nameOf(in engine.ParseInput) string {
	if in.Path != "" {
		return filepath.Base(in.Path)
	}
	return in.Name
}

// write puts the Markdown where it belongs; on standard output each file has its name above it.
func write(stdout io.Writer, file string, in engine.ParseInput, doc *engine.Document) error {
	if file != "" {
		return os.WriteFile(file, []byte(doc.Markdown+"\n"), 0o644)
	}
	_, err := fmt.Fprintf(stdout, "<!-- %s -->\n\n%s\n\n", nameOf(in), doc.Markdown)
	return err
}

// report is the line that reports a file.
func report(i, all int, in engine.ParseInput, doc *engine.Document, took time.Duration, err error) string {
	line := fmt.Sprintf("%d/%d %s: ", i+1, all, nameOf(in))
	switch {
	case err != nil:
		line += strings.Join(strings.Fields(err.Error()), " ")
	case doc.Metadata.TotalPages > 0:
		line += fmt.Sprintf("%d of %d pages, ", doc.Metadata.NumPages, doc.Metadata.TotalPages)
		fallthrough
	default:
		line += fmt.Sprintf("%d characters, %s", len([]rune(doc.Markdown)), took.Round(time.Millisecond))
		if doc.Warning != "" {
			line += " (" + doc.Warning + ")"
		}
	}
	return line
}
