package pictures

import (
	"fmt"
	"path"
	"strings"
)

// The reasons why pictures are left out, as they stand in warnings.
const (
	Kind    = "of kinds that browsers don't show"
	Script  = "with scripts in them"
	Large   = "too large"
	Many    = "more than is kept of one file"
	Often   = "in more places than there is room for"
	Damaged = "damaged or missing"
	Late    = "for want of time"
)

// leftOut are the pictures that are left out, by reason.
type leftOut struct {
	names map[string][]string // the first ones
	count map[string]int
	known map[string]bool // reasons with names
}

// Bounds of what is named.
const (
	maxNamed = 10
	maxKnown = 10_000
	maxName  = 100 // bytes
)

// Leave notes that a picture is left out, once for each name.
func (s *Set) Leave(why, name string) {
	l := &s.left
	if l.count == nil {
		*l = leftOut{map[string][]string{}, map[string]int{}, map[string]bool{}}
	}
	name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
	if l.known[why+"\n"+name] || len(l.known) == maxKnown {
		return
	}
	l.known[why+"\n"+name] = true
	if l.count[why]++; len(l.names[why]) < maxNamed {
		l.names[why] = append(l.names[why], name)
	}
}

// Warnings say which pictures are left out, and why.
func (s *Set) Warnings() (list []string) {
	if s == nil {
		return nil
	}
	for _, why := range []string{Kind, Script, Large, Many, Often, Damaged, Late} {
		names := s.left.names[why]
		if len(names) == 0 {
			continue
		}
		shown := strings.Join(names, ", ")
		if more := s.left.count[why] - len(names); more > 0 {
			shown += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, fmt.Sprintf("Pictures were left out (%s): %s.", why, shown))
	}
	return list
}

// base is the name of a part as people know it.
func base(name string) string { return path.Base(name) }
