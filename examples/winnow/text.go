package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/pagefile"
	"github.com/winnow-go/winnow/formats"
)

// text shows documents as text, in the order of the formats that were asked for.
type text struct {
	to    io.Writer
	asked []formats.Format
	many  bool // each page begins with its address
	begun bool
}

func (t *text) page(url string, doc *engine.Document) error {
	var b bytes.Buffer
	if t.begun {
		b.WriteByte('\n')
	}
	t.begun = true
	if t.many {
		b.WriteString(pagefile.Head(doc.Metadata.Title, url))
	}
	fields, err := fieldsOf(doc)
	if err != nil {
		return err
	}
	for _, f := range t.asked {
		b.WriteString(strings.TrimRight(shown(fields[fieldOf(f.Type)]), "\n"))
		b.WriteByte('\n')
	}
	_, err = t.to.Write(b.Bytes())
	return err
}

func (t *text) failed(failure) error { return nil } // stderr has it
func (t *text) close() error         { return nil }

// fieldOf is the field of a document that a format gives.
func fieldOf(t formats.Type) string {
	switch t {
	case formats.DeterministicJSON:
		return "json"
	case formats.Question, formats.Query:
		return "answer"
	}
	return string(t)
}

// fieldsOf are a document's fields as JSON.
func fieldsOf(doc *engine.Document) (fields map[string]json.RawMessage, err error) {
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	return fields, json.Unmarshal(data, &fields)
}

// shown is a field as text: a text as it is, a list of texts with a line for each, all else as indented JSON.
func shown(field json.RawMessage) string {
	var one string
	if json.Unmarshal(field, &one) == nil {
		return one
	}
	var list []string
	if json.Unmarshal(field, &list) == nil {
		return strings.Join(list, "\n")
	}
	var b bytes.Buffer
	if json.Indent(&b, field, "", "  ") != nil {
		return ""
	}
	return b.String()
}
