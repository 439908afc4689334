package decode

import (
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/passages"
)

// The schemas of what other packages decode. A test proves that each agrees with its decoder.

func flagSchema() Schema { return Schema{"type": "boolean"} }

// WordsSchema takes one of some words.
func WordsSchema(words ...string) Schema { return Schema{"type": "string", "enum": words} }

func wholeSchema(lowest, highest int) Schema {
	return Schema{"type": "integer", "minimum": lowest, "maximum": highest}
}

func askSchema(lowest int) Schema {
	s := Schema{"type": "string", "maxLength": formats.MaxPrompt}
	if lowest > 0 {
		s["minLength"], s["pattern"] = lowest, notBlank
	}
	return s
}

// notBlank is what a text must have where white space alone says nothing.
const notBlank = `\S`

func blankless() Schema { return Schema{"type": "string", "minLength": 1, "pattern": notBlank} }

func viewportSchema() Schema {
	return Closed(Schema{"width": wholeSchema(1, 7680), "height": wholeSchema(1, 4320)}, "width", "height").Titled("Viewport")
}

// FormatOptions are the options of each format; those of needed must be given.
var FormatOptions = []struct {
	Name    formats.Type
	options func() Schema
	needed  []string
}{
	{formats.Markdown, nil, nil},
	{formats.Summary, nil, nil},
	{formats.HTML, nil, nil},
	{formats.RawHTML, nil, nil},
	{formats.RawBase64, nil, nil},
	{formats.Links, nil, nil},
	{formats.Images, nil, nil},
	{formats.Branding, nil, nil},
	{formats.Product, nil, nil},
	{formats.Menu, nil, nil},
	{formats.Audio, nil, nil},
	{formats.Video, nil, nil},
	{formats.Passages, func() Schema { return Schema{"maxTokens": wholeSchema(passages.MinTokens, passages.MaxTokens)} }, nil},
	{formats.Screenshot, func() Schema {
		return Schema{"fullPage": flagSchema(), "quality": wholeSchema(1, 100), "viewport": viewportSchema()}
	}, nil},
	{formats.JSON, func() Schema {
		return Schema{"schema": jsonSchemaSchema(), "prompt": askSchema(0), "checkPromptInjection": flagSchema(), "evidence": flagSchema()}
	}, nil},
	{formats.DeterministicJSON, func() Schema { return Schema{"schema": jsonSchemaSchema(), "prompt": askSchema(0)} }, nil},
	{formats.ChangeTracking, func() Schema {
		return Schema{
			"modes": Schema{"type": "array", "items": WordsSchema("git-diff", "json")}, "schema": jsonSchemaSchema(), "prompt": askSchema(0),
			"tag": Schema{"type": []string{"string", "null"}},
		}
	}, nil},
	{formats.Attributes, func() Schema {
		one := Closed(Schema{"selector": blankless(), "attribute": blankless()}, "selector", "attribute")
		return Schema{"selectors": Schema{"type": "array", "minItems": 1, "items": one}}
	}, []string{"selectors"}},
	{formats.Question, func() Schema { return Schema{"question": askSchema(1)} }, []string{"question"}},
	{formats.Highlights, func() Schema { return Schema{"query": askSchema(1)} }, []string{"query"}},
	{formats.Query, func() Schema {
		return Schema{"prompt": askSchema(1), "mode": WordsSchema("freeform", "directQuote", "")}
	}, []string{"prompt"}},
}

// jsonSchemaSchema takes a JSON Schema that a client gives.
func jsonSchemaSchema() Schema { return Schema{"type": []string{"object", "null"}} }

// FormatSchema takes a format: its name, or an object with its options.
func FormatSchema() Schema {
	var names []string
	objects := []Schema{}
	for _, f := range FormatOptions {
		properties := Schema{}
		if f.options != nil {
			properties = f.options()
		}
		if f.needed == nil {
			names = append(names, string(f.Name))
		}
		properties["type"] = Schema{"const": f.Name}
		one := Closed(properties, append([]string{"type"}, f.needed...)...)
		if f.Name == formats.Screenshot { // the one that ignores what it doesn't know
			delete(one, "additionalProperties")
		}
		objects = append(objects, one.Titled(Capital(string(f.Name))+"Format"))
	}
	return Schema{"oneOf": append([]Schema{WordsSchema(names...).Titled("FormatName")}, objects...)}.Titled("Format")
}

// ActionOptions are the options of each action.
var ActionOptions = []struct {
	Name    actions.Type
	options func() Schema
	needed  []string
}{
	{actions.Wait, func() Schema {
		return Schema{"milliseconds": wholeSchema(1, int(actions.MaxWait/time.Millisecond)), "selector": blankless()}
	}, nil},
	{actions.Click, func() Schema { return Schema{"selector": blankless(), "all": flagSchema()} }, []string{"selector"}},
	{actions.Write, func() Schema { return Schema{"text": Schema{"type": "string", "minLength": 1}} }, []string{"text"}},
	{actions.Press, func() Schema { return Schema{"key": Schema{"type": "string", "pattern": "^[ -~]+$"}} }, []string{"key"}},
	{actions.Scroll, func() Schema { return Schema{"direction": WordsSchema("up", "down"), "selector": blankless()} }, nil},
	{actions.Screenshot, func() Schema {
		return Schema{"fullPage": flagSchema(), "quality": wholeSchema(1, 100), "viewport": viewportSchema()}
	}, nil},
	{actions.Scrape, nil, nil},
	{actions.ExecuteJavaScript, func() Schema { return Schema{"script": blankless()} }, []string{"script"}},
	{actions.PDF, func() Schema {
		return Schema{
			"format":    WordsSchema("A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"),
			"landscape": flagSchema(), "scale": Schema{"type": "number", "minimum": 0.1, "maximum": 2},
		}
	}, nil},
}

// ActionsSchema takes a list of actions.
func ActionsSchema() Schema {
	objects := []Schema{}
	for _, a := range ActionOptions {
		properties := Schema{}
		if a.options != nil {
			properties = a.options()
		}
		properties["type"] = Schema{"const": a.Name}
		one := Closed(properties, append([]string{"type"}, a.needed...)...)
		if a.Name == actions.Wait {
			one["oneOf"] = []Schema{having("milliseconds"), having("selector")}
		}
		objects = append(objects, one.Titled(Capital(string(a.Name))+"Action"))
	}
	return Schema{"type": "array", "maxItems": actions.MaxActions, "items": Schema{"oneOf": objects}.Titled("Action")}
}

// having takes an object that has a property, whatever that is.
func having(name string) Schema { return Schema{"properties": Schema{name: Schema{}}}.Requiring(name) }

// Capital begins a name with a capital letter.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
