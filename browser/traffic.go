package browser

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// How many lines of console and requests are kept, how long each may be, and after how many events a page's console is ignored: a
// page that floods its console would keep the driver busy for all others.
const (
	maxLines     = 200
	maxLineBytes = 1000
	maxMessages  = 2_000
)

// trafficLog holds a page's console output and requests: the last lines of each, and the pending ones.
type trafficLog struct {
	mu        sync.Mutex
	console   []string
	requests  []string
	messages  int
	pending   map[playwright.Request]time.Time
	requested map[string]int // address without query → how often
}

// How long a request counts as pending, and how many requests and addresses are distinguished.
const (
	pendingTime = 3 * time.Second
	maxPending  = 1000
)

// listen begins to follow a tab. The handlers run on the library's dispatch goroutine and only take notes.
func (t *trafficLog) listen(of *tab.Tab) {
	var heard func(playwright.ConsoleMessage)
	heard = func(m playwright.ConsoleMessage) {
		if t.addConsole(m.Type()+": "+m.Text()) == maxMessages {
			tab.Start(of, func() (struct{}, error) {
				of.Page.RemoveListener("console", heard)
				return struct{}{}, nil
			})
		}
	}
	of.Page.OnConsole(heard)
	of.Page.OnPageError(func(err error) {
		t.addConsole("uncaught: " + strings.TrimPrefix(err.Error(), "playwright: "))
	})
	of.Page.OnResponse(func(r playwright.Response) {
		t.addRequest(fmt.Sprintf("%s %s %d", r.Request().Method(), r.URL(), r.Status()))
	})
	main := of.Page.MainFrame()
	of.Page.OnRequest(func(r playwright.Request) {
		if awaited(r, main) {
			t.begin(r)
		}
	})
	of.Page.OnRequestFinished(t.end)
	of.Page.OnRequestFailed(func(r playwright.Request) {
		t.end(r)
		t.addRequest(fmt.Sprintf("%s %s %s", r.Method(), r.URL(), failureWord(r.Failure())))
	})
}

// addConsole returns how many lines there have been.
func (t *trafficLog) addConsole(line string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.messages++
	t.console = appendLine(t.console, line)
	return t.messages
}

func (t *trafficLog) addRequest(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests = appendLine(t.requests, line)
}

// lines returns the console's lines and those of the requests.
func (t *trafficLog) lines() (console, requests []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.console...), append([]string(nil), t.requests...)
}

// flooded reports whether the page's console is ignored.
func (t *trafficLog) flooded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.messages >= maxMessages
}

// forget drops all. Kept, what every page loads would count as requested again and again.
func (t *trafficLog) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.console, t.requests, t.messages = nil, nil, 0
	t.pending, t.requested = nil, nil
}

// appendLine keeps the last lines.
func appendLine(lines []string, line string) []string {
	if len(line) > maxLineBytes {
		line = strings.ToValidUTF8(line[:maxLineBytes], "") + "…"
	}
	if len(lines) == maxLines {
		lines = append(lines[:0], lines[1:]...)
	}
	return append(lines, line)
}

// failureWord is a short reason why a request failed.
func failureWord(err error) string {
	if err == nil {
		return "failed"
	}
	word := strings.TrimPrefix(err.Error(), "net::")
	if word == "inspector" || strings.HasPrefix(word, "ERR_BLOCKED_BY_CLIENT") {
		return "blocked" // by the list of blocked addresses
	}
	return word
}

// awaited reports whether a request may bring content that the main document's own script doesn't see coming: frames and their requests,
// and parts of the program.
func awaited(r playwright.Request, main playwright.Frame) bool {
	switch r.ResourceType() {
	case "script":
		return true
	case "document", "xhr", "fetch":
		return r.Frame() != main
	}
	return false
}

func (t *trafficLog) begin(r playwright.Request) {
	address, _, _ := strings.Cut(r.URL(), "?")
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.requested == nil {
		t.requested, t.pending = map[string]int{}, map[playwright.Request]time.Time{}
	}
	if len(t.requested) < maxPending {
		t.requested[address]++
	}
	if len(t.pending) < maxPending && t.requested[address] <= 2 {
		t.pending[r] = time.Now()
	}
}

func (t *trafficLog) end(r playwright.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.pending, r)
}

// loading reports whether something is pending, and not for so long that it may be meant to stay open.
func (t *trafficLog) loading(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, since := range t.pending {
		if now.Sub(since) < pendingTime {
			return true
		}
	}
	return false
}
