package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/reading"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// State returns the result of its page's WholeState.
func (s *Session) State(ctx context.Context) ([]byte, error) {
	page, err := s.Page(ctx)
	if err != nil {
		return nil, err
	}
	return page.WholeState(ctx)
}

// storage is what sites have stored in a page's context, and the sessionStorage of its tab.
type storage struct {
	tab    *tab.Tab
	reader *reading.Reader
	script string // what puts sessionStorage back, by its identifier, until the first document is there
}

// read is [Page.State].
func (s *storage) read(ctx context.Context) ([]byte, error) {
	return tab.Do(ctx, s.tab, "read the state", func() ([]byte, error) {
		return throughFile(s.tab.Browser.Folder.Dir, func(file string) error {
			_, err := s.tab.Page.Context().StorageState(playwright.BrowserContextStorageStateOptions{Path: &file, IndexedDB: new(true)})
			return err
		})
	})
}

// restore puts a state into the fresh context. It goes through a file: the library's own types would drop IndexedDB.
func (s *storage) restore(ctx context.Context, all []byte) error {
	if len(all) == 0 {
		return nil
	}
	state, ofTab := splitState(all)
	if err := s.restoreTab(ctx, ofTab); err != nil {
		return err
	}
	err := tab.Run(ctx, s.tab, "restore the state", func() error {
		_, err := throughFile(s.tab.Browser.Folder.Dir, func(file string) error {
			if err := os.WriteFile(file, state, 0o600); err != nil {
				return err
			}
			return s.tab.Page.Context().SetStorageState(file)
		})
		return err
	})
	if err != nil && ctx.Err() == nil && !s.tab.Gone(err) {
		return fmt.Errorf("%w: %w", &OptionError{"State", fmt.Sprintf("%d bytes", len(all)), "a value of Page.State"}, err)
	}
	return err
}

// throughFile lets use work with a private file, returns its content afterwards, and removes it.
func throughFile(parent string, use func(file string) error) ([]byte, error) {
	dir, err := os.MkdirTemp(parent, "state-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the state: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "state.json")
	if err := use(file); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

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

// readAll is [Page.WholeState].
func (s *storage) readAll(ctx context.Context) ([]byte, error) {
	state, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := s.reader.Inspect(ctx, readTabState)
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
func (s *storage) restoreTab(ctx context.Context, of *tabState) error {
	if of == nil || len(of.Items) == 0 {
		return nil
	}
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if err := s.tab.Send(ctx, "Page.enable", nil); err != nil {
		return err
	}
	answer, err := tab.Do(ctx, s.tab, "restore the sessionStorage", func() (any, error) {
		return s.tab.CDP.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": fmt.Sprintf(writeTabState, data)})
	})
	if err != nil {
		return err
	}
	s.script, _ = tab.Field(answer, "identifier").(string)
	return nil
}

// restored ends the restoring: what the site changes from now on stays as it is.
func (s *storage) restored() {
	id := s.script
	if id == "" {
		return
	}
	s.script = ""
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	tab.Try(ctx, s.tab, time.Second, func() (any, error) {
		return s.tab.CDP.Send("Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": id})
	})
}
