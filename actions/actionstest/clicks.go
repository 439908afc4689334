package actionstest

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

func browserClicks(t *testing.T, newPage NewPage) {
	for _, test := range []struct {
		name   string
		html   string
		action step
		script string
		want   string
	}{
		{"the first match alone", buttons, step{do: click(".one", patience)}, "log.join()", `"a"`},
		{"all that were there and still are, in order", buttons, step{do: clickAll(".one", patience)}, "log.join()", `"a,btrue,d"`},
		{"what is at rest after a movement", moving, step{do: click("#buy", patience)}, "clicked", "true"},
		{"what is far below", farBelow, step{do: click("#buy", patience)}, "clicked", "true"},
		{"what was covered for a while", soonFree, step{do: click("#buy", patience)}, "document.activeElement.id", `"buy"`},
		{"what is enabled later", `<button id="buy" disabled>x</button><script>setTimeout(() => buy.disabled = false, 300)</script>`, step{do: click("#buy", patience)}, "document.activeElement.id", `"buy"`},
		{"a box that becomes checked", inputs, step{do: click("#check", patience)}, "check.checked", "true"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, page := limit(t), newPage(t, document(test.html))
			must(t, test.action.do(ctx, page))
			wantValue(t, ctx, page, test.script, test.want)
		})
	}
	runSteps(t, newPage, []step{
		{"what never rests", document(restless), click("#buy", brief), actions.Moving},
		{"what can't be brought into view", document(`<button id="buy" style="position:fixed;top:-500px">x</button>`), click("#buy", brief), actions.OutOfView},
	})
	t.Run("a link within the page", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(`<a id="link" href="#second">x</a>`))
		must(t, clicked(page.Click(ctx, "#link", actions.ClickOptions{Timeout: patience})))
		if result, err := page.Scrape(ctx); err != nil || !strings.HasSuffix(result.URL, "#second") {
			t.Errorf("got address %q, %v, want one that ends with #second", result.URL, err)
		}
	})
}
