package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

func schema(t testing.TB, text string) *llm.Schema {
	t.Helper()
	s, err := llm.CompileSchema(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const productSchema = `{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number","minimum":0}},"required":["name"],"additionalProperties":false}`

func TestJSON_findsTheValueInTheAnswer(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"bare":               {` {"name": "a"} `, `{"name":"a"}`},
		"fence":              {"```json\n{\"name\":\"a\"}\n```", `{"name":"a"}`},
		"fence, text round":  {"Here you are:\n\n```\n{\"name\":\"a\"}\n```\nThat's {all}.", `{"name":"a"}`},
		"fence without end":  {"```json\n{\"name\":\"a\"}", `{"name":"a"}`},
		"text round":         {`Sure! {"name":"a"} is it.`, `{"name":"a"}`},
		"first that fits":    {`For {"id":1} I found {"name":"a"} and {"name":"b"}.`, `{"name":"a"}`},
		"braces in strings":  {`x {"name":"}{\"" } y`, `{"name":"}{\""}`},
		"braces before":      {`{ "not json }, {"name":"a"}`, `{"name":"a"}`},
		"not UTF-8":          {"{\"name\":\"a\xff\"}", "{\"name\":\"a\ufffd\"}"},
		"bad fence, then ok": {"```\nnope\n```\n```json\n{\"name\":\"a\"}\n```", `{"name":"a"}`},
	} {
		m := says(llm.Answer{Text: c.answer, Usage: llm.Usage{Calls: 1}})
		got, used, err := llm.JSON(t.Context(), m, ask("q"), schema(t, productSchema))
		if err != nil || string(got) != c.want || used.Calls != 1 {
			t.Errorf("%s: %s, %+v, %v", name, got, used, err)
		}
	}
}

func TestJSON_withoutSchemaTakesAnyValue(t *testing.T) {
	for answer, want := range map[string]string{`"text"`: `"text"`, "12": "12", "null": "null", "```\n[1, 2]\n```": "[1,2]", "so [1]": "[1]"} {
		if got, _, err := llm.JSON(t.Context(), says(llm.Answer{Text: answer}), ask("q"), nil); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", answer, got, err)
		}
	}
}

func TestJSON_explainsToTheModelOnceWhatIsWrong(t *testing.T) {
	one := llm.Usage{Calls: 1, InputTokens: 5}
	for name, c := range map[string]struct {
		bad  llm.Answer
		says []string
	}{
		"path":      {llm.Answer{Text: `{"name":"a","price":"free"}`}, []string{"at /price:", "want number", `"properties"`}},
		"bound":     {llm.Answer{Text: `{"name":"a","price":-1}`}, []string{"at /price:", "minimum"}},
		"missing":   {llm.Answer{Text: `{}`}, []string{"name"}},
		"too much":  {llm.Answer{Text: `{"name":"a","other":1}`}, []string{"other"}},
		"no JSON":   {llm.Answer{Text: `I can't see a product.`}, []string{"no JSON value"}},
		"cut":       {llm.Answer{Text: `{"name":"a`, Cut: true}, []string{"was cut", "shorter"}},
		"tool call": {llm.Answer{Calls: []llm.Call{{Name: "x"}}}, []string{"calls a tool"}},
	} {
		c.bad.Usage = one
		m := says(c.bad, llm.Answer{Text: `{"name":"b"}`, Usage: one})
		got, used, err := llm.JSON(t.Context(), m, ask("q"), schema(t, productSchema))
		if err != nil || string(got) != `{"name":"b"}` || used != one.Plus(one) {
			t.Errorf("%s: %s, %+v, %v", name, got, used, err)
			continue
		}
		again := m.asked[1].Messages
		for _, words := range c.says {
			if last := again[len(again)-1].Text; !strings.Contains(last, words) {
				t.Errorf("%s: the model does not read %q: %s", name, words, last)
			}
		}
		if said := again[1].Text; c.bad.Text != "" && said != c.bad.Text {
			t.Errorf("%s: what it said is not repeated: %q", name, said)
		}
		if len(m.asked[0].Messages) != 1 {
			t.Errorf("%s: the caller's messages were altered", name)
		}
	}
}

func TestJSON_givesUpAfterOneRepairWithThePath(t *testing.T) {
	bad := llm.Answer{Text: `{"name":"a","price":"free"}`, Usage: llm.Usage{Calls: 1}}
	m := says(bad, bad, llm.Answer{Text: `{"name":"a"}`})
	_, used, err := llm.JSON(t.Context(), m, ask("q"), schema(t, productSchema))
	wrong, ok := errors.AsType[*llm.SchemaError](err)
	if !errors.Is(err, llm.ErrMalformed) || !ok || wrong.Path != "/price" || used.Calls != 2 || len(m.asked) != 2 {
		t.Errorf("%v, %+v, asked %d times", err, used, len(m.asked))
	}
}

func TestJSON_leavesAnAnswerOutThatWouldBeTooLongToRepeat(t *testing.T) {
	m := says(llm.Answer{Text: strings.Repeat("no ", 9500), Cut: true}, llm.Answer{Text: `{"name":"b"}`})
	if _, _, err := llm.JSON(t.Context(), m, ask("q"), schema(t, productSchema)); err != nil {
		t.Fatal(err)
	}
	if n := len(m.asked[1].Messages); n != 2 {
		t.Errorf("%d messages", n)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add("```json\n{\"name\":\"a\"}\n```", false)
	f.Add(strings.Repeat("[", 20_000), true)
	f.Add(strings.Repeat("{\"", 5_000), true)
	f.Fuzz(func(t *testing.T, answer string, cut bool) {
		s := schema(t, productSchema)
		a := llm.Answer{Text: answer, Cut: cut}
		got, _, err := llm.JSON(t.Context(), says(a, a), ask("q"), s)
		switch {
		case err == nil && s.Validate(got) != nil:
			t.Fatalf("%s does not follow the schema: %v", got, s.Validate(got))
		case err != nil && !errors.Is(err, llm.ErrMalformed):
			t.Fatal(err)
		}
	})
}
