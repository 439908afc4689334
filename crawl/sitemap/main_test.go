package sitemap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const base = "https://site.example/maps/sitemap.xml"

// reading is what came of a document: one line for each item and problem, in order.
func reading(t *testing.T, doc string, o Limits) string {
	t.Helper()
	return transcript(t, strings.NewReader(doc), o)
}

func transcript(t *testing.T, r io.Reader, o Limits) string {
	t.Helper()
	var lines []string
	for item, err := range Read(t.Context(), r, base, o) {
		lines = append(lines, line(item, err))
	}
	return strings.Join(lines, "\n")
}

func line(item Item, err error) string {
	if p, ok := errors.AsType[*Problem](err); ok {
		return strings.TrimRight(fmt.Sprintf("! %s %d %s", p.Code, p.Line, p.Detail), " ")
	}
	if err != nil {
		return "!! " + err.Error()
	}
	s := item.Kind.String() + " " + item.Loc
	if !item.LastMod.IsZero() {
		s += " " + item.LastMod.Format(time.RFC3339Nano)
	}
	if item.Priority != NoPriority {
		s += fmt.Sprintf(" %v", item.Priority)
	}
	return strings.TrimRight(s+" "+item.ChangeFreq, " ")
}

// locs reads a document and returns only the addresses and the codes of its problems.
func locs(ctx context.Context, r io.Reader, o Limits) (urls []string, codes []Code, end error) {
	for item, err := range Read(ctx, r, base, o) {
		if p, ok := errors.AsType[*Problem](err); ok {
			codes = append(codes, p.Code)
		} else if err != nil {
			end = err
		} else {
			urls = append(urls, item.Loc)
		}
	}
	return urls, codes, end
}

type testCase struct{ name, doc, want string }

func checkAll(t *testing.T, cases []testCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, want := reading(t, c.doc, Limits{}), strings.TrimSpace(c.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

const (
	openSet  = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	closeSet = `</urlset>`
)

// entries is a url set with the given inside.
func entries(inside string) string { return openSet + inside + closeSet }

// raced is whether the race detector watches.
var raced bool

// leftToUnraced skips a test under the race detector that has one goroutine and much to compute.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
}
