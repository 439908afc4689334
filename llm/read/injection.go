package read

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/winnow-go/winnow/llm"
)

// ErrInjection means that a page tries to instruct the model that reads it. The error that wraps
// it is an [*InjectionError].
var ErrInjection = errors.New("the page's text tries to instruct the model")

// InjectionError describes the attempt.
type InjectionError struct {
	// Words of the page that show it, at most 200 bytes, perhaps in lower case; empty if the
	// model named none. They are foreign text, and not part of the error's own.
	Words string
}

func (*InjectionError) Error() string { return ErrInjection.Error() }
func (*InjectionError) Unwrap() error { return ErrInjection }

// phrase is wording that is typical of text written for a model. Text without one of the
// hints doesn't hold it, which is quicker to find out.
type phrase struct {
	hints []string
	form  *regexp.Regexp
}

// injections are looked for in lower-case text without compatibility forms. They are compiled for the first page that
// is screened, not for every program.
var injections = sync.OnceValue(func() []phrase {
	return []phrase{
		{[]string{"<|", "inst]", "<<"}, regexp.MustCompile(`<\|(im_start|im_end|system|endoftext|start_header_id|eot_id)\|>|\[/?inst\]|<</?sys>>`)},
		{[]string{"ignor", "disregard", "forget", "overrid"}, regexp.MustCompile(`\b(ignore|disregard|forget|override)\s+(all\s+|any\s+|the\s+|your\s+|of\s+|these\s+|those\s+)*` +
			`(previous|prior|preceding|above|earlier|former|system|original)\s+(instruction|prompt|direction|message|rule|command|guideline)s?`)},
		{[]string{"ignor", "disregard", "forget", "overrid"}, regexp.MustCompile(`\b(ignore|disregard|forget|override)\s+(all\s+)?(of\s+)?your\s+(instruction|prompt|rule|guideline)s?\b`)},
		{[]string{"prompt", "instruction", "message"}, regexp.MustCompile(`\b(reveal|print|show|repeat|output|leak)\s+(me\s+)?(your|the)\s+(system|initial|hidden|secret)\s+(prompt|instruction|message)s?`)},
		{[]string{"anweisung", "befehl", "instruktion", "regel"}, regexp.MustCompile(`\b(ignoriere?|vergiss|missachte)\s+(alle\s+|die\s+|deine\s+|sämtliche\s+)*` +
			`(vorherigen|bisherigen|obigen|früheren|vorangegangenen)\s+(anweisung|befehl|instruktion|regel)`)},
		{[]string{"instructions", "consignes"}, regexp.MustCompile(`\b(ignore[zr]?|oublie[zr]?)\s+(toutes?\s+)?(les\s+|tes\s+|vos\s+)?(instructions|consignes)\s+(précédentes|antérieures|ci-dessus)`)},
		{[]string{"instrucciones", "instruções"}, regexp.MustCompile(`\b(ignora|olvida|ignore)\s+(todas?\s+)?(as\s+|las\s+|tus\s+|suas\s+)?(instrucciones|instruções)\s+(anteriores|previas|prévias)`)},
		{[]string{"忽略", "无视", "忘记", "無視", "忘れ"}, regexp.MustCompile(`(忽略|无视|忘记|無視|忘れ).{0,8}(指令|指示|提示|命令)|(指示|命令).{0,6}(無視|忘れ)`)},
	}
})

const maxWords = 200

// screen looks for phrases of [injections]; it costs nothing.
func screen(text string) (string, bool) {
	text = strings.ToLower(norm.NFKC.String(llm.Visible(text)))
	for _, p := range injections() {
		if !slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(text, hint) }) {
			continue
		}
		if found := p.form.FindString(text); found != "" {
			return firstWords(found), true
		}
	}
	return "", false
}

// checkInjection screens a page, and calls the model when the screen finds nothing: a finding
// of the screen is final, since the page could persuade the model otherwise.
func checkInjection(ctx context.Context, m llm.Model, p Page) error {
	for _, text := range []string{p.Text, p.Title} {
		if words, found := screen(text); found {
			return &InjectionError{Words: words}
		}
	}
	s, err := form(`{"type":"object","properties":{"instructs":{"type":"boolean"},"quote":{"type":"string"}},
		"required":["instructs","quote"]}`)
	if err != nil {
		return err
	}
	j := job{m: m, p: p, task: injectionTask, schema: s, answer: noteTokens}
	parts, err := j.parts(p.Text, 0)
	if err == nil {
		_, err = eachPart(ctx, parts, func(ctx context.Context, part string) (struct{}, error) {
			return struct{}{}, j.instructs(ctx, part)
		})
	}
	if err != nil && !errors.Is(err, ErrInjection) {
		return fmt.Errorf("check for injected instructions: %w", err)
	}
	return err
}

func (j job) instructs(ctx context.Context, part string) error {
	var said struct {
		Instructs bool
		Quote     string
	}
	if _, err := j.json(ctx, part, &said); err != nil || !said.Instructs {
		return err
	}
	return &InjectionError{Words: firstWords(said.Quote)}
}

func firstWords(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxWords)], "")
}
