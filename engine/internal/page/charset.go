package page

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/fetch"
)

// guess is the charset that plain HTTP takes a document for which declares none, or a wrong one, and the type that its answer has. The
// zero value is none.
type guess struct{ url, charset, sent string }

func guessOf(plain *Page) guess {
	if charset := fetch.Guessed(plain.Body, plain.ContentType); charset != "" && plain.IsHTML() && !plain.FromTree && !plain.Partial {
		return guess{plain.URL, charset, plain.ContentType}
	}
	return guess{}
}

// undo gives a page the type that its answer had before the charset was put there.
func (g guess) undo(p *Page) {
	if g.charset != "" && p.URL == g.url && strings.HasSuffix(p.ContentType, "; charset="+g.charset) {
		p.ContentType = g.sent
	}
}

// declare has the browser read the document as plain HTTP does, where it would have to guess: it takes UTF-8 for what the country of the
// host was used to.
func (v *Visit) declare(ctx context.Context) error {
	if v.guessed == (guess{}) {
		return nil
	}
	return v.Tab.Declare(ctx, v.guessed.url, v.guessed.charset)
}

// reread loads a document once more whose charset nothing declares, or a wrong declaration, and that the browser took for another one
// than plain HTTP does. Where plain HTTP can't be asked, the document stands, with a warning.
func (v *Visit) reread(ctx context.Context, src *Page) error {
	if !src.FromTree {
		return v.fetchLossy(ctx, src)
	}
	if v.guessed != (guess{}) || src.Partial || !src.IsHTML() || !fetch.Misread(src.Body, src.ContentType) {
		return nil
	}
	shown := v.shownIn(ctx)
	warned := len(v.Warnings)
	sent, err := v.fetchShown(ctx, src)
	v.Warnings = v.Warnings[:warned]
	if err != nil || sent.Partial {
		v.warn("The page declares no charset, or a wrong one; the browser took it for %s", shown)
		return nil
	}
	if v.guessed = guessOf(sent); shown == "" || v.guessed.charset == "" || strings.EqualFold(shown, v.guessed.charset) {
		return nil
	}
	nav, err := v.Navigate(ctx)
	if err != nil {
		return err
	}
	*src = *FromNavigation(nav)
	return TakeAll(ctx, src, v.ready, v.Content)
}

// shownIn is the charset that the browser has read the document in, "" where it doesn't say.
func (v *Visit) shownIn(ctx context.Context) (charset string) {
	answer, err := v.Tab.Inspect(ctx, "() => document.characterSet")
	if err != nil || json.Unmarshal(answer, &charset) != nil {
		return ""
	}
	return charset
}

// fetchLossy gets by HTTP a text that is no HTML and of which the browser could not read all.
func (v *Visit) fetchLossy(ctx context.Context, src *Page) error {
	if !fetch.IsText(src.MediaType) || !bytes.ContainsRune(src.Body, utf8.RuneError) {
		return nil
	}
	if !v.mayFetch() {
		v.warn("The browser could not read all characters of the text")
		return nil
	}
	return v.fetchBroken(ctx, src)
}
