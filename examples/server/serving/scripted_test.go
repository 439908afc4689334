package serving

import (
	"encoding/json"
	"strings"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// scripted is a model that knows a hand mill and nothing else: it fills any form, and is done with any task at once, but for one that
// says to wait.
func scripted(r llmtest.Request) llmtest.Reply {
	switch {
	case offers(r, "click"):
		return call("done", map[string]any{"output": "The page is called Order."})
	case offers(r, "scrape") && r.Holds("Wait for nothing"):
		return call("scrape", map[string]any{"url": "https://lab.example/slow?ms=30000"})
	case offers(r, "scrape"):
		return call("done", map[string]any{"answer": "It is called hand mill."})
	case r.Schema != nil:
		return llmtest.Reply{Text: string(filled(r.Schema))}
	}
	return llmtest.Reply{Text: "Two stones of basalt and a handle of ash."}
}

func offers(r llmtest.Request, tool string) bool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

func call(tool string, arguments map[string]any) llmtest.Reply {
	data, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // they are texts
	}
	return llmtest.Reply{Text: "That is next.", Calls: []llm.Call{{Name: tool, Arguments: data}}}
}

// filled is a value of a schema; what may be null is.
func filled(schema json.RawMessage) json.RawMessage {
	var s struct {
		Type       json.RawMessage            `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
	}
	if json.Unmarshal(schema, &s) != nil || strings.Contains(string(s.Type), "null") {
		return json.RawMessage("null")
	}
	var value any
	switch string(s.Type) {
	case `"object"`:
		value = fields(s.Properties)
	case `"array"`:
		value = []json.RawMessage{filled(s.Items)}
	case `"integer"`, `"number"`:
		value = 1
	case `"boolean"`:
		value = true
	default:
		value = "Hand mill"
	}
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // they are values of JSON
	}
	return data
}

func fields(properties map[string]json.RawMessage) map[string]json.RawMessage {
	found := map[string]json.RawMessage{}
	if len(properties) == 0 {
		found["name"] = json.RawMessage(`"Hand mill"`)
	}
	for name, schema := range properties {
		found[name] = filled(schema)
	}
	return found
}
