package enginetest

import (
	"net/http"
	"testing"
)

const barred = `<!doctype html><html lang=en><title>Rye</title><main><h1>Rye</h1><img id=sack src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<p id=pale style="color: #ccc; background: #fff">Hardly seen</p></main></html>`

func TestAccessible_namesRuleAndElement(t *testing.T) {
	needBrowser(t)
	check := func(a Accessibility) string {
		return (&recorder{TB: t}).run(func(t testing.TB) {
			a.Check(t, Open(t, New(t, map[string]http.Handler{"app.example": serve(barred)}), "https://app.example/"))
		})
	}
	wants(t, check(Accessibility{}), "https://app.example/ breaks 2 rules", "image-alt (critical): ", "#sack: <img", "color-contrast (serious): ", "#pale: <p", "Fix any of")
	wants(t, check(Accessibility{Skip: []string{"image-alt"}, Except: []string{"#pale"}}))
	wants(t, check(Accessibility{Within: "h1"}))
	wants(t, check(Accessibility{Tags: []string{"wcag2aa"}}), "breaks 1 rules", "color-contrast")
	wants(t, check(Accessibility{Skip: []string{"no-such-rule"}}), "no-such-rule")
}

func TestAccessible_underAPolicy(t *testing.T) {
	needBrowser(t)
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) {
		Accessible(t, Open(t, New(t, map[string]http.Handler{"app.example": strict(barred)}), "https://app.example/"))
	}), "image-alt")
}
