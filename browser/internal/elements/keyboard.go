package elements

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Keyboard is that of a page. Its methods are those of [actions.Page].
type Keyboard struct{ Tab *tab.Tab }

// focusedJS says what has the focus: "lines" takes text with line breaks, "text" takes text, "" takes none.
const focusedJS = `() => {
	let e = document.activeElement;
	while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
	if (!e) return "";
	if (e.isContentEditable || e.localName === "iframe") return "text";
	if (e.readOnly || e.disabled) return "";
	if (e.localName === "textarea") return "lines";
	const other = ["checkbox", "radio", "button", "submit", "reset", "file", "image", "color", "range", "hidden"];
	return e.localName === "input" && !other.includes(e.type) ? "text" : "";
}`

// Type types text into the element that has the focus.
func (k Keyboard) Type(ctx context.Context, text string) error {
	takes, err := tab.Do(ctx, k.Tab, "look for the focus", func() (any, error) { return k.Tab.Page.Evaluate(focusedJS) })
	if err != nil && !tab.Replaced(err) {
		return err
	}
	if takes != "text" && takes != "lines" {
		return &actions.Failure{Reason: actions.NotFocused, Err: err}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n") // else there would be two Enters
	if len(text) <= longText {
		return tab.Run(ctx, k.Tab, "type", func() error { return k.Tab.Page.Keyboard().Type(text) })
	}
	return k.insert(ctx, text, takes == "lines")
}

// longText is the length, in bytes, from which on text isn't typed key by key: each key is three calls.
const longText = 200

// insert puts in long text at once, as from the clipboard, or line by line with the Enter key between. The last character of each is
// typed, for pages that listen to keys.
func (k Keyboard) insert(ctx context.Context, text string, atOnce bool) error {
	lines := []string{text}
	if !atOnce {
		lines = strings.Split(text, "\n")
	}
	for i, line := range lines {
		if i > 0 {
			if err := k.Press(ctx, "Enter"); err != nil {
				return err
			}
		}
		if err := k.insertLine(ctx, line); err != nil {
			return err
		}
	}
	return nil
}

func (k Keyboard) insertLine(ctx context.Context, line string) error {
	_, last := utf8.DecodeLastRuneInString(line)
	end := len(line) - last
	return tab.Run(ctx, k.Tab, "type", func() error {
		keyboard := k.Tab.Page.Keyboard()
		return errors.Join(keyboard.InsertText(line[:end]), keyboard.Type(line[end:]))
	})
}

// Press presses and releases a key.
func (k Keyboard) Press(ctx context.Context, key string) error {
	err := tab.Run(ctx, k.Tab, "press "+key, func() error { return k.Tab.Page.Keyboard().Press(key) })
	if err != nil && strings.Contains(err.Error(), "Unknown key") {
		return &actions.Failure{Reason: actions.BadKey, Detail: key, Err: err}
	}
	return err
}
