package formats

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestFormat_decodesStringsAndObjects(t *testing.T) {
	tag := "v1"
	cases := map[string]Format{
		`"markdown"`:          {Type: Markdown},
		`{"type":"markdown"}`: {Type: Markdown},
		`"json"`:              {Type: JSON},
		`"changeTracking"`:    {Type: ChangeTracking},
		`{"type":"json","prompt":"p","schema":{"type":"object"},"checkPromptInjection":true}`: {Type: JSON, Prompt: "p", Schema: json.RawMessage(`{"type":"object"}`), CheckPromptInjection: true},
		`{"type":"json","schema":null}`: {Type: JSON},
		`{"type":"screenshot","fullPage":true,"quality":80,"viewport":{"width":1,"height":4320},"other":1}`: {Type: Screenshot, FullPage: true, Quality: 80, Viewport: &Viewport{1, 4320}},
		`{"type":"attributes","selectors":[{"selector":"a","attribute":"href"}]}`:                           {Type: Attributes, Selectors: []Selector{{"a", "href"}}},
		`{"type":"changeTracking","modes":["git-diff","json"],"tag":"v1"}`:                                  {Type: ChangeTracking, Modes: []string{"git-diff", "json"}, Tag: &tag},
		`{"type":"changeTracking","tag":null}`:                                                              {Type: ChangeTracking},
		`{"type":"question","question":"why?"}`:                                                             {Type: Question, Question: "why?"},
		`{"type":"highlights","query":"bees"}`:                                                              {Type: Highlights, Query: "bees"},
		`{"type":"query","prompt":"p","mode":"directQuote"}`:                                                {Type: Query, Prompt: "p", Mode: "directQuote"},
	}
	for in, want := range cases {
		var got Format
		if err := json.Unmarshal([]byte(in), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", in, got, err, want)
		}
	}
}

func TestFormat_decodeErrorsNameFieldAndRange(t *testing.T) {
	cases := map[string]string{ // input: field
		`"nonsense"`:                             "type",
		`"screenshot@fullPage"`:                  "type",
		`"attributes"`:                           "type",
		`"question"`:                             "type",
		`7`:                                      "format",
		`[]`:                                     "format",
		`{}`:                                     "type",
		`{"type":7}`:                             "type",
		`{"type":"markdown","prompt":"x"}`:       "prompt",
		`{"type":"json","shema":{}}`:             "shema",
		`{"type":"json","schema":[]}`:            "schema",
		`{"type":"json","prompt":7}`:             "prompt",
		`{"type":"json","prompt":null}`:          "prompt",
		`{"type":"screenshot","quality":0}`:      "quality",
		`{"type":"screenshot","quality":101}`:    "quality",
		`{"type":"screenshot","quality":1.5}`:    "quality",
		`{"type":"screenshot","fullPage":"yes"}`: "fullPage",
		`{"type":"screenshot","viewport":{"width":0,"height":10}}`:          "viewport.width",
		`{"type":"screenshot","viewport":{"width":7681,"height":10}}`:       "viewport.width",
		`{"type":"screenshot","viewport":{"width":10,"height":4321}}`:       "viewport.height",
		`{"type":"screenshot","viewport":{"width":10}}`:                     "viewport.height",
		`{"type":"screenshot","viewport":{"width":"a","height":1}}`:         "viewport.width",
		`{"type":"screenshot","viewport":{"width":1,"height":1,"depth":1}}`: "viewport",
		`{"type":"attributes"}`:                                                             "selectors",
		`{"type":"attributes","selectors":[]}`:                                              "selectors",
		`{"type":"attributes","selectors":[{"selector":"a"}]}`:                              "selectors[0].attribute",
		`{"type":"attributes","selectors":[{"selector":" ","attribute":"x"}]}`:              "selectors[0].selector",
		`{"type":"attributes","selectors":[{"selector":"a","attribute":"x","extra":true}]}`: "selectors",
		`{"type":"changeTracking","modes":["diff"]}`:                                        "modes[0]",
		`{"type":"passages","maxTokens":31}`:                                                "maxTokens",
		`{"type":"passages","maxTokens":0}`:                                                 "maxTokens",
		`{"type":"passages","maxTokens":null}`:                                              "maxTokens",
		`{"type":"passages","maxTokens":32769}`:                                             "maxTokens",
		`{"type":"markdown","maxTokens":512}`:                                               "maxTokens",
		`{"type":"question","question":""}`:                                                 "question",
		`{"type":"question"}`:                                                               "question",
		`{"type":"highlights","query":"` + strings.Repeat("ä", MaxPrompt+1) + `"}`:          "query",
		`{"type":"query"}`:                                                                  "prompt",
		`{"type":"query","prompt":"p","mode":"short"}`:                                      "mode",
	}
	for in, field := range cases {
		var f Format
		err := json.Unmarshal([]byte(in), &f)
		var got *OptionError
		if !errors.As(err, &got) || got.Field != field || got.Want == "" {
			t.Errorf("%.80s: got %v, want an OptionError of %q", in, err, field)
		}
	}
}

func TestFormat_longestPromptIsAccepted(t *testing.T) {
	f := Format{Type: Question, Question: strings.Repeat("ä", MaxPrompt)}
	if err := f.Validate(); err != nil {
		t.Error(err)
	}
}

func TestFormat_encodesNamesAndObjects(t *testing.T) {
	cases := map[string]Format{
		`"markdown"`: {Type: Markdown},
		`{"type":"screenshot","fullPage":true,"viewport":{"width":800,"height":600}}`: {Type: Screenshot, FullPage: true, Viewport: &Viewport{800, 600}},
		`"passages"`:                          {Type: Passages},
		`{"type":"passages","maxTokens":256}`: {Type: Passages, MaxTokens: 256},
		`{"type":"attributes","selectors":[{"selector":"a","attribute":"href"}]}`: {Type: Attributes, Selectors: []Selector{{"a", "href"}}},
	}
	for want, f := range cases {
		if got, err := json.Marshal(f); string(got) != want || err != nil {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestValidateSet(t *testing.T) {
	ask := func(types ...Type) (fs []Format) {
		for _, ty := range types {
			fs = append(fs, Format{Type: ty})
		}
		return fs
	}
	cases := []struct {
		name  string
		fs    []Format
		field string // "": valid
	}{
		{"nothing", nil, ""},
		{"all that is plain", ask(Markdown, HTML, RawHTML, Links, Images, Summary, Screenshot, Branding), ""},
		{"a plain one twice", ask(Markdown, Markdown), ""},
		{"two screenshots", []Format{{Type: Screenshot}, {Type: Markdown}, {Type: Screenshot, FullPage: true}}, "formats[2]"},
		{"two json", ask(JSON, JSON), "formats[1]"},
		{"rawBase64 alone", ask(RawBase64), ""},
		{"rawBase64 with another", ask(Markdown, RawBase64), "formats[1]"},
		{"json and deterministicJson", ask(DeterministicJSON, JSON), "formats[0]"},
		{"changeTracking without markdown", ask(ChangeTracking), "formats[0]"},
		{"changeTracking with markdown", ask(ChangeTracking, Markdown), ""},
		{"two that answer", []Format{{Type: Question, Question: "q"}, {Type: Query, Prompt: "p"}}, "formats[1]"},
		{"a bad option", []Format{{Type: Markdown}, {Type: Screenshot, Quality: -1}}, "formats[1].quality"},
		{"two lists of passages", []Format{{Type: Passages}, {Type: Passages, MaxTokens: 64}}, "formats[1]"},
		{"an option of another format", []Format{{Type: Markdown, FullPage: true}}, "formats[0].fullPage"},
		{"no type", []Format{{}}, "formats[0].type"},
	}
	for _, c := range cases {
		err := ValidateSet(c.fs)
		var got *OptionError
		if c.field == "" && err != nil || c.field != "" && (!errors.As(err, &got) || got.Field != c.field) {
			t.Errorf("%s: got %v, want field %q", c.name, err, c.field)
		}
	}
}

func TestOptionError_namesFieldValueAndRange(t *testing.T) {
	err := &OptionError{Field: "formats[0].quality", Value: 101, Want: wantQuality}
	if got, want := err.Error(), `formats[0].quality "101": want 1 to 100`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	long := &OptionError{Field: "f", Value: strings.Repeat("ä", 1000), Want: "w"}
	if len(long.Error()) > 120 {
		t.Errorf("got %d bytes, want the value shortened", len(long.Error()))
	}
}

// FuzzFormat: what decodes is valid, and encodes to what decodes to the same.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{`"markdown"`, `{"type":"screenshot","quality":5,"viewport":{"width":1,"height":2}}`, `{"type":"attributes","selectors":[{"selector":"a","attribute":"b"}]}`,
		`{"type":"json","schema":{"a":[1]},"prompt":"\u00e4"}`, `{"type":"changeTracking","modes":["json"],"tag":null}`, `{"type":"query","prompt":"x","mode":""}`, `null`, `{"type":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, b Format
		if json.Unmarshal(data, &a) != nil || a.Type == "" {
			return
		}
		if err := a.Validate(); err != nil {
			t.Fatalf("%s: decoded but invalid: %v", data, err)
		}
		out, err := json.Marshal(a)
		if err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
		if err := json.Unmarshal(out, &b); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		again, err := json.Marshal(b)
		if err != nil || string(again) != string(out) {
			t.Errorf("got %s, %v, want %s", again, err, out)
		}
	})
}
