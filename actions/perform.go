package actions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"time"
)

// perform does one valid action.
func (r *run) perform(ctx context.Context, a Action) error {
	switch a.Type {
	case Wait:
		return r.wait(ctx, a)
	case Click:
		return r.click(ctx, a)
	case Write:
		return r.page.Type(ctx, a.Text)
	case Press:
		return r.page.Press(ctx, a.Key)
	case Scroll:
		return r.page.Scroll(ctx, ScrollOptions{Up: a.Direction == "up", Selector: a.Selector, Timeout: r.options.ElementTimeout})
	case ExecuteJavaScript:
		return r.execute(ctx, a)
	case Screenshot, Scrape, PDF:
		if r.options.Replay {
			return nil
		}
		return r.take(ctx, a)
	}
	return unknownType(a.Type)
}

// click also keeps what is to be known of the click.
func (r *run) click(ctx context.Context, a Action) error {
	done, err := r.page.Click(ctx, a.Selector, ClickOptions{All: a.All, Timeout: r.options.ElementTimeout})
	r.note(done.Notes)
	return err
}

// note keeps what is to be known of the action that is performed.
func (r *run) note(texts []string) {
	for _, text := range texts {
		r.out.Notes = append(r.out.Notes, Note{Action: r.index, Text: text})
	}
}

func (r *run) wait(ctx context.Context, a Action) error {
	if a.Selector != "" {
		notes, err := r.page.WaitSelector(ctx, a.Selector, r.options.SelectorTimeout)
		r.note(notes)
		return err
	}
	return r.options.Sleep(ctx, time.Duration(a.Milliseconds)*time.Millisecond)
}

func (r *run) execute(ctx context.Context, a Action) error {
	value, err := r.page.Evaluate(ctx, a.Script)
	if err != nil {
		return err
	}
	if err := r.count(len(value.Type) + len(value.Value)); err != nil {
		return err
	}
	r.out.JavaScriptReturns = append(r.out.JavaScriptReturns, value)
	return nil
}

// take performs an action that only looks at the page.
func (r *run) take(ctx context.Context, a Action) error {
	switch a.Type {
	case Screenshot:
		return r.screenshot(ctx, a)
	case PDF:
		return r.pdf(ctx, a)
	}
	result, err := r.page.Scrape(ctx)
	if err != nil {
		return err
	}
	if err := r.count(len(result.URL) + len(result.HTML)); err != nil {
		return err
	}
	r.out.Scrapes = append(r.out.Scrapes, result)
	return nil
}

func (r *run) screenshot(ctx context.Context, a Action) error {
	o := ScreenshotOptions{FullPage: a.FullPage, Quality: a.Quality}
	if a.Viewport != nil {
		o.Viewport = *a.Viewport
	}
	data, mediaType, err := r.page.Screenshot(ctx, o)
	if err != nil {
		return err
	}
	s, err := r.keep(ctx, data, mediaType)
	if err != nil {
		return err
	}
	r.out.Screenshots = append(r.out.Screenshots, s)
	return nil
}

func (r *run) pdf(ctx context.Context, a Action) error {
	data, err := r.page.PDF(ctx, PDFOptions{Format: a.Format, Landscape: a.Landscape, Scale: a.Scale})
	if err != nil {
		return err
	}
	s, err := r.keep(ctx, data, "application/pdf")
	if err != nil {
		return err
	}
	r.out.PDFs = append(r.out.PDFs, s)
	return nil
}

// octetStream is the type of a file that has none.
const octetStream = "application/octet-stream"

func (r *run) download(ctx context.Context, f File) error {
	d := Download{Action: r.index, Name: oneLine(f.Name, 255), URL: oneLine(f.URL, maxURL), Type: octetStream, Size: len(f.Data)}
	if t, _, err := mime.ParseMediaType(f.Type); err == nil {
		d.Type = t
	}
	sum := sha256.Sum256(f.Data)
	d.SHA256 = hex.EncodeToString(sum[:])
	keep := r.keep
	if len(f.Data) == 0 {
		keep = dataURI
	}
	var err error
	if d.Asset, err = keep(ctx, f.Data, d.Type); err != nil {
		return err
	}
	r.out.Downloads = append(r.out.Downloads, d)
	return nil
}

// maxURL is how much of the address of a file is kept, in bytes: that of data: is the file itself.
const maxURL = 2000

// keep makes the output's string of bytes, within the limit.
func (r *run) keep(ctx context.Context, data []byte, mediaType string) (string, error) {
	if len(data) > r.options.MaxBytes {
		return "", tooLarge("the "+mediaType, len(data), r.options.MaxBytes)
	}
	s, err := r.options.Keep(ctx, data, mediaType)
	if err != nil {
		return "", err
	}
	return s, r.count(len(s))
}

// count refuses what would make the output larger than Options.MaxBytes.
func (r *run) count(n int) error {
	if n > r.options.MaxBytes-r.bytes {
		return tooLarge("the output", r.bytes+n, r.options.MaxBytes)
	}
	r.bytes += n
	return nil
}
