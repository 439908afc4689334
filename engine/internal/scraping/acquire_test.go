package scraping

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/page"
)

func TestAcquired_aProxyOfAnotherCountryIsAWarning(t *testing.T) {
	from := page.From{Asked: "DE", Proxy: "US", Fallback: "FR"}
	for _, c := range []struct {
		name     string
		from     page.From
		fellBack bool
		want     string // country in the warning; "" for none
	}{
		{"another", from, false, "US"},
		{"another one of the second try", from, true, "FR"},
		{"the same", page.From{Asked: "DE", Proxy: "DE", Fallback: "FR"}, false, ""},
		{"none asked for", page.From{Proxy: "US"}, false, ""},
		{"unknown", page.From{Asked: "DE", Fallback: "FR"}, false, ""},
	} {
		r := &Request{Request: page.Request{From: c.from}}
		got := strings.Join(r.acquired(page.Result{FellBack: c.fellBack, Warnings: []string{"Other."}}).Warnings, " ")
		if !strings.HasSuffix(got, "Other.") || (c.want == "") != (got == "Other.") || !strings.Contains(got, c.want) || c.want != "" && !strings.Contains(got, "DE") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
