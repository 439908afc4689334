// Command cluster shows several engines that crawl together: it starts a NATS server and three workers, which are processes of this program
// with an engine each, and they crawl a built-in site of several hosts. Once a second it prints the pages and shards of each worker, and
// how many messages with links wait for their shards.
//
//	go run ./examples/cluster             # three workers
//	go run ./examples/cluster -pages 5000 # more of the site
//
// Workers come and go while it runs, by lines on its standard input:
//
//	join      another worker comes
//	leave w2  a worker gives its shards to the others, and ends
//	kill w1   a worker dies; the others take its shards when its lease ends
//	quit      all end
//
// When all pages are fetched one of the workers counts the documents, which all of them have: each is there once, whatever has happened.
//
//   - main.go — what it is started with
//   - stage.go — the NATS server and the site, and what is printed
//   - cast.go — the processes of the workers
//   - worker.go — one worker: an engine in the cluster
//   - site.go — the built-in site
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// settings are the same for all workers.
type settings struct {
	Name   string `json:"name"` // of the worker
	Server string `json:"server"`
	Site   string `json:"site"`
	Folder string `json:"folder"`
	Pages  int    `json:"pages"`
	Delay  time.Duration
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) == 2 && args[0] == "worker" {
		return runWorker(args[1], in, out)
	}
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	workers := flags.Int("workers", 3, "how many workers to begin with")
	pages := flags.Int("pages", 600, "how many pages the site has")
	delay := flags.Duration("delay", 200*time.Millisecond, "the time between two requests to one host")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *workers < 1 || *pages < 1 || *delay < 0 {
		return fmt.Errorf("-workers, -pages and -delay are %d, %d and %s: want at least 1, 1 and 0s", *workers, *pages, *delay)
	}
	folder, err := os.MkdirTemp("", "winnow-cluster-")
	if err != nil {
		return err
	}
	s := &stage{out: out, web: site{*pages}, settings: settings{Folder: folder, Pages: *pages, Delay: *delay}}
	return errors.Join(s.play(ctx, *workers, in), os.RemoveAll(folder))
}
