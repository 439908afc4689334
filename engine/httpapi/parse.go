package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// maxOptions bounds the options of a file, in bytes.
const maxOptions = 1 << 20

// upload is a file, and what its form carries beside it.
type upload struct {
	file        io.Reader // nil: there was none
	name, media string
	options     []byte
	unused      string // a warning that names options which mean nothing for a file
	close       func() // of the file; nil: it needs none
}

// handleParse is POST /v2/parse: a form with a part file and, if wanted, a part options, both held in memory only; or JSON with the
// options and uploadRef, the reference of a file that was uploaded before.
func handleParse(c *call) error {
	select {
	case c.api.parsing <- struct{}{}:
		defer func() { <-c.api.parsing }()
	case <-c.r.Context().Done():
		return &engine.Error{Code: engine.CodeCancelled, Op: "parse", Err: c.r.Context().Err()}
	}
	up, o, err := fileAndOptions(c)
	if err != nil {
		return err
	}
	if up.close != nil {
		defer up.close()
	}
	price := engine.ScrapeOptions{Formats: o.Formats, ZeroDataRetention: o.ZeroDataRetention}.Price()
	if err := c.credits.Reserve(c.r.Context(), int64(price)); err != nil {
		return err
	}
	timeout := cmp.Or(o.Timeout, defaultParseTimeout)
	done, err := c.page(timeout, engine.CodeTimeout)
	if err != nil {
		return err
	}
	defer done()
	in := engine.ParseInput{Reader: up.file, Name: up.name, ContentType: up.media}
	doc, err := work(c, "parse", func(ctx context.Context) (*engine.Document, error) {
		ctx, cancel := c.within(ctx, timeout)
		defer cancel()
		return c.api.engine.Parse(ctx, in, o)
	})
	if err != nil {
		return err
	}
	doc.Warning = strings.TrimSpace(doc.Warning + " " + up.unused)
	return c.reply(c.documented(doc))
}

func fileAndOptions(c *call) (*upload, engine.ParseOptions, error) {
	if kind, _, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type")); kind == "application/json" {
		return referred(c)
	}
	up, err := readForm(c)
	if err != nil {
		return nil, engine.ParseOptions{}, err
	}
	var s engine.ScrapeOptions
	if up.options != nil {
		if err := decode.Valid(up.options); err != nil {
			return nil, engine.ParseOptions{}, decode.Invalid("options", "want a JSON object: it is "+err.Error())
		}
		if err := decode.Object(up.options, c.labels(decode.ParseFields(&s, c.limits.ZeroDataRetention))); err != nil {
			return nil, engine.ParseOptions{}, err
		}
	}
	o, err := parseOptionsOf(c, &s)
	up.unused = unusedByFiles(&s)
	return up, o, err
}

func readForm(c *call) (*upload, error) {
	setReadDeadline(c.w, c.api.options.BodyTimeout) // again: it may have been queued
	limit := c.api.options.MaxFile + 2*maxOptions
	if err := c.acceptable(limit); err != nil {
		return nil, err
	}
	c.r.Body = http.MaxBytesReader(c.w, c.r.Body, limit)
	form, err := c.r.MultipartReader()
	if err != nil {
		return nil, badForm("the body is not multipart/form-data")
	}
	up := &upload{}
	for {
		part, err := form.NextRawPart()
		switch {
		case err == io.EOF && up.file != nil:
			return up, nil
		case err == io.EOF:
			return nil, decode.Required("file", "a part of this name with the file")
		case err != nil:
			return nil, formError(err)
		}
		if err := takePart(c, up, part); err != nil {
			return nil, err
		}
	}
}

// takePart reads one part.
func takePart(c *call, up *upload, part *multipart.Part) (err error) {
	switch part.FormName() {
	case "file":
		if up.file != nil {
			return decode.Invalid("file", "want one")
		}
		var data []byte
		data, err = readAtMost(part, c.api.options.MaxFile)
		up.file, up.name, up.media = bytes.NewReader(data), part.FileName(), knownMedia(part.Header.Get("Content-Type"))
	case "options":
		if up.options != nil {
			return decode.Invalid("options", "want one")
		}
		up.options, err = readAtMost(part, maxOptions)
	default:
		return badForm("the parts of the form are file and options")
	}
	return err
}

// knownMedia leaves out what clients say when they don't know.
func knownMedia(media string) string {
	if media == "application/octet-stream" {
		return ""
	}
	return media
}

func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, formError(err)
	case int64(len(data)) > limit:
		return nil, tooLarge("file", limit)
	}
	return data, nil
}

func badForm(text string) error {
	return refusal(engine.CodeBadRequest, text)
}

func formError(err error) error {
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge("body", large.Limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errSlowBody
	}
	return badForm("the form is malformed")
}

// parseOptionsOf returns those that mean something for a file; the others are refused by their own code.
func parseOptionsOf(c *call, s *engine.ScrapeOptions) (engine.ParseOptions, error) {
	if err := needsPage(s); err != nil {
		return engine.ParseOptions{}, err
	}
	return engine.ParseOptions{
		Formats: s.Formats, OnlyMainContent: s.OnlyMainContent, OnlyCleanContent: s.OnlyCleanContent, CleanBelow: s.CleanBelow,
		LeftOut: s.LeftOut, Budget: s.Budget,
		IncludeTags: s.IncludeTags, ExcludeTags: s.ExcludeTags, Parsers: s.Parsers, RemoveBase64Images: s.RemoveBase64Images,
		Timeout:           s.Timeout,
		ZeroDataRetention: s.ZeroDataRetention, Owner: c.team, MaxBytes: c.api.options.MaxFile,
	}, nil
}

// unusedByFiles is a warning that names the options of how a page is fetched and kept, which clients give with every file: nothing is
// fetched, and a file is never stored in the cache. Those that hold anyway, such as a maxAge of 0, aren't named.
func unusedByFiles(s *engine.ScrapeOptions) string {
	var names []string
	for _, o := range []struct {
		name string
		set  bool
	}{
		{"headers", len(s.Headers) > 0}, {"maxAge", s.MaxAge != nil && *s.MaxAge > 0}, {"storeInCache", s.StoreInCache != nil && *s.StoreInCache},
		{"blockAds", s.BlockAds != nil}, {"skipTlsVerification", s.SkipTLSVerification != nil}, {"proxy", s.Proxy != ""},
	} {
		if o.set {
			names = append(names, o.name)
		}
	}
	if names == nil {
		return ""
	}
	return "Without effect on a file: " + strings.Join(names, ", ") + "."
}

// needsPage names the first option that only a page on the web can have; see [unusedByFiles] for those that pass.
func needsPage(s *engine.ScrapeOptions) error {
	for _, o := range []struct {
		name string
		set  bool
	}{
		{"actions", len(s.Actions) > 0}, {"waitFor", s.WaitFor > 0}, {"location", s.Location != nil}, {"mobile", s.Mobile},
		{"proxy", s.Proxy == engine.ProxyEnhanced || s.Proxy == engine.ProxyStealth}, {"profile", s.Profile != nil},
		{"lockdown", s.Lockdown}, {"minAge", s.MinAge != nil}, {"winnow.render", s.Render != ""}, {"winnow.minConfidence", s.MinConfidence > 0},
	} {
		if o.set {
			text := o.name + ": does not apply to files"
			return refusal(engine.CodeParseOptions, text, decode.Issue{Code: "unsupported", Path: []any{o.name}, Message: text})
		}
	}
	return nil
}
