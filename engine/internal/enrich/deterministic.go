package enrich

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/recipe"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/induce"
)

// layoutReader makes the deterministicJson of one page.
type layoutReader struct {
	*Asker
	format *formats.Format
	schema *llm.Schema // nil: none
	known  *Layouts
	key    string // "": nothing is kept
	keeps  bool   // what is learned
}

// layoutReading is a page read by a layout.
type layoutReading struct {
	layout layout
	data   json.RawMessage
	report recipe.Report
	wrong  string // why the data can't be used
	drift  string // why the layout seems to have changed
}

func (r *layoutReading) usable() bool { return r != nil && r.wrong == "" }
func (r *layoutReading) fits() bool   { return r.usable() && r.drift == "" }

// askLayout reads the page by the selectors that are known for its layout. Where none are known,
// or none fit any more, a model chooses them, once for all pages of the layout.
func (s *Asker) askLayout(ctx context.Context, f *formats.Format) (warnings []string, err error) {
	r := &layoutReader{Asker: s, format: f, known: s.Layouts, key: layoutKey(s.Owner, s.URL, f.Schema, f.Prompt)}
	r.keeps = r.key != "" && !s.Private
	if len(f.Schema) > 0 {
		if r.schema, err = llm.CompileSchema(f.Schema); err != nil {
			return nil, err
		}
	}
	best, since, err := r.readKnown(ctx)
	if err != nil {
		return nil, err
	}
	if best.fits() {
		s.Answers.Json = best.data
		r.note(ctx, best)
		return nil, nil
	}
	if why := s.unlearnable(); why != "" {
		return r.settle(best, "no selectors are learned from it: "+why), nil
	}
	fresh, err := r.learn(ctx, since)
	switch {
	case fresh.usable():
		s.Answers.Json = fresh.data
		return nil, nil
	case err != nil && (ctx.Err() != nil || !best.usable()):
		return nil, err
	case err != nil:
		return r.settle(best, s.Excuse(ctx, err)), nil
	}
	return r.settle(best, fresh.wrong), nil
}

// settle gives the data that is there, or null, with a warning.
func (r *layoutReader) settle(best *layoutReading, why string) []string {
	if best.usable() {
		r.Answers.Json = best.data
		return []string{fmt.Sprintf("The layout of the page seems to have changed (%s), and %s.", best.drift, why)}
	}
	r.Answers.Json = json.RawMessage("null")
	return []string{fmt.Sprintf("There is no data by selectors: %s.", why)}
}

// unlearnable says why a page shows nothing of its layout; "" when it does.
func (s *Asker) unlearnable() string {
	switch src := s.Page; {
	case src.Late || src.Partial:
		return "the page is not whole"
	case src.BlockedBy() != "":
		return "the page is a wall (" + src.BlockedBy() + ")"
	case src.Status >= http.StatusBadRequest:
		return fmt.Sprintf("the site answered with status %d", src.Status)
	}
	return ""
}

// readKnown reads the page by the first known layout that fits it, else by the newest that gives
// anything; nil without any. since is when the newest was learned.
func (r *layoutReader) readKnown(ctx context.Context) (best *layoutReading, since time.Time, err error) {
	if r.key == "" {
		return nil, since, nil
	}
	record, err := r.known.load(ctx, r.key)
	if err != nil {
		return nil, since, err
	}
	for _, l := range record.Layouts {
		if since.IsZero() {
			since = l.Learned
		}
		got, err := r.read(ctx, l)
		if err != nil {
			return nil, since, err
		}
		if got.fits() {
			return got, since, nil
		}
		if best == nil || !best.usable() && got.usable() {
			best = got
		}
	}
	return best, since, nil
}

// read applies a layout to the page. The error is the context's.
func (r *layoutReader) read(ctx context.Context, l layout) (*layoutReading, error) {
	got := &layoutReading{layout: l}
	err := r.withDOM(ctx, func(dom *formats.DOM) (err error) {
		got.data, got.report, err = dom.Apply(ctx, l.Recipe, r.format.Schema)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		got.wrong = err.Error()
	case got.report.Drained:
		got.wrong = "the page is too large for these selectors"
	case got.report.Found == 0:
		got.wrong = "the selectors find nothing"
	case !got.report.Whole():
		got.wrong = "fields are missing or of a wrong type"
	case r.schema != nil:
		if bad, ok := errors.AsType[*llm.SchemaError](r.schema.Validate(got.data)); ok {
			got.wrong = fmt.Sprintf("the data does not follow the schema at %q", bad.Path) // the reason may hold words of the page
		}
	}
	got.drift = got.changed()
	return got, nil
}

// withDOM hands over the page's tree, which one question uses at a time.
func (r *layoutReader) withDOM(ctx context.Context, use func(*formats.DOM) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.Reload(ctx); err != nil {
		return err
	}
	if formats.IsMedia(r.Page.MediaType) && !r.Page.IsFile() {
		return errNotHTML
	}
	dom, err := r.Page.Parse(ctx)
	if err != nil {
		return err
	}
	return use(dom)
}

var errNotHTML = errors.New("the page is no HTML")

// misses counts on how many pages in a row each path was missing that was there before.
func (r *layoutReading) misses() map[string]int {
	found := r.report.FoundPaths()
	m := map[string]int{}
	for _, path := range r.layout.Found {
		if !slices.Contains(found, path) {
			m[path] = r.layout.Misses[path] + 1
		}
	}
	return m
}

// changed says, from what is missing, why the layout isn't what it was; "" when it is.
func (r *layoutReading) changed() string {
	missing := r.misses()
	if len(missing)*2 > len(r.layout.Found) {
		return fmt.Sprintf("%d of %d fields are missing", len(missing), len(r.layout.Found))
	}
	for _, path := range slices.Sorted(maps.Keys(missing)) {
		if n := missing[path]; n >= maxMisses {
			return fmt.Sprintf("%s is missing on %d pages in a row", path, n)
		}
	}
	return ""
}

// note keeps what was missing on a page that fits.
func (r *layoutReader) note(ctx context.Context, got *layoutReading) {
	misses := got.misses()
	if !r.keeps || maps.Equal(misses, got.layout.Misses) {
		return
	}
	if err := r.known.missed(ctx, r.key, got.layout, misses); err != nil {
		r.Log.Warn("what was missing by learned selectors can't be kept", "error", err)
	}
}

// learn has the model choose selectors. Of pages of one layout at the same time one asks; the
// others read with what it has learned, and ask themselves when that doesn't fit them. since is
// when what they know was learned.
func (r *layoutReader) learn(ctx context.Context, since time.Time) (*layoutReading, error) {
	if r.Meter == nil {
		return nil, r.NoModel
	}
	if !r.keeps {
		l, err := r.induce(ctx)
		if err != nil {
			return nil, err
		}
		return r.read(ctx, l)
	}
	const rounds = 3
	var got *layoutReading
	var failed error
	for range rounds {
		l, shared, err := r.known.learning.Do(ctx, r.key, func(ctx context.Context) (layout, error) { return r.learnOnce(ctx, since) })
		if err != nil {
			if failed = err; shared && ctx.Err() == nil {
				continue // it may have been the other's own limits
			}
			return nil, err
		}
		if got, err = r.read(ctx, l); err != nil || got.usable() {
			return got, err
		}
		since, failed = l.Learned, nil
	}
	return got, failed
}

// learnOnce gives what another page has taught meanwhile, else asks and keeps the answer.
func (r *layoutReader) learnOnce(ctx context.Context, since time.Time) (layout, error) {
	record, err := r.known.load(ctx, r.key)
	if err != nil {
		return layout{}, err
	}
	if len(record.Layouts) > 0 && record.Layouts[0].Learned.After(since) {
		return record.Layouts[0], nil
	}
	ok, err := r.known.ask(ctx, r.key)
	if err != nil {
		return layout{}, err
	}
	if !ok {
		return layout{}, &LearnError{ErrAskedOften}
	}
	l, err := r.induce(ctx)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, llm.ErrUnavailable) || errors.Is(err, llm.ErrBudget) {
			err = errors.Join(err, r.known.unask(ctx, r.key))
		}
		return layout{}, err
	}
	if !l.Learned.After(since) { // a clock may stand still
		l.Learned = since.Add(time.Millisecond)
	}
	if err := r.known.add(ctx, r.key, l); err != nil {
		r.Log.Warn("learned selectors can't be kept", "error", err)
	}
	return l, nil
}

var ErrAskedOften = fmt.Errorf("selectors for pages like this were learned %d times within %s already", maxAsked, askedWithin)

// LearnError says that no selectors were learned.
type LearnError struct{ Err error }

func (e *LearnError) Error() string { return e.Err.Error() }
func (e *LearnError) Unwrap() error { return e.Err }

// induce asks the model, and tries what it says on the page.
func (r *layoutReader) induce(ctx context.Context) (layout, error) {
	sample := ""
	err := r.withDOM(ctx, func(dom *formats.DOM) (err error) {
		sample, err = dom.Sample(ctx, r.sampleBytes())
		return err
	})
	if err != nil {
		return layout{}, err
	}
	if sample == "" {
		return layout{}, errNotHTML
	}
	var l layout
	var failed error
	ask := induce.Request{Sample: sample, Schema: r.format.Schema, Prompt: r.format.Prompt, Check: func(rules json.RawMessage) []string {
		_, problems, err := r.try(ctx, rules)
		failed = errors.Join(failed, err)
		return problems
	}}
	rules, _, err := induce.Induce(ctx, r.Meter, ask)
	if err = errors.Join(failed, err); err != nil {
		return l, err
	}
	got, problems, err := r.try(ctx, rules)
	if err != nil {
		return l, err
	}
	if !got.usable() {
		return l, &LearnError{fmt.Errorf("the model found no selectors that work: %s", strings.Join(problems[:min(len(problems), 3)], "; "))}
	}
	l = got.layout
	l.Learned, l.Found = r.Now().UTC().Truncate(time.Millisecond), got.report.FoundPaths()
	return l, nil
}

// try reads the page by rules of the model's. The error is the context's.
func (r *layoutReader) try(ctx context.Context, rules json.RawMessage) (*layoutReading, []string, error) {
	rec, err := recipe.Decode(rules)
	if err != nil {
		return nil, []string{err.Error()}, nil
	}
	problems := recipe.Check(rec, r.format.Schema)
	got, err := r.read(ctx, layout{Recipe: rec})
	if err != nil {
		return nil, nil, err
	}
	problems = append(problems, got.report.Problems()...)
	if got.wrong != "" {
		problems = append(problems, got.wrong)
	}
	return got, problems, nil
}

// sampleBytes is as much of a page as the model takes beside the answer, and as helps.
func (r *layoutReader) sampleBytes() int {
	const most, least, aroundTokens, perToken = 40_000, 2000, 3000, 2
	info := r.Meter.Info()
	room := info.Context - info.Output - aroundTokens - llm.Tokens(string(r.format.Schema)+r.format.Prompt)
	return min(most, max(least, room*perToken))
}
