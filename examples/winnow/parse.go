package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// parseFlags are the flags of how files are read.
type parseFlags struct {
	formatFlags
	pdf     engine.Parser
	name    string
	timeout time.Duration
}

func (f *parseFlags) declare(c *cobra.Command) {
	f.formatFlags.declare(c)
	flags := c.Flags()
	flags.StringVar(&f.pdf.Mode, "mode", "auto", "how PDFs are read: fast (the text in them), auto (recognition for pages without text), ocr (for all)")
	flags.IntVar(&f.pdf.MaxPages, "max-pages", 0, "pages of a PDF to read (default: all)")
	flags.BoolVar(&f.pdf.PageMarkers, "page-markers", false, "mark where a PDF's pages begin")
	flags.StringVar(&f.pdf.Password, "password", "", "password of encrypted PDFs")
	flags.StringVar(&f.name, "name", "", "name of the file that comes from stdin, for its extension")
	flags.DurationVar(&f.timeout, "timeout", time.Minute, "time for each file, 1s to 5m")
	_ = c.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions([]string{"fast", "auto", "ocr"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *parseFlags) options() (o engine.ParseOptions, err error) {
	pdf := f.pdf
	pdf.Type = "pdf"
	o = engine.ParseOptions{
		OnlyMainContent: f.mainContent(), IncludeTags: f.include, ExcludeTags: f.exclude, Parsers: []engine.Parser{pdf, {Type: "image"}}, Timeout: f.timeout,
	}
	o.Formats, err = f.formats()
	return o, err
}

func newParse(p *program) *cobra.Command {
	var f engineFlags
	var parse parseFlags
	var out outputFlags
	c := &cobra.Command{
		Use: "parse FILE...", Short: "Files as markdown: PDFs, office documents, e-books, mails, feeds, pictures; - is stdin", Args: cobra.MinimumNArgs(1),
		Example: "  winnow parse report.pdf\n  winnow parse *.docx -o texts\n  curl -s https://example.com/a.pdf | winnow parse -",
	}
	f.declareModel(c)
	f.declareSaying(c)
	parse.declare(c)
	out.declare(c)
	return p.does(c, func(ctx context.Context, files []string) error {
		o, err := parse.options()
		if err != nil {
			return err
		}
		if parse.name != "" && !slices.Contains(files, "-") {
			return wrong("--name %s: it names the file that comes from stdin, which is -", parse.name)
		}
		return p.start(&f, func(e *engine.Engine, show *terminal.Display) error {
			to, err := out.open(p, o.Formats, len(files) > 1)
			if err != nil {
				return err
			}
			list := &results{sink: to, say: f.say(p, show), of: "files"}
			return each(ctx, files, list, show, func(file string) (*engine.Document, error) { return e.Parse(ctx, p.file(file, parse.name), o) })
		})
	})
}

// file is what a path on the command line stands for; the name is that of stdin.
func (p *program) file(path, name string) engine.ParseInput {
	if path == "-" {
		return engine.ParseInput{Reader: p.stdin, Name: name}
	}
	return engine.ParseInput{Path: path}
}
