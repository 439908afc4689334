package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
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
	var tab tabState
	if json.Unmarshal(answer, &tab) != nil || len(tab.Items) == 0 {
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
func splitState(state []byte) (rest []byte, tab *tabState) {
	if !bytes.Contains(state, []byte(`"`+tabKey+`"`)) {
		return state, nil
	}
	all := map[string]json.RawMessage{}
	if json.Unmarshal(state, &all) != nil || all[tabKey] == nil {
		return state, nil
	}
	tab = &tabState{}
	if json.Unmarshal(all[tabKey], tab) != nil {
		tab = nil
	}
	delete(all, tabKey)
	rest, err := json.Marshal(all)
	if err != nil {
		return state, nil
	}
	return rest, tab
}

const writeTabState = `(({ origin, items }) => {
	try { if (self === top && location.origin === origin) for (const [name, value] of items) sessionStorage.setItem(name, value) } catch {}
})(%s)`

// restoreTab makes sure that the first document of the right origin finds its sessionStorage.
func (p *Page) restoreTab(ctx context.Context, tab *tabState) error {
	if tab == nil || len(tab.Items) == 0 {
		return nil
	}
	data, err := json.Marshal(tab)
	if err != nil {
		return err
	}
	if err := p.send(ctx, "Page.enable", nil); err != nil {
		return err
	}
	answer, err := do(ctx, p, "restore the sessionStorage", func() (any, error) {
		return p.cdp.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": fmt.Sprintf(writeTabState, data)})
	})
	if err != nil {
		return err
	}
	p.tabScript, _ = field(answer, "identifier").(string)
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
	try(ctx, p, time.Second, func() (any, error) {
		return p.cdp.Send("Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": id})
	})
}
