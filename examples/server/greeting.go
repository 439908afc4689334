package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/examples/server/demo"
)

// greet tells where the server is and what it can't do.
func (srv *server) greet(to io.Writer) {
	s := srv.settings
	fmt.Fprintln(to, "winnow is served at", srv.base)
	say := func(what, format string, args ...any) {
		fmt.Fprintf(to, "  %-9s %s\n", what, fmt.Sprintf(format, args...))
	}
	say("listens", "%s", srv.faces[0].listener.Addr())
	if srv.anonymous() {
		say("keys", "none needed: requests of this machine are served, as one team")
	} else {
		say("keys", "%d, of %s", len(srv.keys), s.keys)
	}
	if s.cache == "" {
		say("cache", "in memory: pages and jobs end with the server (-cache keeps them)")
	} else {
		say("cache", "%s", s.cache)
	}
	if s.asksModel() {
		say("model", "%s", s.model.Model)
	} else {
		say("model", "none: json, summary, question, highlights, query, extract, agent and prompts are refused (-model-url, -model)")
	}
	if s.demo {
		say("demo", "%s", strings.Join(demo.Homes(), " "))
	}
	if s.profiles != "" {
		say("profiles", "http://%s/debug/pprof/", srv.faces[len(srv.faces)-1].listener.Addr())
	}
}

// tellInstall logs an install's steps, but not each piece of a download.
func tellInstall(log *slog.Logger, p browser.Progress) {
	if p.Done == 0 || p.Done == p.Total {
		log.Info("server: installing", "step", p.Step, "detail", p.Detail)
	}
}

func trimSlash(url string) string { return strings.TrimSuffix(url, "/") }
