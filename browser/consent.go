package browser

import (
	"slices"
	"sync"
)

// handledList is what was done about banners, in order.
type handledList struct {
	mu   sync.Mutex
	list []string
}

func (h *handledList) add(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.list) < 20 && !slices.Contains(h.list, what) {
		h.list = append(h.list, what)
	}
}

// Handled returns what was done about cookie banners on this page, such as "OneTrust: rejected" or "cookie banner: hidden". It is safe
// for concurrent use, also after Close.
func (p *Page) Handled() []string {
	p.handled.mu.Lock()
	defer p.handled.mu.Unlock()
	return slices.Clone(p.handled.list)
}
