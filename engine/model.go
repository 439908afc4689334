package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
)

// What a request may ask of a model when it doesn't say.
const (
	defaultTokens = 500_000
	modelParallel = scraping.ModelParallel
)

// asksModel are the formats that come from a model alone.
var asksModel = []formats.Type{formats.JSON, formats.Summary, formats.Question, formats.Highlights, formats.Query}

// needsModel names what can't be made without a model, "" for nothing.
func (p *plan) needsModel() string {
	if p.Clean {
		return "onlyCleanContent"
	}
	for _, f := range p.Formats {
		if slices.Contains(asksModel, f.Type) {
			return "the format " + string(f.Type)
		}
	}
	if p.ComparesFields() {
		return "the json mode of changeTracking"
	}
	return ""
}

// checkModel refuses what needs a model where none may be asked.
func (e *Engine) checkModel(p *plan, o ScrapeOptions) error {
	if o.MaxTokens < 0 {
		return &OptionError{Field: "maxTokens", Value: o.MaxTokens, Want: fmt.Sprintf("1 or more, or 0 for %d", defaultTokens)}
	}
	p.Clean, p.Tokens = o.OnlyCleanContent, cmp.Or(o.MaxTokens, defaultTokens)
	if err := p.checkCleanBelow(o); err != nil {
		return err
	}
	if p.Clean && !p.Wants(formats.Markdown) {
		return &OptionError{Field: "onlyCleanContent", Value: true, Want: "markdown among the formats: it is what is cleaned"}
	}
	if p.Clean && (o.ZeroDataRetention || o.Lockdown) {
		return &OptionError{Field: "onlyCleanContent", Value: true, Want: "false with zeroDataRetention and lockdown"}
	}
	if what := p.needsModel(); what != "" {
		return e.mayAsk(what, o.ZeroDataRetention || o.Lockdown)
	}
	return nil
}

// checkCleanBelow refuses a confidence that no page can have, or that nothing would be compared with.
func (p *plan) checkCleanBelow(o ScrapeOptions) error {
	const field = "winnow.cleanBelow"
	switch below := o.CleanBelow; {
	case !(below >= 0 && below <= 1): // NaN too
		return &OptionError{Field: field, Value: below, Want: "0 (always clean) to 1"}
	case below > 0 && !o.OnlyCleanContent:
		return &OptionError{Field: field, Value: below, Want: "0 without onlyCleanContent"}
	case below > 0 && !isTrue(o.OnlyMainContent, true):
		return &OptionError{Field: field, Value: below, Want: "0 with onlyMainContent false, where there is no confidence"}
	}
	p.CleanBelow = o.CleanBelow
	return nil
}

// mayAsk returns why the model can't be called for something; nil when it can.
func (e *Engine) mayAsk(what string, private bool) error {
	_, err := e.modelFor(private)
	if own, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: own.Code, Err: fmt.Errorf("%s: %w", what, own.Err)}
	}
	return err
}

var (
	errNoModel  = errors.New("this needs a language model, and none is configured: set Options.Model")
	errNotLocal = errors.New("under lockdown and zero data retention a language model is called only when it is declared local")
)

// modelFor gives the engine's model, for a request that may or may not leave the machine.
func (e *Engine) modelFor(private bool) (llm.Model, error) {
	switch m := e.options.Model; {
	case m == nil:
		return nil, &Error{Code: CodeModelNotConfigured, Err: errNoModel}
	case private && !m.Info().Local:
		return nil, &Error{Code: CodeModelNotLocal, Err: errNotLocal}
	default:
		return m, nil
	}
}

// model is what one request asks: it counts, and stops at the request's tokens.
func (e *Engine) model(tokens int) *llm.Meter { return meterOf(e.options.Model, tokens) }

func meterOf(m llm.Model, tokens int) *llm.Meter {
	return llm.NewMeter(m, llm.MeterOptions{MaxTokens: tokens, Parallel: modelParallel})
}
