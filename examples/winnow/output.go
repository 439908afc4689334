package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
	"github.com/winnow-go/winnow/formats"
)

// outputFlags say where results go.
type outputFlags struct {
	dir  string
	json bool
}

func (f *outputFlags) declare(c *cobra.Command) {
	c.Flags().StringVarP(&f.dir, "out", "o", "", "folder for the results, a file for each page and format; made when missing")
	c.Flags().BoolVar(&f.json, "json", false, "a line of JSON for each document (NDJSON)")
	c.MarkFlagsMutuallyExclusive("out", "json")
	_ = c.MarkFlagDirname("out")
}

// failure is a page or file that gave no document.
type failure struct {
	URL   string      `json:"url"`
	Code  engine.Code `json:"code"`
	Error string      `json:"error"`
}

// failureOf makes one of an error; the engine's own says the address and the code, which are said already.
func failureOf(url string, err error) failure {
	f := failure{URL: url, Code: engine.CodeOf(err), Error: err.Error()}
	if e, ok := errors.AsType[*engine.Error](err); ok && e.Code == engine.CodeModelNotConfigured {
		f.Error = needsModel
	} else if ok && e.Err != nil {
		f.Error = e.Err.Error()
	}
	f.Error = terminal.OneLine(f.Error)
	return f
}

// sink takes the results of a run.
type sink interface {
	page(url string, doc *engine.Document) error
	failed(f failure) error
	close() error
}

// open returns the sink of the flags, for documents in these formats; many says that there may be several.
func (f *outputFlags) open(p *program, asked []formats.Format, many bool) (sink, error) {
	switch {
	case f.dir != "":
		return openFolder(f.dir)
	case f.json:
		return lines{encoder(p.stdout)}, nil
	}
	for _, one := range asked {
		if one.Type == formats.Screenshot || one.Type == formats.RawBase64 {
			return nil, wrong("--format %s is no text: add -o FOLDER or --json", one.Type)
		}
	}
	return &text{to: p.stdout, asked: asked, many: many}, nil
}

// lines are documents and failures as lines of JSON.
type lines struct{ to *json.Encoder }

func (l lines) page(_ string, doc *engine.Document) error { return l.to.Encode(doc) }
func (l lines) failed(f failure) error                    { return l.to.Encode(f) }
func (l lines) close() error                              { return nil }

// results counts what goes to a sink, and names what failed and what is missing on stderr.
type results struct {
	sink
	say       func(line string)
	of        string // what they are
	good, bad int
	first     error // that a page failed with
}

// add takes what came of a page.
func (r *results) add(url string, doc *engine.Document, err error) error {
	if doc != nil && err == nil {
		return r.document(url, doc)
	}
	if r.bad++; r.first == nil {
		r.first = err
	}
	f := failureOf(url, err)
	r.say(fmt.Sprintf("%s: %s: %s", f.URL, f.Code, f.Error))
	return r.failed(f)
}

func (r *results) document(url string, doc *engine.Document) error {
	r.good++
	if doc.Warning != "" {
		r.say("warning: " + url + ": " + terminal.OneLine(doc.Warning))
	}
	return r.page(url, doc)
}

// end closes the sink; its error says how many have failed.
func (r *results) end(err error) error {
	if closing := r.close(); err == nil {
		err = closing
	}
	if err == nil && r.bad > 0 {
		err = &partError{r.bad, r.bad + r.good, r.of, r.first}
	}
	return err
}
