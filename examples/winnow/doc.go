// Command winnow is the engine on a command line: pages, sites, searches and files as clean data, for people and for pipes.
//
//	go run ./examples/winnow scrape https://go.dev/                    # markdown of a page
//	go run ./examples/winnow scrape --demo https://shop.example/       # a built-in site: no network is needed
//	go run ./examples/winnow crawl https://go.dev/doc/ -o doc          # a folder with a file for each page
//	go run ./examples/winnow map https://go.dev/ | go run ./examples/winnow batch --json > pages.ndjson
//	go run ./examples/winnow parse *.pdf -o texts
//	go run ./examples/winnow serve -demo
//	go run ./examples/winnow doctor --silence                          # what this machine has, and what it lacks
//	go run ./examples/winnow bundle pack air.tar.zst                   # for a machine without a network
//
// go install ./examples/winnow makes it a program, winnow; winnow help COMMAND lists the flags, winnow completion SHELL writes the
// completion of bash, zsh, fish or PowerShell.
//
// Results go to stdout, all else to stderr: a bar where that is a terminal, else a line every few seconds, none with --quiet. With -o they
// go to a folder, which is made when missing: a file for each page and format, and failed.ndjson where some failed. With --json each
// document is a line of JSON (NDJSON), and so is each page that failed: {"url": …, "code": …, "error": …}. batch reads such lines, those of
// map and search, and plain URLs.
//
// The exit status:
//
//	0    all is done
//	1    it failed
//	2    the command line is wrong
//	3    some pages or files failed, others are there
//	4    it is not allowed: an address that the policy refuses, robots.txt
//	5    something is missing on this machine or is not configured; doctor says what
//	6    the time ran out
//	130  it was stopped by Ctrl-C or SIGTERM; what was written stays
//
// The files:
//
//   - main.go — the start, signals, and the tree of commands
//   - status.go — the exit status of an error
//   - engine.go — the flags that make an engine; page.go — those of a page
//   - scrape.go, batch.go, crawl.go, map.go, search.go, parse.go, serve.go, install.go, bundle.go, doctor.go — a command each
//   - input.go — URLs from arguments, files and pipes
//   - output.go — where results go; text.go, folder.go — as text, as files
package main
