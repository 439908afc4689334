package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// maxShotHeight bounds a full-page screenshot, in CSS pixels: Chromium can't draw higher ones in one piece.
const maxShotHeight = 16_384

// ScreenshotOptions of one screenshot. The zero value is a png of the viewport.
type ScreenshotOptions = actions.ScreenshotOptions

// camera draws a tab, whose viewport it leaves as it was.
type camera struct {
	tab      *tab.Tab
	viewport Viewport
	watcher  string // names the function of ready.js
}

func (c camera) shoot(ctx context.Context, o ScreenshotOptions) ([]byte, string, error) {
	if o.Quality < 0 || o.Quality > 100 {
		return nil, "", &OptionError{"Quality", fmt.Sprint(o.Quality), "0 to 100"}
	}
	if o.Viewport == (Viewport{}) || o.Viewport == c.viewport {
		return c.draw(ctx, o)
	}
	if err := c.resize(ctx, o.Viewport); err != nil {
		return nil, "", err
	}
	data, media, err := c.draw(ctx, o)
	if back := c.resize(ctx, c.viewport); err == nil {
		err = back
	}
	return data, media, err
}

func (c camera) draw(ctx context.Context, o ScreenshotOptions) ([]byte, string, error) {
	options, media := playwright.PageScreenshotOptions{Type: playwright.ScreenshotTypePng, Timeout: new(0.0)}, "image/png"
	if o.Quality > 0 {
		options.Type, options.Quality, media = playwright.ScreenshotTypeJpeg, &o.Quality, "image/jpeg"
	}
	if o.FullPage {
		if err := c.fullPage(ctx, &options); err != nil {
			return nil, "", err
		}
	}
	data, err := tab.Do(ctx, c.tab, "draw the page", func() ([]byte, error) { return c.tab.Page.Screenshot(options) })
	return data, media, err
}

func (c camera) resize(ctx context.Context, v Viewport) error {
	if err := checkViewport(v); err != nil {
		return err
	}
	return tab.Run(ctx, c.tab, "change the viewport", func() error { return c.tab.Page.SetViewportSize(v.Width, v.Height) })
}

// unveilTime bounds how long a page may take to load what it shows only to readers who scroll.
const unveilTime = 5 * time.Second

// unveilJS scrolls through a page that has pictures or frames to come, or parts that it shows once they are in view, as a reader does, and
// back; then it waits for those that came, at most 3 s. A page without such is left alone: one that adds to itself at each scroll would
// have no end.
const unveilJS = `async ([most, watcher]) => {
	const root = document.documentElement, pause = (ms) => new Promise((done) => setTimeout(done, ms));
	const high = Math.min(root.scrollHeight, most), [x, y] = [scrollX, scrollY];
	const frame = () => new Promise(requestAnimationFrame), drawn = () => frame().then(frame).then(frame); // observers come after a frame
	const trees = (at) => [at, ...[...at.querySelectorAll("*")].flatMap((e) => e.shadowRoot ? trees(e.shadowRoot) : [])];
	const all = (selector) => trees(document).flatMap((tree) => [...tree.querySelectorAll(selector)]);
	const LAZY = "[data-src], [data-srcset], [data-lazy-src], [data-original]";
	const toCome = (i) => !i.complete || !i.currentSrc || i.matches(LAZY);
	const unloaded = (f) => f.contentDocument?.URL === "about:blank" && (f.srcdoc || f.src && f.src !== "about:blank");
	const frames = all("iframe[loading=lazy]").filter(unloaded);
	if (high <= innerHeight || !(frames.length || all("img").some(toCome) || window[watcher]?.unseen())) return;
	const ended = (e) => new Promise((done) => { e.addEventListener("load", done); e.addEventListener("error", done); });
	const coming = frames.map(ended);
	for (const e of [...all("img[loading=lazy]"), ...frames]) e.loading = "eager";
	for (let at = 0; at < high; at += innerHeight) {
		scrollTo({ left: x, top: at, behavior: "instant" });
		await Promise.race([drawn(), pause(500)]);
	}
	scrollTo({ left: x, top: y, behavior: "instant" });
	coming.push(...all("img").filter((i) => !i.complete && i.getBoundingClientRect().top + scrollY < most).map(ended));
	const passes = (a) => a.effect?.getComputedTiming().endTime < 2000; // what moves for longer never rests
	coming.push(...document.getAnimations().filter(passes).map((a) => a.finished.catch(() => {})));
	await Promise.race([Promise.all(coming), pause(3000)]);
}`

// unveil has a page load what is lazy. One that is too busy for that is drawn as it is.
func (c camera) unveil(ctx context.Context) {
	_, _, _ = tab.Try(ctx, c.tab, unveilTime, func() (any, error) { return c.tab.Page.Evaluate(unveilJS, []any{maxShotHeight, c.watcher}) })
}

// fullPage selects the whole page, or the upper part of one that is too high.
func (c camera) fullPage(ctx context.Context, o *playwright.PageScreenshotOptions) error {
	c.unveil(ctx)
	size, err := tab.Do(ctx, c.tab, "measure the page", func() (any, error) {
		return c.tab.Page.Evaluate(`() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]`)
	})
	if err != nil {
		return err
	}
	o.FullPage = new(true)
	pair, _ := size.([]any)
	if len(pair) == 2 && tab.Number(pair[1]) > maxShotHeight {
		o.Clip = &playwright.Rect{Width: min(tab.Number(pair[0]), maxViewport), Height: maxShotHeight}
	}
	return nil
}

// printPDF prints a tab with its backgrounds.
func printPDF(ctx context.Context, t *tab.Tab, o actions.PDFOptions) ([]byte, error) {
	options := playwright.PagePdfOptions{Format: &o.Format, Landscape: &o.Landscape, Scale: &o.Scale, PrintBackground: new(true)}
	if o.Format == "" {
		options.Format = new("Letter")
	}
	if o.Scale == 0 {
		options.Scale = new(1.0)
	}
	return tab.Do(ctx, t, "print the page", func() ([]byte, error) { return t.Page.PDF(options) })
}
