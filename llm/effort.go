package llm

import (
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxEffort is how many schemas are tried at places of one value. Alternatives of alternatives
// multiply, and a small schema can require more than a lifetime.
const maxEffort = 1 << 17

// effort counts the schemas that are tried while one value is checked. The validator has no
// such bound of its own, so each schema has a format, which is the only thing for which the
// validator calls back; formats proper aren't checked.
type effort struct {
	mu   sync.Mutex // one value at a time
	left int
}

// tooMuch is what stops the validator, which can't be stopped in another way.
type tooMuch struct{}

const effortFormat = "winnow-effort"

func (e *effort) format() *jsonschema.Format {
	return &jsonschema.Format{Name: effortFormat, Validate: func(any) error {
		if e.left--; e.left < 0 {
			panic(tooMuch{})
		}
		return nil
	}}
}

// check runs the validator within the bound.
func (e *effort) check(s *jsonschema.Schema, value any) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.left = maxEffort
	defer func() {
		switch recover() {
		case nil:
		case tooMuch{}:
			err = &SchemaError{Reason: "checking takes too long: the schema combines too many alternatives"}
		default: // the validator eats foreign bytes
			err = &SchemaError{Reason: "the value can't be checked"}
		}
	}()
	return s.Validate(value)
}

// counted puts the counting format into s, in place, and into all schemas that it can reach.
func counted(s, root map[string]any) {
	if s["format"] == effortFormat {
		return
	}
	s["format"] = effortFormat
	if target, ok := lookup(root, s["$ref"]); ok {
		counted(target, root)
	}
	eachSubschema(s, "", func(sub map[string]any, _ string) error {
		counted(sub, root)
		return nil
	})
}

// lookup finds what a reference within the document points to.
func lookup(root map[string]any, ref any) (map[string]any, bool) {
	text, _ := ref.(string)
	path, ok := strings.CutPrefix(text, "#/")
	if !ok {
		return nil, false
	}
	at := root
	for step := range strings.SplitSeq(path, "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if at, ok = at[step].(map[string]any); !ok {
			return nil, false
		}
	}
	return at, true
}
