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
	name  string
	what  string
	ready func(ctx context.Context, folder string) (command []string, err error) // installs it
}

var peers = []peer{
	{"crawlee", "Crawlee's PlaywrightCrawler", crawlee("shared")},
	{"incognito", "Crawlee, a context for each page", crawlee("incognito")},
	{"rod", "rod, a context for each page", goPeer("rod", "github.com/go-rod/rod@v0.116.2")},
	{"scrape", "winnow, single scrapes", ourselves("scrape")},
	{"batch", "winnow, a batch", ourselves("batch")},
	{"crawl", "winnow, a crawl", ourselves("crawl")},
}

// choose finds peers by name.
func choose(names []string) (chosen []peer, err error) {
	byName := map[string]peer{}
	for _, p := range peers {
		byName[p.name] = p
	}
	for _, name := range names {
		p, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("-peers: %q is none of those in peers.go", name)
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

// goPeer is a program of peers that go builds in a module of its own.
func goPeer(name, requires string) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, folder string) ([]string, error) {
		folder = filepath.Join(folder, name)
		_, err := install(ctx, folder, name+".go.txt", "main.go", name,
			[]string{"go", "mod", "init", "peer"}, []string{"go", "get", requires}, []string{"go", "build", "-o", name, "."})
		return []string{filepath.Join(folder, name)}, err
	}
}
