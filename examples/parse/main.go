// Command parse turns files into Markdown: PDFs, office documents, e-books, mails, feeds, tables, web pages, texts. It
// makes no connection and starts no browser.
//
//	go run ./examples/parse                          # three small built-in files
//	go run ./examples/parse report.pdf notes.docx    # Markdown to standard output
//	go run ./examples/parse -out FOLDER *.pdf        # a file of Markdown for each, beside each other
//	go run ./examples/parse -pages -password P a.pdf # pages apart; an encrypted PDF
//
// On a terminal a bar shows how many pages of a PDF are read. A line on standard error reports each file when it is done. A file
// that can't be read doesn't stop the others, but the exit code is then 1.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// settings are the command line.
type settings struct {
	out     string
	parser  engine.Parser
	timeout time.Duration
}

func main() {
	var s settings
	flag.StringVar(&s.out, "out", "", "folder for the Markdown; empty: standard output")
	flag.StringVar(&s.parser.Mode, "mode", "", `how PDFs are read: "fast" (the text in them), "auto" (OCR for pages without text), "ocr" (OCR for all pages)`)
	flag.IntVar(&s.parser.MaxPages, "max-pages", 0, "pages of a PDF to read; 0: all")
	flag.BoolVar(&s.parser.PageMarkers, "pages", false, "mark where a PDF's pages begin")
	flag.StringVar(&s.parser.Password, "password", "", "password of encrypted PDFs")
	flag.DurationVar(&s.timeout, "timeout", time.Minute, "time for each file, 1s to 5m")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, flag.Args(), s, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "parse:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, paths []string, s settings, stdout, stderr io.Writer) error {
	e, err := engine.New(engine.Options{Render: engine.RenderNever})
	if err != nil {
		return err
	}
	defer e.Close()
	inputs := carried()
	if len(paths) > 0 {
		inputs = nil
		for _, p := range paths {
			inputs = append(inputs, engine.ParseInput{Path: p})
		}
	}
	files, err := outputs(s.out, inputs)
	if err != nil {
		return err
	}
	failed, show := 0, terminal.New(stderr, false)
	for i, in := range inputs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		began := time.Now()
		doc, err := e.Parse(ctx, in, engine.ParseOptions{
			Parsers: []engine.Parser{s.pdf()}, Timeout: s.timeout,
			OnPage: func(done, all int) { show.Pages(nameOf(in), done, all) },
		})
		if err == nil {
			err = write(stdout, files[i], in, doc)
		}
		if err != nil {
			failed++
		}
		show.Say(report(i, len(inputs), in, doc, time.Since(began), err))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d files could not be read", failed, len(inputs))
	}
	return nil
}

func (s settings) pdf() engine.Parser {
	p := s.parser
	p.Type = "pdf"
	return p
}
