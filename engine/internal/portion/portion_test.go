package portion

import (
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/window"
)

var (
	markdown = []formats.Format{{Type: formats.Markdown}}
	both     = []formats.Format{{Type: formats.Markdown}, {Type: formats.Passages}}
)

func TestPlan_refusesWhatCannotBeHonoured(t *testing.T) {
	for _, c := range []struct {
		list  []formats.Format
		b     window.Budget
		field string
	}{
		{markdown, window.Budget{Query: "x"}, ".tokens"},
		{markdown, window.Budget{From: 1}, ".tokens"},
		{markdown, window.Budget{Tokens: -1}, ".tokens"},
		{markdown, window.Budget{Tokens: 63}, ".tokens"},
		{markdown, window.Budget{Tokens: 10_000_001}, ".tokens"},
		{markdown, window.Budget{Tokens: 64, From: -1}, ".from"},
		{markdown, window.Budget{Tokens: 64, From: 1, Query: "x"}, ".from"},
		{markdown, window.Budget{Tokens: 64, Query: strings.Repeat("ä", window.MaxQuery+1)}, ".query"},
		{both, window.Budget{Tokens: 64}, ""},
		{[]formats.Format{{Type: formats.Links}}, window.Budget{Tokens: 64}, ""},
	} {
		_, err := Plan(c.list, c.b)
		if opt, ok := errors.AsType[*option.Error](err); !ok || opt.Field != "winnow.budget"+c.field || opt.Want == "" {
			t.Errorf("%+v: got %v, want the field %q", c.b, err, c.field)
		}
	}
	for _, b := range []window.Budget{{}, {Tokens: 64}, {Tokens: 64, From: 9}, {Tokens: 64, Query: strings.Repeat("ä", window.MaxQuery)}} {
		if _, err := Plan(markdown, b); err != nil {
			t.Errorf("%v", err)
		}
	}
}

func TestOf_givesWhatIsWanted(t *testing.T) {
	of := func(list []formats.Format, b window.Budget) Result {
		r, err := Plan(list, b)
		if err != nil {
			t.Fatal(err)
		}
		return r.Of("# Mill\n\nOats.\n", "en", nil)
	}
	if r := of(markdown, window.Budget{}); r.Markdown != "# Mill\n\nOats.\n" || r.Passages != nil || r.Window != nil {
		t.Errorf("markdown: %+v", r)
	}
	if r := of(both, window.Budget{}); r.Markdown == "" || len(r.Passages) != 1 || r.Passages[0].Language != "en" {
		t.Errorf("both: %+v", r)
	}
	if r := of(both[1:], window.Budget{}); r.Markdown != "" || len(r.Passages) != 1 {
		t.Errorf("passages: %+v", r)
	}
	if r := of(markdown, window.Budget{Tokens: 64, From: 99}); r.Markdown != "" || r.Window == nil || len(r.Warnings) != 1 {
		t.Errorf("beyond the end: %+v", r)
	}
}

func TestOf_aQueryFindsItsPassage(t *testing.T) {
	var md strings.Builder
	for _, grain := range []string{"Barley", "Oats", "Rye", "Wheat"} {
		md.WriteString("## " + grain + "\n\n" + strings.Repeat("It is sown and grows and is cut. ", 12) + "\n\n")
	}
	r, err := Plan(markdown, window.Budget{Tokens: 160, Query: "rye"})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Of(md.String(), "", nil); !strings.HasPrefix(got.Markdown, "## Rye") || len(got.Window.Outline) != 3 {
		t.Errorf("got %q, %+v", got.Markdown, got.Window)
	}
	r.budget.Query = "spelt"
	if got := r.Of(md.String(), "", nil); !strings.HasPrefix(got.Markdown, "## Barley") || got.Window.Next == 0 {
		t.Errorf("without a match: got %q, %+v", got.Markdown, got.Window)
	}
}
