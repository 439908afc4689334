package documenttest

import "strings"

// tableLook is how a table is drawn.
type tableLook struct {
	rules   string // "grid", "rows", "bands", "none"
	columns []func(s *sheet) string
	right   []bool // columns set to the right
	rows    int
	groups  bool // cells that span rows, and a header that spans columns
	header  bool
	width   string
	padding float64 // em
}

// tableLook chooses a look by chance; narrow ones fit a column of a page.
func (s *sheet) tableLook(narrow bool) tableLook {
	l := tableLook{rules: one(s, "grid", "grid", "rows", "bands", "none", "none"), header: s.chance(85), rows: s.between(4, 16)}
	n := s.between(3, 6)
	l.padding = one(s, 0.15, 0.3, 0.5)
	if narrow {
		n = s.between(2, 3)
	}
	if l.rules == "none" || l.rules == "rows" {
		l.padding = max(l.padding, 0.3)
	}
	l.columns = append(l.columns, (*sheet).name)
	l.right = append(l.right, false)
	for range n - 1 {
		l.addColumn(s, narrow)
	}
	l.groups = l.rules == "grid" && s.chance(35)
	l.width = one(s, "auto", "auto", "100%")
	return l
}

// addColumn adds numbers, states, dates or remarks.
func (l *tableLook) addColumn(s *sheet, narrow bool) {
	kinds := []func(s *sheet) string{
		(*sheet).price, (*sheet).date, func(s *sheet) string { return numberText(s) }, func(s *sheet) string { return one(s, "yes", "no", "in stock", "later") },
		func(s *sheet) string { return s.title() },
	}
	if !narrow && l.rules != "bands" {
		kinds = append(kinds, func(s *sheet) string {
			return upper(s.word()) + " " + strings.ToLower(s.title()) + " " + strings.ToLower(s.title())
		})
	}
	i := s.IntN(len(kinds))
	l.columns = append(l.columns, kinds[i])
	l.right = append(l.right, (i == 0 || i == 2) && s.chance(60))
}

func numberText(s *sheet) string { return strings.TrimLeft(s.date()[2:4]+s.date()[5:7], "0") }

// table adds a table. Its class carries its look.
func (s *sheet) table(narrow bool) {
	l := s.tableLook(narrow)
	class := "t" + s.word() + l.rules
	s.style("table.%s{border-collapse:collapse;width:%s;margin:1em 0}.%s td,.%s th{padding:%gem %gem;text-align:left;vertical-align:%s}", class,
		l.width, class, class, one(s, 0.1, 0.25, 0.4), l.padding, one(s, "top", "middle"))
	switch l.rules {
	case "grid":
		s.style(".%s td,.%s th{border:1px solid #333}", class, class)
	case "rows":
		s.style(".%s tr{border-top:1px solid #333;border-bottom:1px solid #333}", class)
	case "bands":
		s.style(".%s td,.%s th{border-left:1px solid #333;border-right:1px solid #333}.%s tr:nth-child(3n+1){border-top:1px solid #333}.%s{border:1px solid #333}",
			class, class, class, class)
	}
	for i, right := range l.right {
		if right {
			s.style(".%s td:nth-child(%d){text-align:right}", class, i+1)
		}
	}
	s.within("table", class, func() { s.rows(l) })
}

// rows adds a table's rows; with groups, the first column spans some and the header has a row above it.
func (s *sheet) rows(l tableLook) {
	if l.header && l.groups && len(l.columns) > 3 {
		s.add("<tr><th rowspan=2>%s</th><th colspan=2>%s</th><th colspan=%d>%s</th></tr>", s.name(), s.name(), len(l.columns)-3, s.name())
		s.headers(len(l.columns) - 1)
	} else if l.header {
		s.headers(len(l.columns))
	}
	for left := l.rows; left > 0; {
		span := 1
		if l.groups && !s.rightGroups(l) && left > 2 && s.chance(30) {
			span = s.between(2, 3)
		}
		for i := range min(span, left) {
			s.row(l, min(span, left), i == 0)
		}
		left -= span
	}
}

// rightGroups reports whether a column is set to the right: nth-child counts no cell that spans from above.
func (s *sheet) rightGroups(l tableLook) bool {
	for _, r := range l.right {
		if r {
			return true
		}
	}
	return false
}

func (s *sheet) headers(n int) {
	s.add("<tr>")
	for range n {
		s.add("<th>%s</th>", upper(s.word()))
	}
	s.add("</tr>")
}

// row adds a row; a cell other than the first may be empty.
func (s *sheet) row(l tableLook, span int, first bool) {
	s.add("<tr>")
	for i, value := range l.columns {
		text := value(s)
		switch {
		case i == 0 && !first:
			continue
		case i == 0 && span > 1:
			s.add("<td rowspan=%d>%s</td>", span, text)
			continue
		case i > 1 && s.chance(6):
			text = ""
		}
		s.add("<td>%s</td>", text)
	}
	s.add("</tr>")
}
