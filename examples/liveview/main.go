// Command liveview starts a browser session and prints two addresses: one to watch it, one to operate it too. Without an
// argument it shows a page of its own, on a virtual host. Ctrl-C ends it.
//
//	go run ./examples/liveview
//	go run ./examples/liveview -for 30m https://example.com/
//	go run ./examples/liveview -system   # as root on Debian or Ubuntu, the package manager may install what is missing
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// settings are the command line.
type settings struct {
	addr, url string // empty url: the carried page
	lasts     time.Duration
	system    bool
}

func main() {
	var s settings
	flag.DurationVar(&s.lasts, "for", 10*time.Minute, "how long the session lasts, 30s to 1h")
	flag.StringVar(&s.addr, "addr", "", "address to listen on, host:port; empty: a free loopback port")
	flag.BoolVar(&s.system, "system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	flag.Parse()
	s.url = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := show(ctx, os.Stdout, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "liveview:", err)
		os.Exit(1)
	}
}

// carried is the page that is shown without an argument.
const carried = "https://board.example/"

func show(ctx context.Context, out io.Writer, o settings) error {
	e, err := engine.New(engine.Options{
		LiveView: &engine.LiveViewOptions{Addr: o.addr},
		Hosts:    map[string]http.Handler{"board.example": http.HandlerFunc(serve)}, Browser: engine.BrowserOptions{System: o.system},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	s, err := e.NewSession(ctx, engine.SessionOptions{URL: cmp.Or(o.url, carried), TTL: o.lasts, ActivityTTL: o.lasts})
	if err != nil {
		return err
	}
	info := s.Info()
	fmt.Fprintln(out, "watch:  ", info.LiveViewURL)
	fmt.Fprintln(out, "operate:", info.InteractiveLiveViewURL)
	select {
	case <-ctx.Done():
	case <-time.After(time.Until(info.ExpiresAt)):
	}
	if doc, err := s.Scrape(context.WithoutCancel(ctx), engine.ScrapeOptions{}); err == nil {
		fmt.Fprintf(out, "\n%s\n", doc.Markdown)
	}
	info, err = s.Close()
	if err == nil {
		fmt.Fprintf(out, "The session lasted %s and cost %d credits.\n", info.Duration.Round(time.Second), info.Credits)
	}
	return err
}

func serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>The board</title><style>body{font:24px sans-serif;margin:2em}input,button{font:inherit;padding:.4em}</style>
<main><h1>The board</h1><form><input name="text" autofocus> <button>Write</button></form><ul></ul></main><script>
document.querySelector("form").onsubmit = event => {
  event.preventDefault();
  const item = document.createElement("li");
  item.textContent = event.target.text.value;
  document.querySelector("ul").append(item);
  document.title = "The board: " + item.textContent;
  event.target.reset();
};
</script></html>`)
}
