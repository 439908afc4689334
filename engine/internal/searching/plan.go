package searching

import (
	"cmp"
	"strings"

	"github.com/winnow-go/winnow/engine/search"
)

// Query is that of one source.
type Query struct {
	search.Query
	Providers []search.Provider // that can honour it, but for habits, in the order of preference, never empty
}

// Plan finds the providers that can honour a query. When none can, those count that can but for what clients give by habit. When
// there are none of them either, the first one's refusal is the answer.
func Plan(q search.Query, providers []search.Provider) (Query, error) {
	planned := Query{Query: q}
	var first error
	for _, relaxed := range []bool{false, true} {
		for _, p := range providers {
			asked := q
			if relaxed {
				asked, _ = honoured(q, p.Can())
			}
			switch err := p.Can().Check(p.Name(), asked); {
			case err == nil:
				planned.Providers = append(planned.Providers, p)
			case relaxed && first == nil:
				first = err
			}
		}
		if len(planned.Providers) > 0 {
			return planned, nil
		}
	}
	return planned, first
}

// honoured is a query without what clients give by habit and a provider can't honour; left names that.
func honoured(q search.Query, can search.Capabilities) (_ search.Query, left []string) {
	if q.Country != "" && !can.Country {
		q.Country, left = "", append(left, "country")
	}
	if q.Location != "" && !can.Location {
		q.Location, left = "", append(left, "location")
	}
	if q.Safe != "" && !can.Safe {
		q.Safe, left = "", append(left, "safe")
	}
	return q, left
}

// unhonoured is a warning that names what a provider left out of a query, "" for nothing.
func (q Query) unhonoured(p search.Provider) string {
	_, left := honoured(q.Query, p.Can())
	if left == nil {
		return ""
	}
	return "Without effect: " + strings.Join(left, ", ") + ", which " + p.Name() + " does not support."
}

// to is the query for one provider: on the internet it has the service's defaults.
func (q Query) to(p search.Provider) search.Query {
	can := p.Can()
	ask, _ := honoured(q.Query, can)
	if p.Local() {
		return ask
	}
	if can.Language {
		ask.Language = cmp.Or(ask.Language, "en")
	}
	if can.Country && q.Location == "" {
		ask.Country = cmp.Or(ask.Country, "us")
	}
	return ask
}
