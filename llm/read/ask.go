package read

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// The bounds of reading in parts.
const (
	minRoom    = 100 // tokens of a page that must fit beside the prompt
	maxParts   = 400
	maxHalving = 2 // how often a part that proves too long is cut in two
	maxRounds  = 4 // of notes about notes
)

// Page is the page to read.
type Page struct {
	// URL and Title of the page; either may be empty.
	URL, Title string
	// Text is its markdown, without what people don't see.
	Text string
	// Seen is the markdown without what people don't see. Only [Clean] uses it: there Text is complete,
	// and the model receives nothing but Seen. Empty: readers see all of Text.
	Seen string
}

func (p Page) blank() bool { return strings.TrimSpace(p.Text) == "" }

// fenced is a text of the page as a model gets it. The address and the title are the page's, too.
func (p Page) fenced(label, text string) string {
	head := ""
	if p.Title != "" {
		head += "Title: " + p.Title + "\n"
	}
	if p.URL != "" {
		head += "Address: " + p.URL + "\n"
	}
	if head != "" {
		head += "\n"
	}
	return llm.Fence(label, head+text)
}

// job is one task for a model: what stands outside of the fence, and how much fits inside.
type job struct {
	m      llm.Model
	p      Page
	system string // beside role
	task   string
	schema *llm.Schema
	// label says what is inside the fence. Empty: "page".
	label string
	// answer is the most tokens of an answer that make sense. 0: as many as the model gives.
	answer int
}

// room returns how many tokens may stand inside the fence, and how many the answer may have. An
// answer in a form is requested twice if need be, the first one standing in the second request.
func (j job) room() (input, output int) {
	info := j.m.Info()
	output = max(info.Context/4, 1)
	if info.Output > 0 {
		output = min(output, info.Output)
	}
	if j.answer > 0 {
		output = min(output, j.answer)
	}
	around := llm.Tokens(role+j.system+j.task+j.p.Title+j.p.URL) + 150
	if j.schema != nil {
		around += llm.Tokens(string(j.schema.ForModel())) + output
	}
	return info.Context - around - output, output
}

// request puts text inside the fence and everything else outside.
func (j job) request(text string) llm.Request {
	label := j.label
	if label == "" {
		label = "page"
	}
	return j.send(j.p.fenced(label, text))
}

// send sends what is fenced already.
func (j job) send(fenced string) llm.Request {
	system := role
	if j.system != "" {
		system += "\n\n" + j.system
	}
	_, output := j.room()
	return llm.Request{MaxTokens: output, Messages: []llm.Message{
		{Role: llm.System, Text: system},
		{Role: llm.User, Text: j.task + "\n\n" + fenced},
	}}
}

// text requests plain text. A cut answer is a warning.
func (j job) text(ctx context.Context, about string) (string, []string, error) {
	a, err := j.m.Ask(ctx, j.request(about))
	if err != nil {
		return "", nil, err
	}
	text := withoutThoughts(a.Text)
	if text == "" {
		return "", nil, fmt.Errorf("the answer is empty: %w", llm.ErrMalformed)
	}
	if a.Cut {
		return text, []string{"the model's answer met its token limit and is not complete"}, nil
	}
	return text, nil, nil
}

// withoutThoughts drops what some models write before they answer.
func withoutThoughts(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<think>") {
		if _, after, ok := strings.Cut(text, "</think>"); ok {
			text = after
		}
	}
	return strings.TrimSpace(text)
}

// json requests JSON in the job's form, and decodes it into to unless to is nil.
func (j job) json(ctx context.Context, about string, to any) (json.RawMessage, error) {
	return j.jsonOf(ctx, j.request(about), to)
}

func (j job) jsonOf(ctx context.Context, r llm.Request, to any) (json.RawMessage, error) {
	raw, _, err := llm.JSON(ctx, j.m, r, j.schema)
	if err != nil || to == nil {
		return raw, err
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return nil, fmt.Errorf("%w: %w", llm.ErrMalformed, err)
	}
	return raw, nil
}

// parts cuts text so that each part fits, at most limit tokens where limit isn't 0.
func (j job) parts(text string, limit int) ([]string, error) {
	input, _ := j.room()
	if limit > 0 {
		input = min(input, limit)
	}
	if input < minRoom {
		return nil, fmt.Errorf("no page fits beside the prompt: %w", llm.ErrTooLong)
	}
	parts := llm.Split(text, input, input/10)
	if len(parts) > maxParts {
		return nil, fmt.Errorf("the page has %d parts, at most %d are read: %w", len(parts), maxParts, llm.ErrTooLong)
	}
	return parts, nil
}

// errCut means that an answer met its token limit where only a whole one is useful.
var errCut = fmt.Errorf("the model's answer met its token limit: %w", llm.ErrMalformed)

// uncut is a model whose cut answers are errors, so that no repair asks for a shorter one.
type uncut struct{ llm.Model }

// Ask returns errCut beside a cut answer.
func (u uncut) Ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	a, err := u.Model.Ask(ctx, r)
	if err == nil && a.Cut {
		err = errCut
	}
	return a, err
}

// tooLong reports whether less text would help.
func tooLong(err error) bool { return errors.Is(err, llm.ErrTooLong) || errors.Is(err, errCut) }

// smaller cuts a text that proved too long.
func smaller(text string) []string { return llm.Split(text, llm.Tokens(text)*3/5, 0) }

// eachPart sends all parts at once, and cuts those in two that prove too long.
func eachPart[T any](ctx context.Context, parts []string, f func(ctx context.Context, part string) (T, error)) ([]T, error) {
	nested, err := llm.Each(ctx, 0, parts, func(ctx context.Context, _ int, part string) ([]T, error) {
		return halved(ctx, part, maxHalving, f)
	})
	return slices.Concat(nested...), err
}

func halved[T any](ctx context.Context, part string, left int, f func(ctx context.Context, part string) (T, error)) ([]T, error) {
	got, err := f(ctx, part)
	if err == nil || left == 0 || !tooLong(err) || llm.Tokens(part) < 2*minRoom {
		return []T{got}, err
	}
	var all []T
	for _, half := range smaller(part) {
		more, err := halved(ctx, half, left-1, f)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// form compiles a schema of this package.
func form(schema string) (*llm.Schema, error) { return llm.CompileSchema(json.RawMessage(schema)) }

// known drops repeated warnings and keeps their order.
func known(warnings []string) []string {
	var once []string
	has := map[string]bool{}
	for _, w := range warnings {
		if !has[w] {
			once, has[w] = append(once, w), true
		}
	}
	return once
}
