package traps

// Begin says that an address is about to be fetched. Of a doubtful pattern no more pages are fetched at once than may still hold nothing
// new: where there are as many, wait is closed when a page has ended, and Begin is to be called again. Else it returns whether the address
// is still to be fetched, and end, to be called once what came of it was noted.
func (g *Guard) Begin(href, from string) (end func(), fetch bool, wait <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := readAddress(href)
	forms := g.formsOf(&a, from)
	if v, _ := g.judge(href, forms); v == Leave {
		return nil, false, nil
	}
	list := make([]*pattern, len(forms))
	for i, f := range forms {
		p := g.pattern(f)
		if list[i] = p; p.busy > 0 && p.doubtful() && p.run+p.busy >= p.limit() {
			return nil, false, g.ended
		}
	}
	for _, p := range list {
		p.busy++
	}
	return func() { g.end(list) }, true, nil
}

func (g *Guard) end(list []*pattern) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range list {
		p.busy--
	}
	close(g.ended)
	g.ended = make(chan struct{})
}
