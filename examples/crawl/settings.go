package main

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/winnow-go/winnow/engine"
)

// settings are the command line.
type settings struct {
	out           string // empty: a new temporary folder
	resume, quiet bool
	system        bool
	plan          plan
	given         map[string]bool // the flags that are on the command line
}

// plan is the crawl and its options. It is stored in the folder, so that -resume runs
// the same.
type plan struct {
	// Key finds the job again (see engine.CrawlOptions.IdempotencyKey).
	Key string `json:"key"`
	// URL to begin at; empty: the built-in site.
	URL          string        `json:"url,omitempty"`
	Limit        int           `json:"limit"`
	Render       engine.Render `json:"render"`
	AllowPrivate bool          `json:"allowPrivate,omitempty"`
	// Dir is the engine's folder; empty: inside the crawl's.
	Dir string `json:"dir,omitempty"`
	// Since goes on from the folder's last crawl.
	Since bool `json:"since,omitempty"`
}

func (p plan) seed() string {
	if p.URL == "" {
		return siteURL
	}
	return p.URL
}

// resumed is a stored plan with what is new on a command line: how pages are got. What the job is can't change, and may be repeated.
func (s settings) resumed(p plan) (plan, error) {
	for _, same := range []struct {
		name        string
		given       bool
		now, before any
	}{
		{"the URL", s.plan.URL != "", s.plan.URL, p.seed()},
		{"-limit", s.given["limit"], s.plan.Limit, p.Limit},
		{"-dir", s.given["dir"], s.plan.Dir, p.Dir},
		{"-since", s.given["since"], s.plan.Since, p.Since},
	} {
		if same.given && same.now != same.before {
			return p, fmt.Errorf("%s is %v: the crawl in %s was started with %v, which -resume can't change", same.name, same.now, s.out, same.before)
		}
	}
	if s.given["render"] {
		p.Render = s.plan.Render
	}
	if s.given["allow-private"] {
		p.AllowPrivate = s.plan.AllowPrivate
	}
	return p, nil
}

// again is a command line with what it leaves to the last crawl of the folder, whose site can't change.
func (s settings) again(last plan) (plan, error) {
	p := s.plan
	if p.URL != "" && strings.TrimSuffix(p.URL, "/") != strings.TrimSuffix(last.seed(), "/") {
		return p, fmt.Errorf("the URL is %s: %s holds a crawl of %s, and -since can't mix them: choose another folder", p.URL, s.out, last.seed())
	}
	p.URL = last.URL
	if !s.given["limit"] {
		p.Limit = last.Limit
	}
	if !s.given["render"] {
		p.Render = last.Render
	}
	if !s.given["dir"] {
		p.Dir = last.Dir
	}
	p.AllowPrivate = p.AllowPrivate || !s.given["allow-private"] && last.AllowPrivate
	return p, nil
}

const defaultLimit = 100

func parse(args []string, usage io.Writer) (settings, error) {
	s := settings{}
	flags := flag.NewFlagSet("crawl", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error, once
	flags.StringVar(&s.out, "out", "", "`folder` for the pages; empty: a new temporary one, which is printed")
	flags.BoolVar(&s.resume, "resume", false, "continue the unfinished crawl of -out; -render and -allow-private may be other ones than at its start")
	flags.BoolVar(&s.plan.Since, "since", false, "come again to the site of the crawl in -out, with its flags and those given now: pages that have changed are written, those that are gone deleted")
	flags.BoolVar(&s.quiet, "quiet", false, "show no progress")
	flags.IntVar(&s.plan.Limit, "limit", defaultLimit, "maximum number of pages to crawl")
	flags.StringVar(&s.plan.Dir, "dir", "", "`folder` of the engine's cache and jobs (default .winnow in -out)")
	flags.Func("render", "auto, never or always in a browser (default auto)", func(v string) error {
		s.plan.Render = engine.Render(v)
		return nil
	})
	flags.BoolVar(&s.plan.AllowPrivate, "allow-private", false, "allow local or private addresses")
	flags.BoolVar(&s.system, "system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			printUsage(flags, usage)
		}
		return s, err
	}
	if err := s.check(flags); err != nil {
		return s, err
	}
	s.given = map[string]bool{}
	flags.Visit(func(f *flag.Flag) { s.given[f.Name] = true })
	s.plan.URL = flags.Arg(0)
	return s, s.absolute()
}

func printUsage(flags *flag.FlagSet, to io.Writer) {
	fmt.Fprintln(to, "usage: crawl [flags] [URL]")
	flags.SetOutput(to)
	flags.PrintDefaults()
}

// check refuses what would have no effect.
func (s settings) check(flags *flag.FlagSet) error {
	if flags.NArg() > 1 {
		return fmt.Errorf("want at most one URL, with the flags before it: got %q", flags.Args())
	}
	if s.resume && s.out == "" {
		return fmt.Errorf("-resume needs -out, the folder of the crawl to continue")
	}
	if s.plan.Since && s.out == "" {
		return fmt.Errorf("-since needs -out, the folder of the crawl to go on from")
	}
	return nil
}

// absolute makes the folders independent of where a later run is started.
func (s *settings) absolute() (err error) {
	for _, dir := range []*string{&s.out, &s.plan.Dir} {
		if *dir == "" {
			continue
		}
		if *dir, err = filepath.Abs(*dir); err != nil {
			return err
		}
	}
	return nil
}
