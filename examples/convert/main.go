// Command convert is a filter that turns pages into Markdown, for bulk work and for measuring. It reads one
// JSON object a line from standard input, {"id","url","html"}, and writes one a line to standard output, in the same order:
// {"id","markdown"}, or {"id","error"} for a line that is not such an object. Each answer is flushed at once.
//
//	go run ./examples/convert < pages.ndjson > markdown.ndjson
//	go run ./examples/convert -workers 4            # as many pages at once
//	go run ./examples/convert -main-content=false   # the whole page
//	go run ./examples/convert -html                 # the cleaned html instead: {"id","html"}
//
// The url is the base of relative links; it may be missing. There is no browser and no network. Memory is bounded by the
// number of workers times the largest line; a line of more than 256 MiB is answered with an error.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/winnow-go/winnow/formats"
)

// settings are what the flags say.
type settings struct {
	workers int
	format  formats.Type
	main    bool
	maxLine int // bytes
}

const maxLine = 256 << 20

func main() {
	s := settings{format: formats.Markdown, maxLine: maxLine}
	flag.IntVar(&s.workers, "workers", 1, "pages converted at once, at least 1")
	flag.BoolVar(&s.main, "main-content", true, "leave out navigation, banners, footers and the like")
	html := flag.Bool("html", false, "write the cleaned html instead of markdown")
	flag.Parse()
	if *html {
		s.format = formats.HTML
	}
	// A page lives for milliseconds: fewer collections buy a quarter of the CPU for some tens of megabytes.
	debug.SetGCPercent(400)
	if err := run(context.Background(), os.Stdin, os.Stdout, s); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer, s settings) error {
	if s.workers < 1 {
		return fmt.Errorf("-workers %d: want at least 1", s.workers)
	}
	return pipe(in, out, s.workers, s.maxLine, func(line []byte) answer { return convert(ctx, line, s) })
}
