package mcp

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/formats/window"
)

type parseArguments struct {
	path, content, name string
	base64              bool
	want                want
	o                   engine.ScrapeOptions
}

func parseTool() tool {
	return declare("parse", "Read a file (HTML, PDF, office, e-book, mail, table, picture): by its path on the server, or its content.",
		func(s *server, a *parseArguments) []param {
			return append([]param{
				{"path", "", decode.Text(&a.path, 1, decode.MaxLabel)},
				{"content", "", decode.Text(&a.content, 1, maxContent)},
				{"base64", "content is base64", decode.Flag(&a.base64)},
				{"name", "of content, with its extension", decode.Text(&a.name, 1, decode.MaxLabel)},
				optionsOf("parse", "POST /v2/parse", parseOptions(&a.o).Read),
			}, windowParams(s, &a.want)...)
		}, parse).withOptions(func() decode.Fields { return parseOptions(&engine.ScrapeOptions{}) })
}

// maxContent bounds a file that comes with the call, in characters; maxFile one that is read by its path, in bytes.
const (
	maxContent = 8 << 20
	maxFile    = 50 << 20
)

func parseOptions(o *engine.ScrapeOptions) decode.Fields {
	return without(decode.ParseFileFields(o, true))
}

func parse(c *call, a *parseArguments) (*result, error) {
	switch {
	case (a.path == "") == (a.content == ""):
		return nil, decode.Invalid("path", "want exactly one of path and content")
	case a.path != "" && (a.base64 || a.name != ""):
		return nil, decode.Invalid("path", "want neither base64 nor name beside it")
	case a.want.from > 0 && a.want.query != "":
		return nil, decode.Invalid("from", "want 0 with query, which finds parts wherever they are")
	case a.o.Budget != window.Budget{}:
		return nil, decode.Invalid("options.winnow.budget", "not here: tokens, query and from are arguments")
	case a.o.Render != "" || a.o.MinConfidence > 0 || a.o.Revalidate:
		return nil, decode.Invalid("options.winnow", "want neither render, minConfidence nor revalidate: they are of pages, not of files")
	}
	data, err := c.file(a)
	if err != nil {
		return nil, err
	}
	o := a.o
	in := engine.ParseInput{Reader: bytes.NewReader(data), Name: a.path + a.name}
	doc, err := c.engine.Parse(c.ctx, in, engine.ParseOptions{
		Formats: o.Formats, OnlyMainContent: o.OnlyMainContent, OnlyCleanContent: o.OnlyCleanContent, CleanBelow: o.CleanBelow,
		LeftOut: o.LeftOut, IncludeTags: o.IncludeTags, ExcludeTags: o.ExcludeTags, Parsers: o.Parsers, RemoveBase64Images: o.RemoveBase64Images,
		Timeout: o.Timeout, ZeroDataRetention: o.ZeroDataRetention, Owner: c.o.Owner,
		OnStep: c.step, OnPage: func(done, all int) { c.report(0, 0, fmt.Sprintf("page %d of %d", done, all)) },
	})
	if err != nil {
		return nil, err
	}
	r, id := c.result(), doc.Metadata.ScrapeID
	if o.ZeroDataRetention {
		id = ""
	}
	return r, r.document(doc, id, a.want)
}

// file returns the bytes of the file.
func (c *call) file(a *parseArguments) ([]byte, error) {
	if a.path == "" {
		if !a.base64 {
			return []byte(a.content), nil
		}
		data, err := base64.StdEncoding.DecodeString(a.content)
		if err != nil {
			return nil, decode.Invalid("content", "want base64: "+err.Error())
		}
		return data, nil
	}
	if c.o.Files == nil {
		return nil, decode.Invalid("path", "this server reads no files by their path: want content")
	}
	f, err := c.o.Files.Open(a.path)
	if err != nil {
		return nil, decode.Invalid("path", fmt.Sprintf("no such file among those of the server: %.200q", a.path))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil || len(data) > maxFile {
		return nil, decode.Invalid("path", fmt.Sprintf("want a file of at most %d bytes", maxFile))
	}
	return data, nil
}
