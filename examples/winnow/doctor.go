package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// finding is what came of a check: what there is, or why it is not, and what helps.
type finding struct {
	name, has string
	err       error
	fix       string
	optional  bool // the engine does without; what needs it is refused
}

// checkTime bounds each check.
const checkTime = 2 * time.Minute

func newDoctor(p *program) *cobra.Command {
	var cache string
	c := &cobra.Command{
		Use: "doctor [URL]", Short: "What this machine has and lacks for the engine; nothing is installed", Args: cobra.MaximumNArgs(1),
		Long: "Looks for driver and browser and renders a page with them, and for what else pages, files and sessions may need.\n" +
			"With --cache it opens that folder, with a URL it fetches that page. The status is 5 where something is missing that pages need.",
	}
	c.Flags().StringVar(&cache, "cache", "", "folder of a cache to check, too")
	return p.does(c, func(ctx context.Context, args []string) error {
		checks := []func(context.Context) finding{hasBrowser, renders, hasSandbox, hasOCR}
		if cache != "" {
			checks = append(checks, func(ctx context.Context) finding { return writes(ctx, cache) })
		}
		for _, url := range args {
			checks = append(checks, func(ctx context.Context) finding { return reaches(ctx, url) })
		}
		return p.examine(ctx, checks)
	})
}

// examine carries out the checks and prints a line for each.
func (p *program) examine(ctx context.Context, checks []func(context.Context) finding) error {
	var first error
	for _, check := range checks {
		limited, cancel := context.WithTimeout(ctx, checkTime)
		f := check(limited)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := fmt.Fprintln(p.stdout, f.line()); err != nil {
			return err
		}
		if f.err != nil && !f.optional && first == nil {
			first = fmt.Errorf("%s: %w", f.name, f.err)
		}
	}
	return first
}

func (f finding) line() string {
	state, text := "ok", f.has
	if f.err != nil {
		state, text = "missing", terminal.OneLine(f.err.Error())
		if f.optional {
			state = "without"
		}
		if f.fix != "" {
			text += "; " + f.fix
		}
	}
	return fmt.Sprintf("%-8s %-9s %s", state, f.name, text)
}

func hasBrowser(ctx context.Context) finding {
	f := finding{name: "browser", fix: "winnow install gets one"}
	found, err := browser.Install(ctx, browser.InstallOptions{Mode: browser.InstallNever})
	if err != nil {
		f.err = &engine.Error{Code: engine.CodeAllEnginesFailed, Err: err}
		return f
	}
	f.has = fmt.Sprintf("%s at %s, driver at %s", found.Version, found.Executable, found.DriverDir)
	return f
}

// checkPage is a page whose text comes by script alone.
const checkPage = `<title>check</title><main><h1 id=h></h1></main><script>h.textContent = "made by script"</script>`

func renders(ctx context.Context) finding {
	f := finding{name: "rendering", has: "a page that is made by script", fix: "the line before may say why"}
	o := engine.Options{Hosts: map[string]http.Handler{"check.example": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, checkPage)
	})}}
	o.Browser.Install = browser.InstallNever
	doc, err := scrapeOnce(ctx, o, "https://check.example/", engine.ScrapeOptions{Render: engine.RenderAlways})
	switch {
	case err != nil:
		f.err = err
	case !strings.Contains(doc.Markdown, "made by script"):
		f.err = fmt.Errorf("the page came without its text: %q", doc.Markdown)
	}
	return f
}

func scrapeOnce(ctx context.Context, o engine.Options, url string, s engine.ScrapeOptions) (doc *engine.Document, err error) {
	e, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	doc, err = e.Scrape(ctx, url, s)
	return doc, errors.Join(err, e.Close())
}

func hasSandbox(ctx context.Context) finding {
	return finding{
		name: "sandbox", has: "bubblewrap, for code in sessions", optional: true,
		err: browser.InstallSandbox(ctx, browser.InstallOptions{Mode: browser.InstallNever}),
	}
}

func hasOCR(context.Context) finding {
	path, err := exec.LookPath("tesseract")
	return finding{
		name: "ocr", has: path, err: err, optional: true,
		fix: "pictures and scanned PDFs give no text: apt-get install tesseract-ocr (Debian, Ubuntu)",
	}
}

// writes opens a cache, which takes it from no one: an engine that has it is an error.
func writes(ctx context.Context, dir string) finding {
	f := finding{name: "cache", has: dir}
	e, err := engine.New(engine.Options{Dir: dir, Render: engine.RenderNever, ResumeJobs: new(false)})
	if err != nil {
		f.err = err
		return f
	}
	f.err = errors.Join(e.Ready(ctx), e.Close())
	return f
}

// reaches fetches a page by plain HTTP.
func reaches(ctx context.Context, url string) finding {
	f := finding{name: "network"}
	doc, err := scrapeOnce(ctx, engine.Options{}, url, engine.ScrapeOptions{Render: engine.RenderNever})
	if err != nil {
		f.err = err
		return f
	}
	f.has = fmt.Sprintf("%s: status %d, %d bytes of markdown", doc.Metadata.URL, doc.Metadata.StatusCode, len(doc.Markdown))
	return f
}
