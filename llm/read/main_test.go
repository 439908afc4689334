package read

import (
	"context"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// fake is a model that a test answers for.
type fake struct {
	info   llm.Info
	answer func(r llm.Request) (llm.Answer, error)

	mu    sync.Mutex
	asked []llm.Request
}

func (f *fake) Info() llm.Info { return f.info }

func (f *fake) Ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	f.mu.Lock()
	f.asked = append(f.asked, r)
	f.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, err
	}
	return f.answer(r)
}

var large = llm.Info{Name: "fake", Context: 128_000, Output: 4096}

// says is a model that gives its answers in turn, and the last one for ever.
func says(answers ...string) *fake {
	f := &fake{info: large}
	next := 0
	f.answer = func(llm.Request) (llm.Answer, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		text := answers[min(next, len(answers)-1)]
		next++
		return llm.Answer{Text: text}, nil
	}
	return f
}

// computes is a model that answers by what it reads.
func computes(info llm.Info, answer func(prompt string) string) *fake {
	return &fake{info: info, answer: func(r llm.Request) (llm.Answer, error) {
		return llm.Answer{Text: answer(textsOf(r))}, nil
	}}
}

// textsOf returns all texts of a request.
func textsOf(r llm.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Text + "\n")
	}
	return b.String()
}

var fences = regexp.MustCompile(`(?s)<untrusted id="(\w+)" is="([^"]*)">\n(.*?)\n</untrusted id="(\w+)">`)

// outside is what a request says outside of fences, inside what stands in them.
func outside(r llm.Request) string { return fences.ReplaceAllString(textsOf(r), "") }

func inside(prompt string) string {
	var all []string
	for _, m := range fences.FindAllStringSubmatch(prompt, -1) {
		all = append(all, m[3])
	}
	return strings.Join(all, "\n")
}

func mustSchema(t testing.TB, schema string) *llm.Schema {
	t.Helper()
	s, err := form(schema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
