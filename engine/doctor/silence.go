package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch/archive/recording"
)

// Proof is what came of a Silence.
type Proof struct {
	// Namespace says that it ran in a network namespace of its own, whose one way out leads to the doctor: it sees every packet, of all
	// processes: engine, driver and browser. Without one, only what the engine dials and looks up, for itself and for the browser, is counted.
	Namespace bool `json:"namespace"`
	// How attempts were counted, in words.
	How string `json:"how"`
	// Why there was no namespace, "" where there was one.
	Why string `json:"why,omitempty"`
	// Attempts are where something tried to go, each place once. Those inside a session's sandbox, which has no network at all, are not
	// among them.
	Attempts []string `json:"attempts"`
	// Uses are what was done with the recording.
	Uses []Use `json:"uses"`
}

// Use is one use of a recording.
type Use struct {
	Name    string `json:"name"`              // "scrape", "crawl" or "session"
	Error   string `json:"error,omitempty"`   // why it failed; "" when its text was the recorded one
	Without string `json:"without,omitempty"` // why this machine can't do it at all, which is no failure: sessions need a sandbox
}

// Silent reports that nothing tried to leave, and that no use failed.
func (p *Proof) Silent() bool {
	for _, u := range p.Uses {
		if u.Error != "" {
			return false
		}
	}
	return len(p.Attempts) == 0 && len(p.Uses) > 0
}

// errNoNetwork is the error of what an engine dials here.
var errNoNetwork = errors.New("there is no network here")

// Silence records a small site that needs no network, and has other engines scrape it, crawl it and drive a session on it from the
// recording alone. Its pages call a host that the recording has no answer of. A use that fails is in the proof; the error is that of the
// recording, or ctx's. It counts what the engines dial and look up; Alone counts more.
func Silence(ctx context.Context, o Options) (*Proof, error) { return prove(ctx, o, nil) }

// prove is Silence, with what else is counted; nil outside of a namespace.
func prove(ctx context.Context, o Options, count func() (where []string, how string, err error)) (*Proof, error) {
	o.Browser.Install = browser.InstallNever
	dir, err := os.MkdirTemp("", "winnow-silence-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := &silence{o: o, file: filepath.Join(dir, "site.wacz")}
	if err := s.record(ctx); err != nil {
		return nil, fmt.Errorf("record a site: %w", err)
	}
	s.attempts() // of the pages that were recorded, to call elsewhere
	p := &Proof{Namespace: count != nil, How: "what the engines dial and look up", Uses: s.uses(ctx)}
	p.Attempts = append([]string{}, s.attempts()...) // a list in JSON, where there are none too
	if count != nil {
		where, how, err := count()
		if err != nil {
			return nil, err
		}
		p.How, p.Attempts = how, append(p.Attempts, where...)
	}
	return p, ctx.Err()
}

// silence is a proof in the making.
type silence struct {
	o    Options
	file string // the recording

	mu    sync.Mutex
	tried []string // addresses, and names that were looked up
}

// dialContext notes the address, and contacts nothing.
func (s *silence) dialContext(_ context.Context, network, address string) (net.Conn, error) {
	s.note(network + " " + address)
	return nil, errNoNetwork
}

// LookupNetIP implements fetch.Resolver: it notes the name, which has no address.
func (s *silence) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	s.note("the address of " + host)
	return nil, errNoNetwork
}

func (s *silence) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried = append(s.tried, what)
}

// attempts are what was noted, and forgets it.
func (s *silence) attempts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	tried := s.tried
	s.tried = nil
	return tried
}

// uses are made one after the other, each with an engine of its own.
func (s *silence) uses(ctx context.Context) (list []Use) {
	for _, use := range []struct {
		name string
		do   func(context.Context, *engine.Engine) error
	}{{"scrape", scrape}, {"crawl", crawl}, {"session", session}} {
		u := Use{Name: use.name}
		switch err := s.replay(ctx, use.do); {
		case engine.CodeOf(err) == engine.CodeNotConfigured:
			u.Without = err.Error()
		case err != nil:
			u.Error = err.Error()
		}
		list = append(list, u)
	}
	return list
}

// with makes an engine, and closes it after do.
func (s *silence) with(o engine.Options, do func(*engine.Engine) error) error {
	o.Browser, o.DialContext, o.Resolver = s.o.Browser, s.dialContext, s
	e, err := engine.New(o)
	if err != nil {
		return err
	}
	return errors.Join(do(e), e.Close())
}

func (s *silence) record(ctx context.Context) error {
	o := engine.Options{Hosts: site(), Record: &recording.Options{File: s.file}}
	return s.with(o, func(e *engine.Engine) error {
		if err := scrape(ctx, e); err != nil { // which says what is missing, where a crawl has no pages
			return err
		}
		return crawl(ctx, e)
	})
}

func (s *silence) replay(ctx context.Context, do func(context.Context, *engine.Engine) error) error {
	return s.with(engine.Options{Replay: []string{s.file}}, func(e *engine.Engine) error { return do(ctx, e) })
}

func scrape(ctx context.Context, e *engine.Engine) error {
	doc, err := e.Scrape(ctx, siteURL, engine.ScrapeOptions{Render: engine.RenderAlways})
	return checkText(doc, err)
}

func checkText(doc *engine.Document, err error) error {
	if err == nil && !strings.Contains(doc.Markdown, silentText) {
		err = fmt.Errorf("the page came without its text: %q", doc.Markdown)
	}
	return err
}

func crawl(ctx context.Context, e *engine.Engine) error {
	job, err := e.Crawl(ctx, siteURL, engine.CrawlOptions{Scrape: engine.ScrapeOptions{Render: engine.RenderAlways}})
	if err != nil {
		return err
	}
	n := 0
	for doc, err := range job.Documents(ctx, 0) {
		if err := checkText(doc, err); err != nil {
			return err
		}
		n++
	}
	if n != sitePages {
		return fmt.Errorf("the crawl has %d pages, want %d", n, sitePages)
	}
	return nil
}

func session(ctx context.Context, e *engine.Engine) error {
	s, err := e.NewSession(ctx, engine.SessionOptions{URL: siteURL})
	if err != nil {
		return err
	}
	doc, err := s.Scrape(ctx, engine.ScrapeOptions{})
	_, closed := s.Close()
	return errors.Join(checkText(doc, err), closed)
}
