package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// tabKey is where a session's state holds the sessionStorage of its tab, which the driver's own state lacks.
const tabKey = "sessionStorage"

// tabState is the sessionStorage of the document in a tab.
type tabState struct {
	Origin string      `json:"origin"`
	Items  [][2]string `json:"items"` // name, value
}

const readTabState = `() => {
	try { return { origin: location.origin, items: Object.entries(sessionStorage) } } catch { return { origin: "", items: [] } }
}`

// State returns the result of its page's WholeState.
func (s *Session) State(ctx context.Context) ([]byte, error) {
	page, err := s.Page(ctx)
	if err != nil {
		return nil, err
	}
	return page.WholeState(ctx)
}

// WholeState returns the cookies, localStorage and IndexedDB of every site that the page, and other pages of its context, have visited,
// and the sessionStorage of its document, as JSON for PageOptions.State. They are secrets. For a page that is too busy to answer, or
// whose sessionStorage is over 4 MiB, sessionStorage is left out.
func (p *Page) WholeState(ctx context.Context) ([]byte, error) {
	state, err := p.State(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := p.Inspect(ctx, readTabState)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read the state: %w", context.Cause(ctx))
		}
		return state, nil
	}
	return joinState(state, answer)
}

// joinState adds the state of the tab, if there is any.
func joinState(state []byte, answer json.RawMessage) ([]byte, error) {
	var of tabState
	if json.Unmarshal(answer, &of) != nil || len(of.Items) == 0 {
		return state, nil
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(state, &all); err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	all[tabKey] = answer
	return json.Marshal(all)
}

// splitState parts a state into the driver's and the tab's; nil where it has none of the latter.
func splitState(state []byte) (rest []byte, of *tabState) {
	if !bytes.Contains(state, []byte(`"`+tabKey+`"`)) {
		return state, nil
	}
	all := map[string]json.RawMessage{}
	if json.Unmarshal(state, &all) != nil || all[tabKey] == nil {
		return state, nil
	}
	of = &tabState{}
	if json.Unmarshal(all[tabKey], of) != nil {
		of = nil
	}
	delete(all, tabKey)
	rest, err := json.Marshal(all)
	if err != nil {
		return state, nil
	}
	return rest, of
}

const writeTabState = `(({ origin, items }) => {
	try { if (self === top && location.origin === origin) for (const [name, value] of items) sessionStorage.setItem(name, value) } catch {}
})(%s)`

// restoreTab makes sure that the first document of the right origin finds its sessionStorage.
func (p *Page) restoreTab(ctx context.Context, of *tabState) error {
	if of == nil || len(of.Items) == 0 {
		return nil
	}
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if err := p.tab.Send(ctx, "Page.enable", nil); err != nil {
		return err
	}
	answer, err := tab.Do(ctx, p.tab, "restore the sessionStorage", func() (any, error) {
		return p.tab.CDP.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": fmt.Sprintf(writeTabState, data)})
	})
	if err != nil {
		return err
	}
	p.tabScript, _ = tab.Field(answer, "identifier").(string)
	return nil
}

// tabRestored ends the restoring: what the site changes from now on stays as it is.
func (p *Page) tabRestored() {
	id := p.tabScript
	if id == "" {
		return
	}
	p.tabScript = ""
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	tab.Try(ctx, p.tab, time.Second, func() (any, error) {
		return p.tab.CDP.Send("Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": id})
	})
}
