package browser

import (
	"fmt"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"
)

// How many lines of console and requests are kept, how long each may be, and after how many events a page is no longer listened to: a
// page that floods its console would keep the driver busy for all others.
const (
	maxLines     = 200
	maxLineBytes = 1000
	maxMessages  = 2_000
)

// trafficLog is the last lines that a page wrote and asked for.
type trafficLog struct {
	mu       sync.Mutex
	console  []string
	requests []string
	messages int
}

// record begins to listen. The handlers run on the library's dispatch goroutine and only note what they hear.
func (p *Page) record() {
	p.page.OnConsole(func(m playwright.ConsoleMessage) {
		p.traffic.addConsole(m.Type() + ": " + m.Text())
	})
	p.page.OnPageError(func(err error) { p.traffic.addConsole("uncaught: " + err.Error()) })
	p.page.OnResponse(func(r playwright.Response) {
		p.traffic.addRequest(fmt.Sprintf("%s %s %d", r.Request().Method(), r.URL(), r.Status()))
	})
	p.page.OnRequestFailed(func(r playwright.Request) {
		why := "failed"
		if err := r.Failure(); err != nil {
			why = strings.TrimPrefix(err.Error(), "net::")
		}
		p.traffic.addRequest(fmt.Sprintf("%s %s %s", r.Method(), r.URL(), why))
	})
}

func (r *trafficLog) addConsole(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages++
	r.console = appendLine(r.console, line)
}

func (r *trafficLog) addRequest(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = appendLine(r.requests, line)
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

// Console returns the last 200 lines that the page's scripts wrote or threw, "type: text", the oldest first. It is safe for concurrent
// use, also after Close.
func (p *Page) Console() []string {
	p.traffic.mu.Lock()
	defer p.traffic.mu.Unlock()
	return append([]string(nil), p.traffic.console...)
}

// Requests returns the last 200 requests that were answered or failed: "GET https://… 200", "GET https://… ERR_BLOCKED_BY_CLIENT", the
// oldest first. It is safe for concurrent use, also after Close.
func (p *Page) Requests() []string {
	p.traffic.mu.Lock()
	defer p.traffic.mu.Unlock()
	return append([]string(nil), p.traffic.requests...)
}
