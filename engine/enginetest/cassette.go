package enginetest

import (
	"errors"
	"fmt"
	"io/fs"
	urlpkg "net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive"
	"github.com/winnow-go/winnow/fetch/archive/recording"
)

// Tape is a recording of sites that a test works on. See [Cassette], which is the one that isn't strict.
type Tape struct {
	// File is where it lies, usually below testdata. The name ends in ".wacz". It is for one test: each recording replaces it.
	File string
	// Strict fails the test for recorded requests that it has not made. Without it they are only named where another was missing.
	Strict bool
	// KeepSecrets records cookies, authorizations and passwords as they are; see [recording.Options].
	KeepSecrets bool
}

// Cassette returns an engine that works on a recording of sites, a WACZ file. With the flag -record the engine uses the network, and the
// recording is written when the test has passed. Without it the engine replays the recording, never reaches the network, and the test
// fails for each request that has no answer there, with the nearest recorded ones; not for /favicon.ico, which some browsers request by
// themselves. Changes to the engine's options are as in [New]; one that allows private addresses lets a recording be made of a server of
// this machine. The flag is there in packages whose TestMain uses [Shared].
func Cassette(t testing.TB, file string, changes ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	return Tape{File: file}.Engine(t, changes...)
}

// Recording reports whether cassettes are recorded: the flag -record is set. A test may then have the engine's Hosts serve what is
// recorded.
func Recording() bool { return flagSet("record") }

// Engine is [Cassette] with these options.
func (c Tape) Engine(t testing.TB, changes ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	if !strings.HasSuffix(c.File, ".wacz") {
		t.Fatalf("enginetest: the cassette %q: want a name that ends in .wacz", c.File)
	}
	if Recording() {
		return c.record(t, changes)
	}
	if _, err := os.Stat(c.File); errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("enginetest: there is no cassette %s: %s", c.File, with("record"))
	}
	return c.replay(t, changes)
}

// record writes the recording beside the file, whose place it takes if the test passes.
func (c Tape) record(t testing.TB, changes []func(*engine.Options)) *engine.Engine {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.File), 0o777); err != nil {
		t.Fatal("enginetest:", err)
	}
	made := strings.TrimSuffix(c.File, ".wacz") + ".recording.wacz"
	t.Cleanup(func() { // after the engine's
		if t.Failed() {
			t.Logf("enginetest: the test has failed: %s is not replaced, what was recorded is in %s", c.File, made)
		} else if err := os.Rename(made, c.File); err != nil {
			t.Error("enginetest:", err)
		}
	})
	_ = os.Remove(made)                                                // of a test that had failed
	_ = os.Remove(strings.TrimSuffix(made, ".wacz") + ".part.warc.gz") // of one that was killed
	return start(t, engine.Options{Record: &recording.Options{File: made, Title: t.Name(), KeepSecrets: c.KeepSecrets}}, changes)
}

func (c Tape) replay(t testing.TB, changes []func(*engine.Options)) *engine.Engine {
	t.Helper()
	played := &playback{}
	t.Cleanup(func() { // after the engine's
		t.Helper()
		if diff := played.diff(c); diff != "" {
			t.Error("enginetest: " + diff)
		}
	})
	return start(t, engine.Options{Replay: []string{c.File}, OnReplay: played.add}, changes)
}

// playback is what was requested of a recording.
type playback struct {
	mu   sync.Mutex
	list []fetch.Replayed
}

func (p *playback) add(r fetch.Replayed) {
	if isIcon(r.Method, r.URL) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.list) < maxKept {
		p.list = append(p.list, r)
	}
}

// isIcon reports whether a request is one that some browsers make by themselves and others don't: a full build does, a headless shell
// doesn't. A cassette serves both.
func isIcon(method, url string) bool {
	u, err := urlpkg.Parse(url)
	return err == nil && method == "GET" && u.Path == "/favicon.ico"
}

// diff says how what was requested differs from what was recorded; "" where that is no failure.
func (p *playback) diff(c Tape) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	missing := slices.DeleteFunc(slices.Clone(p.list), func(r fetch.Replayed) bool { return r.Miss == "" })
	if len(missing) == 0 && !c.Strict {
		return ""
	}
	unused, err := p.unused(c.File)
	if err != nil {
		return err.Error()
	}
	if len(missing) == 0 && len(unused) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s has no answer to %d of %d requests, and %d that were not made; if the new ones are right, %s",
		c.File, len(missing), len(p.list), len(unused), with("record"))
	for _, r := range missing {
		fmt.Fprintf(&b, "\n\tmissing  %s %s\n\t         %s", r.Method, r.URL, nearest(r.Miss))
	}
	for _, r := range unused {
		fmt.Fprintf(&b, "\n\tnot made %s", r)
	}
	return b.String()
}

// nearest is the part of a miss that says what is like it.
func nearest(miss string) string {
	if _, near, found := strings.Cut(miss, "; the nearest are "); found {
		return "nearest: " + near
	}
	return miss
}

// unused returns the recorded requests that were not made. One whose address has changed in what replays disregard counts as made.
func (p *playback) unused(file string) (list []string, err error) {
	entries, err := recorded(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	made := map[string]bool{}
	for _, e := range entries {
		made[methodOf(e)+" "+archive.Key(e.URL)] = false
	}
	for _, r := range p.list {
		p.mark(made, r)
	}
	for _, e := range entries {
		line := methodOf(e) + " " + e.URL
		if isIcon(methodOf(e), e.URL) {
			continue
		}
		if !made[methodOf(e)+" "+archive.Key(e.URL)] && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list, nil
}

// mark notes a request that was made: of exactly its address, or else, if it was answered, of those that differ in their parameters.
func (p *playback) mark(made map[string]bool, r fetch.Replayed) {
	method := r.Method
	if method == "HEAD" {
		method = "GET"
	}
	exact := method + " " + archive.Key(r.URL)
	if _, there := made[exact]; there {
		made[exact] = true
		return
	}
	path, _, _ := strings.Cut(exact, "?")
	for key := range made {
		if of, _, _ := strings.Cut(key, "?"); of == path && r.Miss == "" {
			made[key] = true
		}
	}
}

// recorded returns the entries of the HTTP exchanges in a recording.
func recorded(file string) (list []archive.Entry, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	w, err := archive.OpenWACZ(f, info.Size())
	if err != nil {
		return nil, err
	}
	for _, name := range w.Archives() {
		in, err := w.Open(name)
		if err != nil {
			return nil, err
		}
		entries, err := archive.MakeIndex(in, name, nil)
		if err != nil {
			return nil, err
		}
		list = append(list, entries...)
	}
	return slices.DeleteFunc(list, func(e archive.Entry) bool { return e.Status == 0 || e.Status == 101 }), nil
}

func methodOf(e archive.Entry) string {
	if e.Method == "" {
		return "GET"
	}
	return e.Method
}
