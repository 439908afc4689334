package enginetest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// Message is a line of a page's console, or an error that its scripts have not caught.
type Message struct {
	// Page is the URL that the visit began with.
	Page string
	// Kind is the console's: "log", "info", "warning", "error", "debug" and others; or "uncaught".
	Kind string
	// Text is at most 1,000 bytes long.
	Text string
}

// Messages are lines of consoles, the oldest first.
type Messages []Message

// Errors returns the messages of the kinds "error" and "uncaught". The browser itself adds one for a request that has failed.
func (m Messages) Errors() Messages {
	return slices.DeleteFunc(slices.Clone(m), func(m Message) bool { return m.Kind != "error" && m.Kind != "uncaught" })
}

// Matching returns the messages whose text a regular expression matches. An invalid one is a panic.
func (m Messages) Matching(expression string) Messages {
	pattern := regexp.MustCompile(expression)
	return slices.DeleteFunc(slices.Clone(m), func(m Message) bool { return !pattern.MatchString(m.Text) })
}

// Console returns what the pages of an engine of [New] or [Cassette] have written to the console so far, scraped ones and open ones: the
// last 200 lines of each, at most 10,000 in all.
func Console(t testing.TB, e *engine.Engine) Messages {
	t.Helper()
	k := kitOf(t, e)
	open := k.pages()
	k.mu.Lock()
	all := slices.Clone(k.console)
	k.mu.Unlock()
	for _, p := range open {
		all = append(all, p.Console()...)
	}
	return all
}

// CleanConsole fails the test, when it ends, for each error of [Console], unless one of the regular expressions matches its text. An
// invalid expression is a panic.
func CleanConsole(t testing.TB, e *engine.Engine, allowed ...string) {
	t.Helper()
	kitOf(t, e)
	var patterns []*regexp.Regexp
	for _, a := range allowed {
		patterns = append(patterns, regexp.MustCompile(a))
	}
	t.Cleanup(func() {
		t.Helper()
		for _, m := range Console(t, e).Errors() {
			if !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(m.Text) }) {
				t.Errorf("enginetest: unexpected in the console of %s: %s: %s", m.Page, m.Kind, m.Text)
			}
		}
	})
}

// messagesOf reads the lines of a report.
func messagesOf(page string, lines []string) (list Messages) {
	for _, line := range lines {
		kind, text, _ := strings.Cut(line, ": ")
		list = append(list, Message{page, kind, text})
	}
	return list
}

// Request is a request of a page that was answered or has failed.
type Request struct {
	// Page is the URL that the visit began with.
	Page string
	// Method and URL; a URL over some 1,000 bytes is cut.
	Method, URL string
	// Status of the answer; 0 where there was none.
	Status int
	// Failure is why there was no answer: "blocked", or the browser's word for it, such as ERR_CONNECTION_CLOSED.
	Failure string
}

// RequestList are requests, the oldest first.
type RequestList []Request

// Matching returns the requests that a pattern fits: a URL in which * stands for anything, or a method, a space and such a URL:
// "POST https://api.example/*". The pattern "*" fits all.
func (l RequestList) Matching(pattern string) RequestList {
	method, address, found := strings.Cut(pattern, " ")
	if !found {
		method, address = "", pattern
	}
	fits := regexp.MustCompile(`^(?s:` + strings.ReplaceAll(regexp.QuoteMeta(address), `\*`, `.*`) + `)$`)
	return slices.DeleteFunc(slices.Clone(l), func(r Request) bool {
		return method != "" && method != r.Method || !fits.MatchString(r.URL)
	})
}

// Requests returns what the pages of an engine of [New] or [Cassette] have requested so far, scraped ones and open ones: the last 200
// requests of each, at most 10,000 in all. What the engine itself fetches by plain HTTP is not among them.
func Requests(t testing.TB, e *engine.Engine) RequestList {
	t.Helper()
	k := kitOf(t, e)
	open := k.pages()
	k.mu.Lock()
	all := slices.Clone(k.requests)
	k.mu.Unlock()
	for _, p := range open {
		all = append(all, p.Requests()...)
	}
	return all
}

// requestsOf reads the lines of a report.
func requestsOf(page string, lines []string) (list RequestList) {
	for _, line := range lines {
		method, rest, _ := strings.Cut(line, " ")
		address, outcome, _ := strings.Cut(rest, " ")
		r := Request{Page: page, Method: method, URL: address}
		if status, err := strconv.Atoi(outcome); err == nil {
			r.Status = status
		} else {
			r.Failure = outcome
		}
		list = append(list, r)
	}
	return list
}
