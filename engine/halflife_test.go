//go:build unix

package engine

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
)

// Kinds of processes, beside what Chromium calls its own.
const (
	driverProcess  = "driver"
	browserProcess = "browser"
	networkProcess = "network.mojom.NetworkService"
)

// browserProcesses are the processes of the engine's browsers, by kind: found below the pids that it started itself.
func browserProcesses(e *Engine) map[string][]int {
	parents := map[int]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		data, _ := os.ReadFile(file)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if _, rest, found := bytes.Cut(data, []byte(") ")); found {
			parents[pid], _ = strconv.Atoi(strings.Fields(string(rest))[1])
		}
	}
	kinds := map[string][]int{}
	roots := ownPids(e)
	for _, root := range roots {
		if driver := parents[root]; driver > 1 && driver != os.Getpid() {
			kinds[driverProcess] = append(kinds[driverProcess], driver)
		}
	}
	for pid := range parents {
		for at := pid; at > 1; at = parents[at] {
			if slices.Contains(roots, at) {
				kind := processKind(pid)
				kinds[kind] = append(kinds[kind], pid)
				break
			}
		}
	}
	return kinds
}

// ownPids are the first processes of the engine's browsers, which no other test uses.
func ownPids(e *Engine) []int {
	if e.options.Browser.Shared != nil {
		panic("a test that signals a browser uses that of all tests: it needs ownBrowser")
	}
	return e.pool.Pids()
}

func processKind(pid int) string {
	line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	for _, mark := range []string{"--utility-sub-type=", "--type="} {
		if _, rest, found := bytes.Cut(line, []byte(mark)); found {
			kind, _, _ := bytes.Cut(rest, []byte{0})
			kind, _, _ = bytes.Cut(kind, []byte{' '})
			return string(kind)
		}
	}
	return browserProcess
}

// signalBrowser sends a signal to all processes of a kind, and returns those that there were.
func signalBrowser(e *Engine, kind string, s syscall.Signal) (pids []int) {
	for _, pid := range browserProcesses(e)[kind] {
		if syscall.Kill(pid, s) == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// lives reports whether a process is there, and more than the entry of one that has ended.
func lives(pid int) bool {
	line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	return err == nil && len(line) > 0
}

const scripted = `<p id=p></p><script>setTimeout(() => p.textContent = "made", 50)</script>`

// halfLife is what makes a browser live by half.
type halfLife struct {
	kind   string
	signal syscall.Signal
}

// halfLives have an engine for each group: what one is replaced by is what the next one hits, since each start costs as much as ten scrapes.
// The first group has each way in which the engine notices.
var halfLives = [][]halfLife{
	{{networkProcess, syscall.SIGSTOP}, {"renderer", syscall.SIGKILL}, {browserProcess, syscall.SIGSTOP}, {driverProcess, syscall.SIGSTOP}},
	{{networkProcess, syscall.SIGKILL}, {"renderer", syscall.SIGSTOP}, {"zygote", syscall.SIGSTOP}, {"zygote", syscall.SIGKILL}},
}

// Signals come in the middle of a scrape and between two. The soak does both to all; by default most processes are killed in the middle and
// stopped in between.
func TestScrape_browserThatHalfLivesIsReplaced(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	for i, group := range fewRaced(halfLives, 1) {
		t.Run(fmt.Sprintf("group %d", i+1), func(t *testing.T) {
			t.Parallel()
			surviveHalfLives(t, group)
		})
	}
}

func surviveHalfLives(t *testing.T, group []halfLife) {
	var due atomic.Pointer[halfLife]
	var e *Engine
	e = hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			if c := due.Swap(nil); c != nil && len(signalBrowser(e, c.kind, c.signal)) == 0 {
				t.Errorf("the browser has no %s", c.kind)
			}
		}
		htmlPage(scripted).ServeHTTP(w, r)
	})}, ownBrowser)
	scrape := func(what string, c halfLife) {
		t.Helper()
		doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: RenderAlways, Timeout: time.Minute, MaxAge: fresh})
		if err != nil || !strings.Contains(doc.Markdown, "made") {
			t.Errorf("%s, %s %s: %+v, %v", what, c.kind, c.signal, doc, err)
		}
	}
	scrape("first", group[0])
	for _, c := range group {
		both := soak(10) == 10 || c.kind == "renderer"
		between := both || c.signal == syscall.SIGSTOP && c.kind != browserProcess
		if both || !between {
			due.Store(&c)
			scrape("at work", c)
		}
		var hit []int
		if between {
			hit = signalBrowser(e, c.kind, c.signal) // a page waits ahead
		}
		scrape("after", c)
		scrape("last", c)
		// Pages made before may serve both scrapes: a browser that ends later would end within the next one.
		until(t, c.kind+" is gone", func() bool { return !slices.ContainsFunc(hit, lives) })
	}
}

// What may have sent something is not done again.
func TestScrape_actionsAreNotRepeatedAfterACrash(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	var e *Engine
	var sent, shown atomic.Int64
	e = hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/order":
			sent.Add(1)
			signalBrowser(e, "renderer", syscall.SIGKILL)
		case "/picture":
			if shown.Add(1) == 1 {
				signalBrowser(e, "renderer", syscall.SIGKILL)
			}
		case "/a":
			htmlPage(`<p>shop</p><button onclick="fetch('/order')">order</button>`).ServeHTTP(w, r)
		case "/b":
			htmlPage(`<p>shop</p><script>setTimeout(async () => { await fetch("/picture"); got.textContent = "seen" }, 1000)</script><p id=got></p>`).ServeHTTP(w, r)
		}
	})}, ownBrowser)
	_, err := e.Scrape(t.Context(), "http://a.example/a", ScrapeOptions{Actions: []actions.Action{{Type: actions.Click, Selector: "button"}, {Type: actions.Wait, Selector: "#never"}}})
	if CodeOf(err) != CodeAllEnginesFailed || !errors.Is(err, browser.ErrCrashed) || sent.Load() != 1 {
		t.Errorf("sent %d times, got %v", sent.Load(), err)
	}
	doc, err := e.Scrape(t.Context(), "http://a.example/b", ScrapeOptions{Actions: []actions.Action{{Type: actions.Wait, Selector: "#got:not(:empty)"}}})
	if err != nil || !strings.Contains(doc.Markdown, "shop") || shown.Load() != 2 {
		t.Errorf("only waited: shown %d times, got %v", shown.Load(), err)
	}
}

// A browser that dies has the same code whichever action it dies under.
func TestClassify_aCrashIsNoFaultOfAnAction(t *testing.T) {
	for want, cause := range map[Code]error{CodeAllEnginesFailed: browser.ErrCrashed, CodeAction: errors.New("no element matches")} {
		if code, _ := classify(&actions.Error{Type: actions.Click, Selector: "button", Err: fmt.Errorf("click button: %w", cause)}); code != want {
			t.Errorf("%v: got %s, want %s", cause, code, want)
		}
	}
}
