// Command session logs in to a site in a browser session, keeps the profile, and is still logged in when another engine comes back.
// The site is its own, on a virtual host.
//
//	go run ./examples/session
//	go run ./examples/session -system   # as root on Debian or Ubuntu, the package manager may install what is missing
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
	"sync"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

func main() {
	system := flag.Bool("system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := logInAndComeBack(ctx, os.Stdout, *system)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "session:", err)
		os.Exit(1)
	}
}

func logInAndComeBack(ctx context.Context, out io.Writer, system bool) error {
	dir, err := os.MkdirTemp("", "winnow-session-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	club := &club{}
	logIn := []actions.Action{
		{Type: actions.Click, Selector: "#name"},
		{Type: actions.Write, Text: "Ada"},
		{Type: actions.Click, Selector: "button"},
		{Type: actions.Wait, Selector: "#member"},
	}
	for _, list := range [][]actions.Action{logIn, nil} {
		if err := visit(ctx, out, dir, club, list, system); err != nil {
			return err
		}
	}
	return nil
}

// visit uses an engine of its own, as another run of the program would. The profile is kept when the session ends.
func visit(ctx context.Context, out io.Writer, dir string, club http.Handler, list []actions.Action, system bool) error {
	e, err := engine.New(engine.Options{
		Dir: dir, Hosts: map[string]http.Handler{"club.example": club}, Browser: engine.BrowserOptions{System: system},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	s, err := e.NewSession(ctx, engine.SessionOptions{URL: "https://club.example/", Profile: &engine.Profile{Name: "ada"}})
	if err != nil {
		return err
	}
	if err := show(ctx, out, s); err != nil {
		return err
	}
	if len(list) > 0 {
		if _, err := s.Do(ctx, list...); err != nil {
			return err
		}
		if err := show(ctx, out, s); err != nil {
			return err
		}
	}
	_, err = s.Close()
	return err
}

func show(ctx context.Context, out io.Writer, s *engine.Session) error {
	doc, err := s.Scrape(ctx, engine.ScrapeOptions{})
	if err == nil {
		fmt.Fprintln(out, strings.Join(strings.Fields(doc.Markdown), " "))
	}
	return err
}

// club is a site that knows its members by a cookie.
type club struct {
	mu      sync.Mutex
	members map[string]string // by cookie
}

func (c *club) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name := r.FormValue("name"); r.Method == http.MethodPost && name != "" {
		c.members = map[string]string{"seven": name}
		http.SetCookie(w, &http.Cookie{Name: "member", Value: "seven", Path: "/", MaxAge: 3600, Secure: true, HttpOnly: true})
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page := `<p>Nobody is logged in.</p><form method="post"><input id="name" name="name"><button>Log in</button></form>`
	if cookie, err := r.Cookie("member"); err == nil && c.members[cookie.Value] != "" {
		page = `<p id="member">` + c.members[cookie.Value] + " is logged in.</p>"
	}
	fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>The club</title><main>`+page+`</main></html>`)
}
