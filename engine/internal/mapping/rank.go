package mapping

import (
	"github.com/winnow-go/winnow/engine/internal/relevance"
)

// maxRanked is how many of the most relevant URLs are put in front of the others.
const maxRanked = 500

// rank gives the list to answer with: the most relevant URLs in front where something
// is searched for, and no more than asked for.
func (m *mapping) rank() []Link {
	list := m.found.list
	if m.request.Search == "" {
		return append([]Link{}, list[:min(len(list), m.request.Limit)]...)
	}
	docs := make([]relevance.Doc, len(list))
	for i, l := range list {
		docs[i] = relevance.Doc{URL: l.URL, Title: l.Title, Description: l.Description}
	}
	order := relevance.Rank(m.request.Search, docs)
	front := order[:min(len(order), maxRanked)]
	ranked, taken := make([]Link, 0, m.request.Limit), make([]bool, len(list))
	for _, i := range front {
		ranked, taken[i] = append(ranked, list[i]), true
	}
	for i, l := range list {
		if !taken[i] {
			ranked = append(ranked, l)
		}
	}
	return ranked[:min(len(ranked), m.request.Limit)]
}
