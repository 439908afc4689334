package actionstest

import (
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

// frame is a frame of an origin of its own, whose buttons report their clicks to the window above all.
func frame(id, body string) string {
	report := `<script>addEventListener("click", (e) => top.postMessage(e.target.className + (e.isTrusted ? "" : " untrusted"), "*"))</script>`
	return `<iframe id="` + id + `" sandbox="allow-scripts" srcdoc='` + strings.ReplaceAll(body+report, "'", "&#39;") + `'></iframe>`
}

// heard keeps what frames report, and counts gives it once there is so much.
const heard = `<script>const log = []; addEventListener("message", (e) => log.push(e.data))</script>`

func counts(n string) string {
	return `(async () => { while (log.length < ` + n + `) await new Promise((f) => setTimeout(f, 10)); return log.join() })()`
}

func browserFrames(t *testing.T, newPage NewPage) {
	one := document(heard + frame("first", `<button class="buy">x</button>`) + frame("second", `<button class="other">x</button>`))
	two := document(heard + frame("first", `<button class="buy">x</button>`) + frame("second", `<button class="buy">x</button><button class="buy two">x</button>`))
	// The frame around is of the page's own origin: of one with a process of its own the browser library misses, now and then, what is in it.
	around := `<script>first.srcdoc = inside.innerHTML</script>`
	deep := document(heard + `<template id="inside"><p>x</p>` + frame("inner", `<button class="buy">x</button>`) + `</template><iframe id="first"></iframe>` + around)
	for _, test := range []struct{ name, html, selector, want string }{
		{"the only match of all frames", one, ".buy", `"buy"`},
		{"a frame in a frame", deep, ".buy", `"buy"`},
		{"a path", two, "#second >>> .two", `"buy two"`},
		{"a path through two frames", deep, "#first >>> #inner>>>button", `"buy"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, page := limit(t), newPage(t, test.html)
			must(t, waited(page.WaitSelector(ctx, test.selector, patience)))
			done, err := page.Click(ctx, test.selector, actions.ClickOptions{Timeout: patience})
			if err != nil || done.Count != 1 || len(done.Notes) != 1 || !strings.HasPrefix(done.Notes[0], "The element is in ") {
				t.Errorf("got %+v, %v, want a click in a frame", done, err)
			}
			wantValue(t, ctx, page, counts("1"), test.want)
		})
	}
	t.Run("all in all frames", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, two)
		must(t, waited(page.WaitSelector(ctx, "#second >>> .two", patience)))
		done, err := page.Click(ctx, ".buy", actions.ClickOptions{All: true, Timeout: patience})
		if err != nil || done.Count != 3 || len(done.Notes) != 1 || done.Notes[0] != "3 elements were clicked, in 2 frames." {
			t.Errorf("got %+v, %v, want three clicks", done, err)
		}
		wantValue(t, ctx, page, counts("3"), `"buy,buy,buy two"`)
	})
	t.Run("scrolling", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(frame("first", `<div class="box" style="height:50px;overflow:auto"><p style="height:500px">x</p></div>`)))
		must(t, page.Scroll(ctx, actions.ScrollOptions{Selector: ".box", Timeout: patience}))
	})
	framesThatFail(t, newPage, one, two)
}

func framesThatFail(t *testing.T, newPage NewPage, one, two string) {
	runSteps(t, newPage, []step{
		{"several frames match", two, click(".buy", brief), actions.Ambiguous},
		{"no frame of that name", one, click("#third >>> .buy", brief), actions.NoMatch},
		{"a path through what is no frame", document(`<p id="a"></p>`), click("#a >>> .buy", brief), actions.NoMatch},
		{"a part of a path that is no selector", one, click("#first >>> ", patience), actions.BadSelector},
		{"a part of a path that is none before", one, click("p[ >>> .buy", patience), actions.BadSelector},
		{"a match in the main document that comes late", document(lateButton + frame("first", `<button id="late">x</button>`)), click("#late", patience), ""},
	})
	t.Run("several frames are named", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, two)
		must(t, waited(page.WaitSelector(ctx, "#second >>> .two", patience)))
		_, err := page.Click(ctx, ".buy", actions.ClickOptions{Timeout: brief})
		if f, ok := errors.AsType[*actions.Failure](err); !ok || !strings.HasPrefix(f.Detail, "3 elements in frames: ") {
			t.Errorf("got %v, want how many match in which frames", err)
		}
	})
}
