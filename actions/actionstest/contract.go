package actionstest

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/jpeg" // screenshots may be either
	_ "image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

func contractWaits(t *testing.T, newPage NewPage) {
	runSteps(t, newPage, []step{
		{"what is there", document(`<p id="a">x</p>`), wait("#a", patience), ""},
		{"what appears late", document(lateButton), wait("#late", patience), ""},
		{"a later match is visible", document(`<p class="a" hidden>x</p><p class="a">x</p>`), wait(".a", patience), ""},
		{"nothing matches", document(`<p id="a">x</p>`), wait("#b", brief), actions.TimedOut},
		{"the only match is hidden", document(`<p id="a" hidden>x</p>`), wait("#a", brief), actions.TimedOut},
		{"not a selector", document(`<p id="a">x</p>`), wait("p[", patience), actions.BadSelector},
	})
}

func contractClicks(t *testing.T, newPage NewPage) {
	runSteps(t, newPage, []step{
		{"a button", document(`<button id="buy">Buy</button>`), click("#buy", patience), ""},
		{"a button that appears late", document(lateButton), click("#late", patience), ""},
		{"nothing matches", document(``), click("#buy", brief), actions.NoMatch},
		{"all of nothing", document(``), clickAll("#buy", brief), ""},
		{"hidden", document(`<button id="buy" hidden>Buy</button>`), click("#buy", brief), actions.NotVisible},
		{"all of what is hidden", document(`<button id="buy" hidden>Buy</button>`), clickAll("#buy", brief), ""},
		{"disabled", document(`<button id="buy" disabled>Buy</button>`), click("#buy", brief), actions.Disabled},
		{"covered", document(coveredButton), click("#buy", brief), actions.Covered},
		{"all and one is covered", document(coveredButton), clickAll("button", brief), actions.Covered},
		{"not a selector", document(``), click("p[", patience), actions.BadSelector},
		{"all of what is no selector", document(``), clickAll("p[", patience), actions.BadSelector},
	})
	t.Run("covered names what covers", func(t *testing.T) {
		_, err := newPage(t, document(coveredButton)).Click(limit(t), "#buy", actions.ClickOptions{Timeout: brief})
		if f, ok := errors.AsType[*actions.Failure](err); !ok || !strings.HasPrefix(f.Detail, "<div") || !strings.Contains(f.Detail, `id="banner"`) {
			t.Errorf(`got %v, want a detail like <div id="banner">`, err)
		}
	})
	t.Run("detached", func(t *testing.T) {
		_, err := newPage(t, document(fleeingButton)).Click(limit(t), "#buy", actions.ClickOptions{Timeout: brief})
		// Once it is gone, looking again finds nothing: both are true.
		if got := actions.ReasonOf(err); !slices.Contains([]actions.Reason{actions.Detached, actions.NoMatch}, got) {
			t.Errorf("got %v with reason %q, want detached or nothing matched", err, got)
		}
	})
}

func contractKeyboard(t *testing.T, newPage NewPage) {
	runSteps(t, newPage, []step{
		{"typing without focus", document(inputs), write("x"), actions.NotFocused},
		{"typing at a button", document(inputs), both(click("#button", patience), write("x")), actions.NotFocused},
		{"typing at a checkbox", document(inputs), both(click("#check", patience), write("x")), actions.NotFocused},
		{"typing where nothing can be changed", document(inputs), both(click("#fixed", patience), write("x")), actions.NotFocused},
		{"typing into an input", document(inputs), both(click("#name", patience), write("x")), ""},
		{"typing into a textarea", document(inputs), both(click("#long", patience), write("x\ny")), ""},
		{"typing into editable content", document(inputs), both(click("#rich", patience), write("x")), ""},
		{"a key without focus", document(shortcuts), press("Control+Shift+K"), ""},
		{"the plus key", document(shortcuts), press("Control++"), ""},
		{"no key", document(shortcuts), press("Nonsense"), actions.BadKey},
	})
}

func contractScrolls(t *testing.T, newPage NewPage) {
	runSteps(t, newPage, []step{
		{"down", document(tall), scroll(actions.ScrollOptions{}), ""},
		{"up at the top", document(tall), scroll(actions.ScrollOptions{Up: true}), ""},
		{"an element", document(tall), scroll(actions.ScrollOptions{Selector: "#box", Timeout: patience}), ""},
		{"nothing matches", document(tall), scroll(actions.ScrollOptions{Selector: "#none", Timeout: brief}), actions.NoMatch},
		{"not a selector", document(tall), scroll(actions.ScrollOptions{Selector: "p[", Timeout: patience}), actions.BadSelector},
	})
}

func contractCaptures(t *testing.T, newPage NewPage) {
	page := newPage(t, document(`<p id="mark">marked</p>`))
	ctx := limit(t)
	t.Run("the document", func(t *testing.T) {
		result, err := page.Scrape(ctx)
		if err != nil || result.URL == "" || !strings.Contains(result.HTML, `<p id="mark">marked</p>`) {
			t.Errorf("got %+v, %v, want an address and the document", result, err)
		}
	})
	for _, test := range []struct {
		name      string
		options   actions.ScreenshotOptions
		mediaType string
		size      image.Point
	}{
		{"a png of the viewport", actions.ScreenshotOptions{}, "image/png", image.Pt(1280, 800)},
		{"a jpeg", actions.ScreenshotOptions{Quality: 50}, "image/jpeg", image.Pt(1280, 800)},
		{"another viewport", actions.ScreenshotOptions{Viewport: actions.Viewport{Width: 400, Height: 300}}, "image/png", image.Pt(400, 300)},
		{"the former viewport is back", actions.ScreenshotOptions{}, "image/png", image.Pt(1280, 800)},
		{"the whole of a short page", actions.ScreenshotOptions{FullPage: true}, "image/png", image.Pt(1280, 800)},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, mediaType, err := page.Screenshot(ctx, test.options)
			must(t, err)
			wantPicture(t, data, mediaType, test.mediaType, test.size)
		})
	}
	t.Run("a pdf", func(t *testing.T) {
		data, err := page.PDF(ctx, actions.PDFOptions{Format: "A4", Landscape: true, Scale: 0.5})
		if err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) {
			t.Errorf("got %d bytes, %v, want a PDF file", len(data), err)
		}
	})
}

func wantPicture(t *testing.T, data []byte, mediaType, wantType string, size image.Point) {
	t.Helper()
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || mediaType != wantType || "image/"+format != wantType {
		t.Fatalf("got a %s that is %q, %v, want %s", mediaType, format, err, wantType)
	}
	if got := image.Pt(config.Width, config.Height); got != size {
		t.Errorf("got a picture of %v, want %v", got, size)
	}
}

// contractContext: a context that is done ends every method at once, one that ends later every wait.
func contractContext(t *testing.T, newPage NewPage) {
	t.Run("already done", func(t *testing.T) {
		page := newPage(t, document(inputs))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for name, do := range everyMethod() {
			if err := do(ctx, page); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: got %v, want context.Canceled", name, err)
			}
		}
	})
	for name, do := range map[string]func(context.Context, actions.Page) error{
		"during a wait":   wait("#never", 10*patience),
		"during a click":  click("#buy", 10*patience),
		"during a scroll": scroll(actions.ScrollOptions{Selector: "#never", Timeout: 10 * patience}),
	} {
		t.Run(name, func(t *testing.T) {
			page := newPage(t, document(coveredButton))
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			if err := do(ctx, page); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want context.DeadlineExceeded", err)
			}
		})
	}
}

func everyMethod() map[string]func(context.Context, actions.Page) error {
	return map[string]func(context.Context, actions.Page) error{
		"WaitSelector": wait("#name", patience),
		"Click":        click("#name", patience),
		"Type":         write("x"),
		"Press":        press("Enter"),
		"Scroll":       scroll(actions.ScrollOptions{}),
		"Screenshot": func(ctx context.Context, p actions.Page) error {
			_, _, err := p.Screenshot(ctx, actions.ScreenshotOptions{})
			return err
		},
		"Effects":  func(ctx context.Context, p actions.Page) error { _, err := p.Effects(ctx); return err },
		"Scrape":   func(ctx context.Context, p actions.Page) error { _, err := p.Scrape(ctx); return err },
		"Evaluate": func(ctx context.Context, p actions.Page) error { _, err := p.Evaluate(ctx, "1"); return err },
		"PDF": func(ctx context.Context, p actions.Page) error {
			_, err := p.PDF(ctx, actions.PDFOptions{})
			return err
		},
	}
}
