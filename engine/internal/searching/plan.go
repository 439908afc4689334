package searching

import (
	"cmp"

	"github.com/winnow-go/winnow/engine/search"
)

// Query is that of one source.
type Query struct {
	search.Query
	Providers []search.Provider // that can honour it, in the order of preference, never empty
}

// Plan finds the providers that can honour a query. When none can, the first one's refusal is
// the answer.
func Plan(q search.Query, providers []search.Provider) (Query, error) {
	planned := Query{Query: q}
	var refusal error
	for _, p := range providers {
		err := p.Can().Check(p.Name(), q)
		if err == nil {
			planned.Providers = append(planned.Providers, p)
		} else if refusal == nil {
			refusal = err
		}
	}
	if len(planned.Providers) > 0 {
		return planned, nil
	}
	return planned, refusal
}

// to is the query for one provider: on the internet it has the service's defaults.
func (q Query) to(p search.Provider) search.Query {
	ask, can := q.Query, p.Can()
	if p.Local() {
		return ask
	}
	if can.Language {
		ask.Language = cmp.Or(ask.Language, "en")
	}
	if can.Country && ask.Location == "" {
		ask.Country = cmp.Or(ask.Country, "us")
	}
	return ask
}
