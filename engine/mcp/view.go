package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/engine/internal/viewdiff"
)

// views keep what models have seen of the pages of sessions, so that they are shown what has changed. The zero value is empty.
type views struct {
	mu    sync.Mutex
	seen  map[string]view
	order []string
}

// view is what was seen of a page.
type view struct {
	url   string
	lines []string
}

// maxViews bounds the sessions of which the last view is kept.
const maxViews = 64

// swap keeps what is seen now and returns what was before.
func (v *views) swap(id string, now view) (before view) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil {
		v.seen = map[string]view{}
	}
	before, known := v.seen[id]
	v.seen[id] = now
	if !known {
		v.order = append(v.order, id)
	}
	if len(v.order) > maxViews {
		delete(v.seen, v.order[0])
		v.order = v.order[1:]
	}
	return before
}

func (v *views) drop(id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.seen, id)
}

// see does the steps of a call, and shows the page: after steps only what has changed of it, where that is less than half.
func (c *call) see(s *engine.Session, a *sessionArguments) (*result, error) {
	r := c.result()
	page, did, err := c.act(s, a.steps)
	r.line("session %s", s.ID())
	if did != "" {
		r.foreign("done", did)
	}
	if page.Text == "" && err != nil {
		return r, err
	}
	now := view{page.URL, strings.Split(page.Text, "\n")}
	before := c.views.swap(s.ID(), now)
	head := fmt.Sprintf("address: %s\ntitle: %q\n", cut(page.URL, maxAddress), page.Title)
	if a.do == "act" && a.want.from == 0 {
		if diff, ok := changed(before, now); ok && c.count(head+diff) <= c.budget(a.want) {
			r.line("What has changed on the page: + has come, - has gone, ~ is what an element is now; other lines say where. All other references stay.")
			r.foreign("changes", head+diff)
			return r, err
		}
	}
	r.lines(head, now.lines, s.ID(), a.want)
	return r, err
}

// act does steps in order, up to the first that fails.
func (c *call) act(s *engine.Session, steps []json.RawMessage) (page engine.PageView, did string, err error) {
	if len(steps) == 0 {
		page, err = s.See(c.ctx)
		return page, "", err
	}
	for i, raw := range steps {
		tool, arguments, wrong := stepOf(raw)
		if wrong != nil {
			return page, did, decode.Invalid(fmt.Sprintf("steps[%d]", i), wrong.Error())
		}
		page, err = s.Act(c.ctx, tool, arguments)
		if err != nil {
			did += fmt.Sprintf("(step %d of %d failed: those before it are done)", i+1, len(steps))
			return page, did, err
		}
		did += page.Did + "\n"
		c.report(0, len(steps), tool)
	}
	return page, strings.TrimSpace(did), nil
}

// lines shows a page from a line on.
func (r *result) lines(head string, lines []string, id string, w want) {
	left, from := r.c.budget(w)-r.c.count(head), min(w.from, len(lines))
	end := from
	for end < len(lines) {
		if left -= r.c.count(lines[end] + "\n"); left < 0 {
			break
		}
		end++
	}
	text := strings.Join(lines[from:end], "\n")
	if end == from && from < len(lines) {
		text, end = cut(lines[from], max(r.c.budget(w)-r.c.count(head), minOutline)), from+1
	}
	r.foreign("page", head+text)
	if end < len(lines) {
		r.line(`These are lines %d to %d of %d. Go on: session {"session": %q, "from": %d}`, from+1, end, len(lines), id, end)
	}
}

// changed says how a page differs from what was seen of it, where it is one document and that is much less to read.
func changed(before, now view) (string, bool) {
	if before.url != now.url || before.lines == nil {
		return "", false
	}
	text, ok := viewdiff.Between(strings.Join(before.lines, "\n"), strings.Join(now.lines, "\n"))
	return strings.TrimSuffix(text, "\n"), ok
}
