// Command interact scrapes a page with an action, and then runs code in three languages on the same page: each sees the page as the one
// before has left it. The site is its own, on a virtual host.
//
//	go run ./examples/interact
//	go run ./examples/interact -system   # as root on Debian or Ubuntu, the package manager may install what is missing
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

// steps are the code of one call each.
var steps = []struct{ language, code string }{
	{"node", `const before = await page.textContent("#count");
await page.click("button");
before + " -> " + await page.textContent("#count")`},
	{"node", `"still known: " + before`},
	{"python", `page.get_by_role("button").click()
print("title:", page.title())
page.locator("#count").text_content()`},
	{"bash", `agent-browser get text "#count"`},
}

func main() {
	system := flag.Bool("system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := interact(ctx, os.Stdout, *system)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "interact:", err)
		os.Exit(1)
	}
}

func interact(ctx context.Context, out io.Writer, system bool) error {
	e, err := engine.New(engine.Options{
		Hosts: map[string]http.Handler{"counter.example": http.HandlerFunc(serve)}, Browser: engine.BrowserOptions{System: system},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	doc, err := e.Scrape(ctx, "https://counter.example/", engine.ScrapeOptions{Actions: []actions.Action{{Type: actions.Click, Selector: "button"}}})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "scraped:", strings.Join(strings.Fields(doc.Markdown), " "))
	for _, step := range steps {
		r, err := e.Interact(ctx, doc.Metadata.ScrapeID, engine.InteractRequest{Language: step.language, Code: step.code})
		if err != nil {
			return err
		}
		show(out, step.language, r)
	}
	info, err := e.StopInteract(ctx, doc.Metadata.ScrapeID)
	if err == nil {
		fmt.Fprintf(out, "%s: %d credits\n", info.Status, info.Credits)
	}
	return err
}

func show(out io.Writer, language string, r *engine.InteractResult) {
	if r.Stdout != "" {
		fmt.Fprintf(out, "%s printed: %s\n", language, strings.TrimSpace(r.Stdout))
	}
	if r.Result != nil {
		fmt.Fprintf(out, "%s: %s\n", language, *r.Result)
	}
	if r.Error != "" {
		fmt.Fprintf(out, "%s failed: %s\n", language, r.Error)
	}
}

func serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>The counter</title><main>
<p>Counted to <span id="count">0</span>.</p><button onclick="count.textContent++">Count</button></main></html>`)
}
