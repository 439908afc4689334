package css

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// compileTest makes a test of a pseudo-class that looks at other elements; nil for all others, which Cascadia knows.
func (s *Selector) compileTest(name, argument string) (test, error) {
	switch name {
	case "not", "has", "haschild":
		return s.compileRelative(name, argument)
	case "contains":
		return containing(argument), nil
	case "only-child", "only-of-type":
		ofType := name == "only-of-type"
		return func(m *Matching, n *html.Node) bool {
			p, ok := m.place(n)
			return ok && p.of(ofType) == 1 && p.fromEnd(ofType) == 1
		}, nil
	case "first-child", "last-child", "first-of-type", "last-of-type":
		argument, name = "1", "nth-"+strings.Replace(name, "first-", "", 1)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
	default:
		return nil, nil
	}
	return numbered(argument, strings.Contains(name, "of-type"), strings.Contains(name, "last")), nil
}

func (s *Selector) compileRelative(name, argument string) (test, error) {
	group, err := s.compileGroup(argument)
	if err != nil {
		return nil, err
	}
	switch name {
	case "not":
		return func(m *Matching, n *html.Node) bool { return !m.any(group, n) }, nil
	case "haschild":
		return func(m *Matching, n *html.Node) bool { return m.hasChild(group, n) }, nil
	}
	below := s.memory
	s.memory++
	return func(m *Matching, n *html.Node) bool { return m.has(group, below, n) }, nil
}

func (m *Matching) hasChild(group []chain, n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		m.steps.Visit()
		if m.any(group, c) {
			return true
		}
	}
	return false
}

// has reports a node below n that the group means.
func (m *Matching) has(group []chain, below int, n *html.Node) bool {
	found, known := m.known[below][n]
	if known || n.FirstChild == nil {
		return found
	}
	for c := n.FirstChild; c != nil && !found; c = c.NextSibling {
		m.steps.Visit()
		found = m.any(group, c) || m.has(group, below, c)
	}
	m.learn(below, n, found)
	return found
}

// formula is that of :nth-child: "an+b" in its spellings.
var formula = regexp.MustCompile(`^([+-]?\d*)n\s*(?:([+-])\s*(\d+))?$`)

// numbered tests the place of an element among its siblings; nil for a formula that it cannot read.
func numbered(text string, ofType, last bool) test {
	a, b, ok := readFormula(strings.ToLower(text))
	if !ok {
		return nil
	}
	return func(m *Matching, n *html.Node) bool {
		p, ok := m.place(n)
		if !ok {
			return false
		}
		i := p.of(ofType)
		if last {
			i = p.fromEnd(ofType)
		}
		i -= b
		return a == 0 && i == 0 || a != 0 && i%a == 0 && i/a >= 0
	}
}

func readFormula(s string) (a, b int, ok bool) {
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	if b, err := strconv.Atoi(s); err == nil {
		return 0, b, true
	}
	found := formula.FindStringSubmatch(s)
	if found == nil {
		return 0, 0, false
	}
	a, errA := strconv.Atoi(found[1] + map[string]string{"": "1", "+": "1", "-": "1"}[found[1]])
	if found[3] == "" {
		return a, 0, errA == nil
	}
	b, errB := strconv.Atoi(found[2] + found[3])
	return a, b, errA == nil && errB == nil
}

// place is where an element stands among its siblings and among those of its name, from 1.
type place struct {
	child, children  int
	named, namesakes int
}

func (p place) of(name bool) int {
	if name {
		return p.named
	}
	return p.child
}

func (p place) fromEnd(name bool) int {
	if name {
		return p.namesakes - p.named + 1
	}
	return p.children - p.child + 1
}

// place finds out the places of all children of an element at once.
func (m *Matching) place(n *html.Node) (place, bool) {
	if n.Parent == nil {
		return place{}, false
	}
	if p, known := m.places[n]; known {
		return p, true
	}
	if m.places == nil {
		m.places = make(map[*html.Node]place)
	}
	total, names := 0, make(map[string]int)
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		m.steps.Add(2)
		if c.Type == html.ElementNode {
			total++
			names[c.Data]++
			m.places[c] = place{child: total, named: names[c.Data]}
		}
	}
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if p, known := m.places[c]; known {
			p.children, p.namesakes = total, names[c.Data]
			m.places[c] = p
		}
	}
	return m.places[n], true
}

// texts is the text of a page in lower case, and where in it that of each element stands.
type texts struct {
	all    strings.Builder
	spans  map[*html.Node][2]int
	places map[string][]int // of values that were looked for
}

// containing tests for a text, in any case; nil for a spelling that it cannot read.
func containing(argument string) test {
	value := argument
	if q := argument[:min(1, len(argument))]; q == `"` || q == "'" {
		value = strings.Trim(argument, q)
		if len(value) != len(argument)-2 {
			return nil
		}
	}
	if strings.ContainsAny(value, `\"'`) {
		return nil
	}
	value = strings.ToLower(value)
	return func(m *Matching, n *html.Node) bool { return m.contains(n, value) }
}

func (m *Matching) contains(n *html.Node, value string) bool {
	if m.texts == nil {
		root := n
		for root.Parent != nil {
			root = root.Parent
		}
		m.texts = &texts{spans: make(map[*html.Node][2]int), places: make(map[string][]int)}
		m.readTexts(root)
	}
	span := m.texts.spans[n]
	if value == "" {
		return true
	}
	places := m.texts.find(value)
	k := sort.SearchInts(places, span[0])
	return k < len(places) && places[k]+len(value) <= span[1]
}

func (m *Matching) readTexts(n *html.Node) {
	m.steps.Visit()
	if n.Type == html.TextNode {
		m.texts.all.WriteString(strings.ToLower(n.Data))
		return
	}
	start := m.texts.all.Len()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		m.readTexts(c)
	}
	if n.Type == html.ElementNode {
		m.texts.spans[n] = [2]int{start, m.texts.all.Len()}
	}
}

// find returns all places of a value, overlapping ones too.
func (t *texts) find(value string) []int {
	places, known := t.places[value]
	if known {
		return places
	}
	all := t.all.String()
	for i := strings.Index(all, value); i >= 0; {
		places = append(places, i)
		next := strings.Index(all[i+1:], value)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	t.places[value] = places
	return places
}
