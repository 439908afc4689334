package engine

import (
	"github.com/winnow-go/winnow/engine/internal/relevance"
)

// mostRanked is how many of the most relevant URLs are put in front of the others.
const mostRanked = 500

// rank gives the list to answer with: the most relevant URLs in front where something
// is searched for, and no more than asked for.
func (m *mapping) rank() []MapLink {
	list := m.found.list
	if m.plan.search == "" {
		return append([]MapLink{}, list[:min(len(list), m.plan.limit)]...)
	}
	docs := make([]relevance.Doc, len(list))
	for i, l := range list {
		docs[i] = relevance.Doc{URL: l.URL, Title: l.Title, Description: l.Description}
	}
	order := relevance.Rank(m.plan.search, docs)
	front := order[:min(len(order), mostRanked)]
	ranked, taken := make([]MapLink, 0, m.plan.limit), make([]bool, len(list))
	for _, i := range front {
		ranked, taken[i] = append(ranked, list[i]), true
	}
	for i, l := range list {
		if !taken[i] {
			ranked = append(ranked, l)
		}
	}
	return ranked[:min(len(ranked), m.plan.limit)]
}
