package reading

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Bounds of Inspect: how long the script may run, how much longer its answer may take, and how long the answer may be.
const (
	inspectTime   = 4 * time.Second
	inspectGrace  = 2 * time.Second
	inspectLength = 4 << 20
)

// Inspect runs script, the text of a JavaScript function without parameters, on the main document and returns its result as JSON, at
// most 4 MiB. The script runs in a world of its own: it sees the document, its styles and open shadow trees, but nothing that the page's
// scripts have defined or changed, and they can't see it. It must not wait: it is ended after 4 seconds, and an answer that takes longer
// than 6 is ErrUnread.
func (p *Reader) Inspect(ctx context.Context, script string) (json.RawMessage, error) {
	for range 3 {
		answer, err := p.inspectOnce(ctx, script)
		if err == nil || ctx.Err() != nil || !contextGone(err) {
			return answer, err
		}
		if err := p.tab.Wait(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("inspect the page: it was replaced three times: %w", ErrUnread)
}

// InspectAsync is Inspect for a script that may be an async function, whose result is awaited as long as ctx lasts.
func (p *Reader) InspectAsync(ctx context.Context, script string) (json.RawMessage, error) {
	value, err := tab.Do(ctx, p.tab, "inspect the page", func() (any, error) {
		w, err := p.apart()
		if err != nil {
			return nil, err
		}
		return w.await(fmt.Sprintf("(async () => { const text = JSON.stringify(await (%s)()) || 'null'; return text.length > %d ? '' : text })()", script, inspectLength))
	})
	if err != nil && ctx.Err() == nil && !p.tab.Gone(err) {
		return nil, fmt.Errorf("inspect the page: %w: %w", ErrUnread, err)
	}
	text, _ := value.(string)
	if err == nil && !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("inspect the page: over %d characters: %w", inspectLength, ErrUnread)
	}
	return json.RawMessage(text), err
}

// ErrUnread is found in the errors of Inspect and Snapshot when the page gave no answer: its own scripts left no time, the document was
// replaced again and again, or the script failed. The tab stays usable.
var ErrUnread = errors.New("the page could not be read")

// contextGone reports that the document of the world was replaced while the script was under way.
func contextGone(err error) bool {
	return tab.Replaced(err) || strings.Contains(err.Error(), "Cannot find context") || strings.Contains(err.Error(), "No frame for given id")
}

func (p *Reader) inspectOnce(ctx context.Context, script string) (json.RawMessage, error) {
	limit := inspectTime + inspectGrace
	value, err, answered := tab.Try(ctx, p.tab, limit, func() (any, error) { return p.evaluateApart(script) })
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("inspect the page: %w", context.Cause(ctx))
	case !answered:
		return nil, fmt.Errorf("inspect the page: no answer in %s: %w", limit, ErrUnread)
	case err != nil && (p.tab.Gone(err) || contextGone(err)):
		return nil, p.tab.Explain("inspect the page", err)
	case err != nil:
		return nil, fmt.Errorf("inspect the page: %w: %w", ErrUnread, err)
	}
	text, _ := value.(string)
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("inspect the page: over %d characters, or not JSON: %w", inspectLength, ErrUnread)
	}
	return json.RawMessage(text), nil
}

// evaluateApart runs the script in a world that no other reading shares.
func (p *Reader) evaluateApart(script string) (any, error) {
	w, err := p.apart()
	if err != nil {
		return nil, err
	}
	return w.evaluate(fmt.Sprintf("((text) => text.length > %d ? '' : text)(JSON.stringify((%s)()))", inspectLength, script), inspectTime)
}

// apart makes a world of its own in the main document.
func (p *Reader) apart() (world, error) {
	var homes frameHomes
	root, err := homes.add(p.tab.CDP)
	if err != nil {
		return world{}, err
	}
	return frameAt{p.tab.CDP, root}.world(tab.NewKey())
}
