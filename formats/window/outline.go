package window

// outline lists what isn't in a part.
func (r *reader) outline(w *Window) []Section {
	list := r.sections(w)
	for deepest := 6; deepest > 1 && len(list) > MaxOutline; deepest-- {
		list = fold(list, func(i int) bool { return list[i].Level >= deepest })
	}
	if len(list) > MaxOutline {
		list = fold(list, func(i int) bool { return i >= MaxOutline })
	}
	return list
}

// fold counts sections in those before them.
func fold(list []Section, folded func(i int) bool) []Section {
	var kept []Section
	for i, s := range list {
		if n := len(kept); n > 0 && folded(i) {
			kept[n-1].Tokens += s.Tokens
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// sections are those with something that isn't in the part.
func (r *reader) sections(w *Window) (list []Section) {
	s, from, spans := Section{}, 0, w.Spans
	if spans == nil {
		spans = [][2]int{{w.From, w.To}}
	}
	add := func(to int) {
		for len(spans) > 0 && spans[0][1] <= from {
			spans = spans[1:]
		}
		if s.From, s.Tokens = r.left(spans, from, to); s.Tokens > 0 {
			list = append(list, s)
		}
	}
	for _, b := range r.blocks {
		if b.Level == 0 {
			continue
		}
		add(b.From)
		s, from = Section{Level: b.Level, Title: b.Title}, b.From
	}
	add(len(r.text))
	return list
}

// left is where what isn't in the spans of a section begins, and how many tokens it has.
func (r *reader) left(spans [][2]int, from, to int) (first, n int) {
	first, at := -1, from
	gap := func(end int) {
		if at < end {
			if k := r.count(trim(r.text[at:end])); k > 0 {
				n += k
				if first < 0 {
					first = at
				}
			}
		}
	}
	for _, s := range spans {
		if s[0] >= to {
			break
		}
		gap(s[0])
		at = max(at, s[1])
	}
	gap(to)
	return max(first, 0), n
}
