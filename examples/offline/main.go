// Command offline shows an air-gapped installation: a first engine fills a cache
// from a site, here one that the program carries on a virtual host; a second engine,
// which knows no site and has no network, serves the same pages in any format from
// that cache, and refuses a page that isn't in it. Then the cache goes to another folder, as
// one file: an archive.
//
//	go run ./examples/offline               # a cache in a temporary folder
//	go run ./examples/offline -dir FOLDER   # a cache that stays
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
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/archives"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/formats"
)

func main() {
	dir := flag.String("dir", "", "folder of the cache; empty: a temporary one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, *dir)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "offline:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, dir string) error {
	if dir == "" {
		temporary, err := os.MkdirTemp("", "winnow-offline-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
	}
	if err := fill(ctx, out, dir); err != nil {
		return err
	}
	if err := read(ctx, out, dir); err != nil {
		return err
	}
	return carry(ctx, out, dir)
}

const site = "https://archive.example"

// pages are the site's.
var pages = map[string]string{
	"/":       `<h1>The archive</h1><p>Two papers are kept here.</p><ul><li><a href="/barley">On barley</a></li><li><a href="/oats">On oats</a></li></ul>`,
	"/barley": `<h1>On barley</h1><p>Barley keeps best in a <em>dry</em> loft.</p><p><a href="/">Back</a></p>`,
	"/oats":   `<h1>On oats</h1><table><tr><th>Year</th><th>Sacks</th></tr><tr><td>1786</td><td>12</td></tr></table>`,
}

func serve(w http.ResponseWriter, r *http.Request) {
	body, ok := pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><title>Archive</title><main>%s</main></html>`, body)
}

// fill scrapes the pages once; that stores them.
func fill(ctx context.Context, out io.Writer, dir string) error {
	e, err := engine.New(engine.Options{
		Dir:   dir,
		Hosts: map[string]http.Handler{"archive.example": http.HandlerFunc(serve)},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	for _, path := range []string{"/", "/barley", "/oats"} {
		if _, err := e.Scrape(ctx, site+path, engine.ScrapeOptions{}); err != nil {
			return err
		}
	}
	stats, err := e.CacheStats(ctx)
	fmt.Fprintf(out, "filled: %d pages\n\n", stats.Pages)
	return err
}

// read uses an engine that has no site and may not leave the process.
func read(ctx context.Context, out io.Writer, dir string) error {
	e, err := engine.New(engine.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer e.Close()
	for _, path := range []string{"/", "/barley", "/oats"} {
		doc, err := e.Scrape(ctx, site+path, engine.ScrapeOptions{
			Lockdown: true,
			Formats:  []formats.Format{{Type: formats.Markdown}, {Type: formats.HTML}, {Type: formats.Links}},
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s (%s)\n%s\nhtml: %d bytes; links: %s\n\n", path, doc.Metadata.CacheState,
			strings.TrimSpace(doc.Markdown), len(doc.HTML), strings.Join(doc.Links, " "))
	}
	_, err = e.Scrape(ctx, site+"/rye", engine.ScrapeOptions{Lockdown: true})
	fmt.Fprintf(out, "/rye: %s\n", engine.CodeOf(err))
	if engine.CodeOf(err) != engine.CodeLockdownMiss {
		return fmt.Errorf("a page that was never stored: %w", err)
	}
	return nil
}

// carry writes the cache to an archive, and fills another from that.
func carry(ctx context.Context, out io.Writer, dir string) error {
	to, err := os.MkdirTemp("", "winnow-offline-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(to)
	file := filepath.Join(to, "cache.wacz")
	written, err := archives.Export(ctx, dir, recording.Options{File: file}, nil)
	if err != nil {
		return err
	}
	stored, err := archives.Import(ctx, engine.Options{Dir: filepath.Join(to, "cache"), Replay: []string{file}})
	fmt.Fprintf(out, "\ncarried: %d pages in one file, %d stored elsewhere\n", written, stored)
	return err
}
