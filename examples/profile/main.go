// Command profile visits a site twice under one profile: what the first visit
// leaves in the browser (a cookie, an entry of localStorage) is there on the
// second, made by another engine. The site is its own, on a virtual host.
//
//	go run ./examples/profile
//	go run ./examples/profile -system   # as root on Debian or Ubuntu, the package manager may install what is missing
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

	"github.com/winnow-go/winnow/engine"
)

func main() {
	system := flag.Bool("system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := visitTwice(ctx, os.Stdout, *system)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func visitTwice(ctx context.Context, out io.Writer, system bool) error {
	dir, err := os.MkdirTemp("", "winnow-profile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, profile := range []*engine.Profile{
		{Name: "visitor"},
		{Name: "visitor", SaveChanges: new(false)}, // reads what the first has saved
		{Name: "stranger"},
	} {
		text, err := visit(ctx, dir, profile, system)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s\n", profile.Name, text)
	}
	return nil
}

// visit uses an engine of its own, as another run of the program would.
func visit(ctx context.Context, dir string, profile *engine.Profile, system bool) (string, error) {
	e, err := engine.New(engine.Options{
		Dir:     dir,
		Hosts:   map[string]http.Handler{"inn.example": http.HandlerFunc(serve)},
		Browser: engine.BrowserOptions{System: system},
	})
	if err != nil {
		return "", err
	}
	defer e.Close()
	doc, err := e.Scrape(ctx, "https://inn.example/", engine.ScrapeOptions{Profile: profile})
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(doc.Markdown), nil
}

// serve is an inn that knows its guests by a cookie, and counts their visits in their own browser.
func serve(w http.ResponseWriter, r *http.Request) {
	greeting := "Welcome back"
	if _, err := r.Cookie("guest"); err != nil {
		greeting = "Welcome"
		http.SetCookie(w, &http.Cookie{Name: "guest", Value: "1", Path: "/", MaxAge: 3600, Secure: true})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><title>The inn</title><p id="p"></p><script>
localStorage.visits = Number(localStorage.visits || 0) + 1;
document.querySelector("#p").textContent = "%s, this is visit " + localStorage.visits + ".";
</script></html>`, greeting)
}
