package mcp

import (
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine/internal/decode"
)

// param is an argument of a tool.
type param struct {
	name, about string
	decode.Reader
}

// tool is a row of the table.
type tool struct {
	name, about string
	changes     bool // something beyond this server
	params      func(s *server) []param
	handler     func(s *server) sdk.ToolHandler
	options     func() decode.Fields // nil: there is no such argument
}

// declare makes a tool of a function. params binds the arguments to a value, which run gets.
func declare[A any](name, about string, params func(*server, *A) []param, run func(*call, *A) (*result, error)) tool {
	return tool{
		name: name, about: about,
		params: func(s *server) []param { return params(s, new(A)) },
		handler: func(s *server) sdk.ToolHandler {
			return s.handle(name, func(c *call, arguments json.RawMessage) (*result, error) {
				var a A
				f := decode.Fields{}
				for _, p := range params(s, &a) {
					f[p.name] = p.Reader
				}
				if err := decode.Object(arguments, f); err != nil {
					return nil, err
				}
				return run(c, &a)
			})
		},
	}
}

// changing marks a tool that does something beyond this server.
func (t tool) changing() tool {
	t.changes = true
	return t
}

// withOptions adds the fields of the argument options, for their description.
func (t tool) withOptions(fields func() decode.Fields) tool {
	t.options = fields
	return t
}

// described is the tool as clients see it.
func (t tool) described(s *server) *sdk.Tool {
	properties := map[string]any{}
	for _, p := range t.params(s) {
		properties[p.name] = p.schema()
	}
	open := true
	return &sdk.Tool{
		Name: t.name, Description: t.about,
		InputSchema: map[string]any{"type": "object", "properties": properties, "additionalProperties": false},
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !t.changes, OpenWorldHint: &open},
	}
}

// schema is short: what a value must be like beyond its type is said when it isn't.
func (p param) schema() map[string]any {
	shape, short := p.Shape(), map[string]any{}
	for _, key := range []string{"type", "enum"} {
		if value, ok := shape[key]; ok {
			short[key] = value
		}
	}
	if items, ok := shape["items"].(decode.Schema); ok {
		short["items"] = map[string]any{"type": items["type"]}
	}
	if p.about != "" {
		short["description"] = p.about
	}
	return short
}

// optionsOf is the argument options.
func optionsOf(tool, route string, read func(json.RawMessage) []decode.Issue) param {
	about := "rare options, as of " + route + "; keys: winnow://options/" + tool
	return param{"options", about, decode.Reader{Shape: func() decode.Schema { return decode.Schema{"type": "object"} }, Read: read}}
}

// without leaves fields out that are arguments themselves, or none of a model's.
func without(f decode.Fields, names ...string) decode.Fields {
	for _, name := range append(names, "origin", "integration") {
		delete(f, name)
	}
	return f
}

// words reads one of some words.
func words(into *string, list string) decode.Reader {
	return decode.Word(into, strings.Fields(list)...)
}
