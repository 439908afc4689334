//go:build linux

package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
)

// programs are the peers' programs. Go's are no files of Go here, since they belong to modules of their own.
//
//go:embed peers
var programs embed.FS

// peer is one of those that are compared.
type peer struct {
	name   string
	what   string
	ready  func(ctx context.Context, folder string) (command []string, err error) // installs it
	static bool                                                                   // it crawls static pages, and has no browser
}

var peers = []peer{
	{"crawlee", "Crawlee's PlaywrightCrawler", crawlee("shared"), false},
	{"incognito", "Crawlee, a context for each page", crawlee("incognito"), false},
	{"rod", "rod, a context for each page", goPeer("rod", "", "github.com/go-rod/rod@v0.116.2"), false},
	{"scrape", "winnow, single scrapes", ourselves("scrape"), false},
	{"batch", "winnow, a batch", ourselves("batch"), false},
	{"crawl", "winnow, a crawl", ourselves("crawl"), false},

	{"reference", "net/http and goquery: title, links", goPeer("reference", "links", goquery, converter), true},
	{"reference-md", "the same, and html-to-markdown", goPeer("reference", "md", goquery, converter), true},
	{"colly", "colly: title, links", goPeer("colly", "", "github.com/gocolly/colly/v2@v2.3.0"), true},
	{"links", "winnow: metadata, all links", ourselves("links"), true},
	{"markdown", "winnow: Markdown of the main content", ourselves("markdown"), true},
	{"folder", "the same, kept in a folder", ourselves("folder"), true},
}

// What the reference is built with, which is what winnow is.
const (
	goquery   = "github.com/PuerkitoBio/goquery@v1.13.0"
	converter = "github.com/JohannesKaufmann/html-to-markdown/v2@v2.5.2"
)

// choose finds peers by name: all of them with a browser, or all of static pages.
func choose(names []string, static bool) (chosen []peer, err error) {
	byName := map[string]peer{}
	for _, p := range peers {
		byName[p.name] = p
	}
	for _, name := range names {
		p, ok := byName[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("-peers: %q is none of those in peers.go", name)
		case p.static != static:
			return nil, fmt.Errorf("-peers: %q is for -static=%t", name, p.static)
		}
		chosen = append(chosen, p)
	}
	return chosen, nil
}

// ourselves is this program as a peer.
func ourselves(name string) func(context.Context, string) ([]string, error) {
	return func(context.Context, string) ([]string, error) {
		self, err := os.Executable()
		return []string{self, "-as", name}, err
	}
}

func crawlee(mode string) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, folder string) ([]string, error) {
		folder = filepath.Join(folder, "crawlee")
		program, err := install(ctx, folder, "crawlee.mjs", "crawlee.mjs", "node_modules",
			[]string{"npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, "crawlee@3.18.1", "playwright@1.60.0"})
		return []string{"node", program, mode}, err
	}
}

// goPeer is a program of peers that go builds in a module of its own, started with an argument.
func goPeer(name, argument string, requires ...string) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, folder string) ([]string, error) {
		folder = filepath.Join(folder, name)
		_, err := install(ctx, folder, name+".go.txt", "main.go", name,
			[]string{"go", "mod", "init", "peer"}, append([]string{"go", "get"}, requires...), []string{"go", "mod", "tidy"},
			[]string{"go", "build", "-o", name, "."})
		return []string{filepath.Join(folder, name), argument}, err
	}
}
