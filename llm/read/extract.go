package read

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// Fields describe what to extract. The zero value extracts what the page is mainly about.
type Fields struct {
	// Schema of the data. Nil: an object whose fields the model chooses.
	Schema *llm.Schema
	// Prompt describes in words what is wanted. It works with and without Schema.
	Prompt string
	// SystemPrompt is added to the system message. It comes from the caller and is trusted.
	SystemPrompt string
	// Evidence requests the words of the page that each single value was taken from. They are
	// looked for in the page, and a value that they don't support becomes null, with a warning,
	// also where Schema doesn't allow null.
	Evidence bool
	// Partial marks the page as one of several whose data [Merge] puts together: it may have
	// only some of the data, so what Schema requires may be left out or null.
	Partial bool
	// CheckInjection refuses a page that tries to instruct models: [ErrInjection].
	CheckInjection bool
}

// Extracted is data from a page.
type Extracted struct {
	// JSON is the data; null if the page has none of it.
	JSON json.RawMessage
	// Evidence by JSON pointer into JSON (RFC 6901): pieces of the page's text, title or URL,
	// exactly as they stand there. Nil if Evidence is off.
	Evidence map[string]string
	Warnings []string
}

// answerTimes is how much longer than an answer a part of a page may be, so that the answer
// holds all that is to be found there; with quotes less.
const (
	answerTimes       = 6
	quotedAnswerTimes = 3
)

// Extract reads data out of a page. The model's answer is checked against the schema. A page
// that is longer than the model supports, or whose data doesn't fit into one answer, is read in
// parts, which [Merge] puts together. Without any data JSON is null, with a warning.
// Errors: [ErrInjection], [llm.ErrMalformed] with the failing path, and those of the model.
func Extract(ctx context.Context, m llm.Model, p Page, f Fields) (Extracted, error) {
	if p.blank() {
		return Extracted{JSON: json.RawMessage("null"), Warnings: []string{noText}}, nil
	}
	if f.CheckInjection {
		if err := checkInjection(ctx, m, p); err != nil {
			return Extracted{}, err
		}
	}
	x := extraction{m: m, p: p, f: f, grounds: newGrounds(p.Text, p.Title, p.URL)}
	root, warnings, err := x.read(ctx)
	if err != nil {
		return Extracted{}, fmt.Errorf("extract: %w", err)
	}
	return extracted(root, known(warnings)), nil
}

// extraction is one call of [Extract].
type extraction struct {
	m       llm.Model
	p       Page
	f       Fields
	grounds grounds
}

// read sends the whole page where that is possible, else its parts.
func (x extraction) read(ctx context.Context) (*node, []string, error) {
	whole, err := x.job(false)
	if err != nil {
		return nil, nil, err
	}
	parts, err := whole.parts(x.p.Text, x.partTokens(whole))
	if err != nil {
		return nil, nil, err
	}
	if len(parts) == 1 {
		parts = smaller(x.p.Text)
		root, err := x.ask(ctx, whole, x.p.Text, len(parts) > 1)
		if !tooLong(err) || len(parts) < 2 {
			return root, nil, err
		}
	}
	return x.readParts(ctx, parts)
}

func (x extraction) partTokens(j job) int {
	_, output := j.room()
	if x.f.Evidence {
		return max(output*quotedAnswerTimes, 2*minRoom)
	}
	return max(output*answerTimes, 2*minRoom)
}

// job is the question: in the schema's form about the whole page, in one with gaps about a part.
func (x extraction) job(part bool) (job, error) {
	j := job{m: x.m, p: x.p, system: x.f.SystemPrompt, task: x.task(part)}
	form, err := x.form(part)
	if err != nil {
		return j, err
	}
	j.schema, err = llm.CompileSchema(form)
	return j, err
}

func (x extraction) task(part bool) string {
	task := []string{extractTask}
	if x.f.Schema == nil {
		task = append(task, extractFreeTask)
	}
	if x.f.Evidence {
		task = append(task, extractEvidenceTask)
	}
	if part {
		task = append(task, extractPartTask)
	}
	switch {
	case x.f.Prompt != "":
		task = append(task, "What is wanted: "+x.f.Prompt)
	case x.f.Schema == nil:
		task = append(task, extractAnyTask)
	}
	return strings.Join(task, "\n\n")
}

// form is the schema of the answer.
func (x extraction) form(part bool) (json.RawMessage, error) {
	data := newObject("type", newText("object"))
	if x.f.Schema != nil {
		part = part || x.f.Partial
		if !part && !x.f.Evidence {
			return x.f.Schema.Raw(), nil
		}
		how := nullLeaves
		if part {
			how = anyPart
		}
		var err error
		if data, err = relaxed(x.f.Schema, how); err != nil {
			return nil, err
		}
	}
	if x.f.Evidence {
		data = envelope(data)
	}
	return data.json(), nil
}

// ask sends a text and grounds the answer. With again set a cut answer is an error, for
// the text can be sent in smaller parts.
func (x extraction) ask(ctx context.Context, j job, text string, again bool) (*node, error) {
	if again {
		j.m = uncut{j.m}
	}
	raw, err := j.json(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	root, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", llm.ErrMalformed, err)
	}
	if !x.f.Evidence {
		return root, nil
	}
	return x.ground(root)
}

// ground takes the data out of its envelope.
func (x extraction) ground(answer *node) (*node, error) {
	var list []quoted
	if err := json.Unmarshal(answer.get("evidence").json(), &list); err != nil {
		return nil, fmt.Errorf("%w: %w", llm.ErrMalformed, err)
	}
	root := answer.get("data")
	var schema *node
	if x.f.Schema != nil {
		var err error
		if schema, err = parse(x.f.Schema.Raw()); err != nil {
			return nil, err
		}
	}
	newEvidence(list, root).ground(root, x.grounds, schema)
	return root, nil
}
