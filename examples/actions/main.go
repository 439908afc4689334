// Command actions fills in a form and presses its button before the page is read,
// as a person would, and prints the result. The site is its own, on a virtual
// host: no network is needed.
//
//	go run ./examples/actions
//	go run ./examples/actions -system   # as root on Debian or Ubuntu, the package manager may install what is missing
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

func main() {
	system := flag.Bool("system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, filepath.Join(os.TempDir(), "winnow-actions"), *system)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "actions:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, folder string, system bool) error {
	e, err := engine.New(engine.Options{
		Hosts:    map[string]http.Handler{"mill.example": http.HandlerFunc(serve)},
		AssetDir: folder,
		Browser:  engine.BrowserOptions{System: system},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	doc, err := e.Scrape(ctx, "https://mill.example/", engine.ScrapeOptions{Actions: []actions.Action{
		{Type: actions.Click, Selector: "input[name=grain]"},
		{Type: actions.Write, Text: "Spelt"},
		{Type: actions.Screenshot},
		{Type: actions.Click, Selector: "button"},
		{Type: actions.Wait, Selector: "#answer li"},
		{Type: actions.ExecuteJavaScript, Script: "document.querySelectorAll('#answer li').length"},
	}})
	if err != nil {
		return err
	}
	return show(out, doc)
}

func show(out io.Writer, doc *engine.Document) error {
	_, err := fmt.Fprintf(out, "%s\nscript returned %s %s\nscreenshot of the filled form: %s\n", doc.Markdown,
		doc.Actions.JavaScriptReturns[0].Type, doc.Actions.JavaScriptReturns[0].Value, doc.Actions.Screenshots[0])
	return err
}

// serve is the mill's page: for a submitted grain, a script lists its sacks after a moment.
func serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, `<!DOCTYPE html><html lang="en"><title>The mill</title><main><h1>What may it be?</h1>
<form><label>Grain <input name="grain"></label> <button>Ask</button></form><ul id="answer"></ul></main>
<script>
document.querySelector("form").onsubmit = event => {
  event.preventDefault();
  const grain = event.target.grain.value;
  setTimeout(() => {
    for (const place of ["loft", "cellar"])
      document.querySelector("#answer").insertAdjacentHTML("beforeend", "<li>" + grain + " in the " + place + "</li>");
  }, 200);
};
</script></html>`)
}
