package actionstest

import (
	"testing"

	"github.com/winnow-go/winnow/actions"
)

func browserWaits(t *testing.T, newPage NewPage) {
	runSteps(t, newPage, []step{
		{"shown by style later", document(`<p id="a" style="visibility:hidden">x</p><script>setTimeout(() => a.style.visibility = "", 300)</script>`), wait("#a", patience), ""},
		{"without an area", document(`<div id="a" style="height:0;overflow:hidden">x</div>`), wait("#a", brief), actions.TimedOut},
		{"below the window", document(farBelow), wait("#buy", patience), ""},
	})
	t.Run("goes on in the next document", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(`<p>first</p>`))
		_, err := page.Evaluate(ctx, `
			const next = URL.createObjectURL(new Blob(["<p id=second>second</p>"], {type: "text/html"}));
			setTimeout(() => location.href = next, 100);`)
		must(t, err)
		must(t, waited(page.WaitSelector(ctx, "#second", patience)))
		wantValue(t, ctx, page, `document.body.innerText.trim()`, `"second"`)
	})
}
