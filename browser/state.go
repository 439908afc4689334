package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// State returns the cookies, localStorage and IndexedDB of every site that the page has visited, as JSON for PageOptions.State.
// They are secrets.
func (p *Page) State(ctx context.Context) ([]byte, error) {
	return tab.Do(ctx, p.tab, "read the state", func() ([]byte, error) {
		return throughFile(p.gen.Folder.Dir, func(file string) error {
			_, err := p.tab.Page.Context().StorageState(playwright.BrowserContextStorageStateOptions{Path: &file, IndexedDB: new(true)})
			return err
		})
	})
}

// restore puts the state into the fresh context. It goes through a file: the library's own types would drop IndexedDB.
func (p *Page) restore(ctx context.Context) error {
	if len(p.opts.State) == 0 {
		return nil
	}
	state, storage := splitState(p.opts.State)
	if err := p.restoreTab(ctx, storage); err != nil {
		return err
	}
	err := tab.Run(ctx, p.tab, "restore the state", func() error {
		_, err := throughFile(p.gen.Folder.Dir, func(file string) error {
			if err := os.WriteFile(file, state, 0o600); err != nil {
				return err
			}
			return p.tab.Page.Context().SetStorageState(file)
		})
		return err
	})
	if err != nil && ctx.Err() == nil && !p.tab.Gone(err) {
		return fmt.Errorf("%w: %w", &OptionError{"State", fmt.Sprintf("%d bytes", len(p.opts.State)), "a value of Page.State"}, err)
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
