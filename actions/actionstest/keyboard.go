package actionstest

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

func browserKeyboard(t *testing.T, newPage NewPage) {
	for _, test := range []struct{ name, selector, text, script, want string }{
		{"an input", "#name", "aB1+ ~é😀", "document.querySelector('#name').value", `"aB1+ ~é😀"`},
		{"a textarea with a line break", "#long", "one\ntwo", "long.value", `"one\ntwo"`},
		{"editable content", "#rich", "y", "rich.innerText.trim().length", "2"},
		{"the events of each character", "#name", "ab", "log.join()", `"keydown,input,keydown,input"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, page := limit(t), newPage(t, document(inputs))
			must(t, clicked(page.Click(ctx, test.selector, actions.ClickOptions{Timeout: patience})))
			must(t, page.Type(ctx, test.text))
			wantValue(t, ctx, page, test.script, test.want)
		})
	}
	t.Run("long text", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(inputs))
		line := strings.Repeat("0123456789", 200)
		for _, selector := range []string{"#name", "#long"} {
			must(t, clicked(page.Click(ctx, selector, actions.ClickOptions{Timeout: patience})))
			must(t, page.Type(ctx, line))
			wantValue(t, ctx, page, "document.activeElement.value", `"`+line+`"`)
		}
		wantValue(t, ctx, page, "log.splice(0).join()", `"input,keydown,input,input,keydown,input"`)
		must(t, page.Type(ctx, "\nlast "+line+"\nend"))
		wantValue(t, ctx, page, "long.value.length + long.value.slice(-4)", `"4010\nend"`)
	})
	t.Run("an input in a shadow tree", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(inputs))
		_, err := page.Evaluate(ctx, `host.shadowRoot.querySelector("input").focus()`)
		must(t, err)
		must(t, page.Type(ctx, "x"))
		wantValue(t, ctx, page, `host.shadowRoot.querySelector("input").value`, `"x"`)
	})
	browserKeys(t, newPage)
}

func browserKeys(t *testing.T, newPage NewPage) {
	t.Run("shortcuts reach the document and no key stays down", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(shortcuts))
		for _, key := range []string{"Control+K", "Alt+Shift+F2", "k", "?", "Control++", "ArrowDown"} {
			must(t, page.Press(ctx, key))
		}
		wantValue(t, ctx, page, `log.join(" ")`, `"ctrl+k shift+alt+f2 k ? ctrl++ arrowdown"`)
	})
	t.Run("Enter sends a form and Tab moves the focus", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(shortcuts))
		must(t, clicked(page.Click(ctx, "#name", actions.ClickOptions{Timeout: patience})))
		must(t, page.Press(ctx, "Enter"))
		must(t, page.Press(ctx, "Tab"))
		wantValue(t, ctx, page, `log.includes("submit") + " " + document.activeElement.id`, `"true next"`)
	})
	t.Run("select all and replace", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(inputs))
		must(t, clicked(page.Click(ctx, "#name", actions.ClickOptions{Timeout: patience})))
		must(t, page.Type(ctx, "old"))
		must(t, page.Press(ctx, "Control+a"))
		must(t, page.Type(ctx, "new"))
		wantValue(t, ctx, page, "document.querySelector('#name').value", `"new"`)
	})
}
