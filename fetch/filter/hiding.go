package filter

// maxHiding bounds the selectors for one page.
const maxHiding = 50_000

// hiding holds the hiding rules. Those that name no domain to be on are general.
type hiding struct {
	everywhere  []string // selectors of rules without domains
	general     []element
	byPage      map[string][]element
	saved       []element // general exceptions
	savedByPage map[string][]element
}

func newHiding() hiding {
	return hiding{byPage: map[string][]element{}, savedByPage: map[string][]element{}}
}

func (h *hiding) add(e element) {
	if !e.except && len(e.domains.entries) == 0 {
		h.everywhere = append(h.everywhere, e.selector)
		return
	}
	general, byPage := &h.general, h.byPage
	if e.except {
		general, byPage = &h.saved, h.savedByPage
	}
	if !e.domains.named {
		*general = append(*general, e)
		return
	}
	for _, d := range e.domains.entries {
		if !d.not {
			byPage[d.name] = append(byPage[d.name], e)
		}
	}
}

// Hiding returns the CSS selectors of the elements to hide on a page: those that name it,
// then those for all pages, without the exceptions; at most 50,000, each once. They
// are safe to put into a style sheet, each as a rule of its own. The caller may
// change the slice.
func (s *Set) Hiding(pageHost string) []string {
	page := normalHost(pageHost)
	if page != "" && s.pageException(page, pageHiding|1<<Document) != nil {
		return nil
	}
	names := pageNames(page, s.entities)
	out := selection{seen: s.hiding.savedOn(names)}
	if page != "" && s.pageException(page, pageSpecific) == nil {
		for _, name := range names {
			out.take(s.hiding.byPage[name], names)
		}
	}
	if page == "" || s.pageException(page, pageGeneric) == nil {
		out.take(s.hiding.general, names)
		out.takeEverywhere(s.hiding.everywhere)
	}
	return out.selectors
}

// savedOn returns the selectors that exceptions keep from being hidden on a page.
func (h *hiding) savedOn(names []string) map[string]bool {
	saved := map[string]bool{}
	save := func(rules []element) {
		for _, e := range rules {
			if e.domains.includes(names) {
				saved[e.selector] = true
			}
		}
	}
	save(h.saved)
	for _, name := range names {
		save(h.savedByPage[name])
	}
	return saved
}

// selection gathers selectors, each once.
type selection struct {
	selectors []string
	seen      map[string]bool // taken, or not to be taken
}

func (out *selection) take(rules []element, names []string) {
	for _, e := range rules {
		if len(out.selectors) >= maxHiding {
			return
		}
		if out.seen[e.selector] || !e.domains.includes(names) {
			continue
		}
		out.seen[e.selector] = true
		out.selectors = append(out.selectors, e.selector)
	}
}

// takeEverywhere takes selectors that are unique among themselves.
func (out *selection) takeEverywhere(selectors []string) {
	for _, selector := range selectors {
		if len(out.selectors) >= maxHiding {
			return
		}
		if !out.seen[selector] {
			out.selectors = append(out.selectors, selector)
		}
	}
}
