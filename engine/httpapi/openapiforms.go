package httpapi

import (
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// The schemas of what other packages decode. A test proves that each agrees with its decoder.

func flagSchema() schema { return schema{"type": "boolean"} }

func wordsSchema(words ...string) schema { return schema{"type": "string", "enum": words} }

func wholeSchema(least, most int) schema {
	return schema{"type": "integer", "minimum": least, "maximum": most}
}

func askSchema(least int) schema {
	s := schema{"type": "string", "maxLength": formats.MaxPrompt}
	if least > 0 {
		s["minLength"], s["pattern"] = least, notBlank
	}
	return s
}

// notBlank is what a text must have where white space alone says nothing.
const notBlank = `\S`

func blankless() schema { return schema{"type": "string", "minLength": 1, "pattern": notBlank} }

func viewportSchema() schema {
	return closed(schema{"width": wholeSchema(1, 7680), "height": wholeSchema(1, 4320)}, "width", "height").titled("Viewport")
}

// formatOptions are the options of each format; those of needed must be given.
var formatOptions = []struct {
	name    formats.Type
	options func() schema
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
	{formats.Screenshot, func() schema {
		return schema{"fullPage": flagSchema(), "quality": wholeSchema(1, 100), "viewport": viewportSchema()}
	}, nil},
	{formats.JSON, func() schema {
		return schema{"schema": jsonSchemaSchema(), "prompt": askSchema(0), "checkPromptInjection": flagSchema(), "evidence": flagSchema()}
	}, nil},
	{formats.DeterministicJSON, func() schema { return schema{"schema": jsonSchemaSchema(), "prompt": askSchema(0)} }, nil},
	{formats.ChangeTracking, func() schema {
		return schema{
			"modes": schema{"type": "array", "items": wordsSchema("git-diff", "json")}, "schema": jsonSchemaSchema(), "prompt": askSchema(0),
			"tag": schema{"type": []string{"string", "null"}},
		}
	}, nil},
	{formats.Attributes, func() schema {
		one := closed(schema{"selector": blankless(), "attribute": blankless()}, "selector", "attribute")
		return schema{"selectors": schema{"type": "array", "minItems": 1, "items": one}}
	}, []string{"selectors"}},
	{formats.Question, func() schema { return schema{"question": askSchema(1)} }, []string{"question"}},
	{formats.Highlights, func() schema { return schema{"query": askSchema(1)} }, []string{"query"}},
	{formats.Query, func() schema {
		return schema{"prompt": askSchema(1), "mode": wordsSchema("freeform", "directQuote", "")}
	}, []string{"prompt"}},
}

// jsonSchemaSchema takes a JSON Schema that a client gives.
func jsonSchemaSchema() schema { return schema{"type": []string{"object", "null"}} }

func formatSchema() schema {
	var names []string
	objects := []schema{}
	for _, f := range formatOptions {
		properties := schema{}
		if f.options != nil {
			properties = f.options()
		}
		if f.needed == nil {
			names = append(names, string(f.name))
		}
		properties["type"] = schema{"const": f.name}
		one := closed(properties, append([]string{"type"}, f.needed...)...)
		if f.name == formats.Screenshot { // the one that ignores what it doesn't know
			delete(one, "additionalProperties")
		}
		objects = append(objects, one.titled(capital(string(f.name))+"Format"))
	}
	return schema{"oneOf": append([]schema{wordsSchema(names...).titled("FormatName")}, objects...)}.titled("Format")
}

// actionOptions are the options of each action.
var actionOptions = []struct {
	name    actions.Type
	options func() schema
	needed  []string
}{
	{actions.Wait, func() schema {
		return schema{"milliseconds": wholeSchema(1, int(actions.MaxWait/time.Millisecond)), "selector": blankless()}
	}, nil},
	{actions.Click, func() schema { return schema{"selector": blankless(), "all": flagSchema()} }, []string{"selector"}},
	{actions.Write, func() schema { return schema{"text": schema{"type": "string", "minLength": 1}} }, []string{"text"}},
	{actions.Press, func() schema { return schema{"key": schema{"type": "string", "pattern": "^[ -~]+$"}} }, []string{"key"}},
	{actions.Scroll, func() schema { return schema{"direction": wordsSchema("up", "down"), "selector": blankless()} }, nil},
	{actions.Screenshot, func() schema {
		return schema{"fullPage": flagSchema(), "quality": wholeSchema(1, 100), "viewport": viewportSchema()}
	}, nil},
	{actions.Scrape, nil, nil},
	{actions.ExecuteJavaScript, func() schema { return schema{"script": blankless()} }, []string{"script"}},
	{actions.PDF, func() schema {
		return schema{
			"format":    wordsSchema("A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"),
			"landscape": flagSchema(), "scale": schema{"type": "number", "minimum": 0.1, "maximum": 2},
		}
	}, nil},
}

func actionsSchema() schema {
	objects := []schema{}
	for _, a := range actionOptions {
		properties := schema{}
		if a.options != nil {
			properties = a.options()
		}
		properties["type"] = schema{"const": a.name}
		one := closed(properties, append([]string{"type"}, a.needed...)...)
		if a.name == actions.Wait {
			one["oneOf"] = []schema{schema{}.requiring("milliseconds"), schema{}.requiring("selector")}
		}
		objects = append(objects, one.titled(capital(string(a.name))+"Action"))
	}
	return schema{"type": "array", "maxItems": actions.MaxActions, "items": schema{"oneOf": objects}.titled("Action")}
}

// capital begins a name with a capital letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
