package read

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// Differences returns what has changed between two versions of a page:
// {"field": {"previous": …, "current": …}}, of the fields that differ; {} if none does. With a
// schema both versions are extracted as [Extract] does, and compared field by field; a field that
// a version lacks is null. Without one the model names the fields and returns their values as text;
// when both versions together are longer than the model supports, it gets only the blocks that the other
// version doesn't have, if need be in several parts, with a warning. Versions with the same text
// cost no call. Fields.Evidence is used only for unsupported values, which become null.
func Differences(ctx context.Context, m llm.Model, before, after Page, f Fields) (json.RawMessage, []string, error) {
	if before.Text == after.Text {
		return json.RawMessage("{}"), nil, nil
	}
	if f.Schema != nil {
		return compareFields(ctx, m, before, after, f)
	}
	if f.CheckInjection {
		for _, p := range []Page{before, after} {
			if err := checkInjection(ctx, m, p); err != nil {
				return nil, nil, err
			}
		}
	}
	changes, warnings, err := describe(ctx, m, before, after, f)
	if err != nil {
		return nil, nil, fmt.Errorf("differences: %w", err)
	}
	return changes.json(), warnings, nil
}

// compareFields extracts both versions and compares them.
func compareFields(ctx context.Context, m llm.Model, before, after Page, f Fields) (json.RawMessage, []string, error) {
	versions := []Page{before, after}
	got, err := llm.Each(ctx, 0, []string{"previous", "current"}, func(ctx context.Context, i int, name string) (Extracted, error) {
		e, err := Extract(ctx, m, versions[i], f)
		if err != nil {
			err = fmt.Errorf("%s version: %w", name, err)
		}
		for i := range e.Warnings {
			e.Warnings[i] = name + " version: " + e.Warnings[i]
		}
		return e, err
	})
	if err != nil {
		return nil, nil, err
	}
	was, err := parse(got[0].JSON)
	if err != nil {
		return nil, nil, err
	}
	is, err := parse(got[1].JSON)
	if err != nil {
		return nil, nil, err
	}
	return compare(was, is).json(), append(got[0].Warnings, got[1].Warnings...), nil
}

// compare returns the fields that differ. Data that isn't an object is one field called value.
func compare(was, is *node) *node {
	if was.shape != object && !was.null() || is.shape != object && !is.null() {
		was, is = newObject("value", was), newObject("value", is)
	}
	changes := newObject()
	for _, key := range append(append([]string(nil), was.keys...), is.keys...) {
		previous, current := orNull(was.get(key)), orNull(is.get(key))
		if previous.canonical() != current.canonical() {
			changes.set(key, newObject("previous", previous, "current", current))
		}
	}
	return changes
}

func orNull(n *node) *node {
	if n == nil {
		return newNull()
	}
	return n
}

// describe makes the model list what differs.
func describe(ctx context.Context, m llm.Model, before, after Page, f Fields) (*node, []string, error) {
	s, err := form(`{"type":"object","properties":{"changes":{"type":"array","items":{"type":"object","properties":{
		"field":{"type":"string"},"previous":{"type":["string","null"]},"current":{"type":["string","null"]}},
		"required":["field","previous","current"]}}},"required":["changes"]}`)
	if err != nil {
		return nil, nil, err
	}
	j := job{m: m, p: Page{URL: after.URL, Title: after.Title}, system: f.SystemPrompt, task: differencesTask, schema: s}
	if f.Prompt != "" {
		j.task += "\n\nWhat is wanted: " + f.Prompt
	}
	input, _ := j.room()
	input -= minRoom + llm.Tokens(differencesPiecesTask) // the second fence
	changes, warnings, err := j.allChanges(ctx, before, after, input)
	if tooLong(err) && input >= 2*minRoom { // the estimate was too low
		changes, warnings, err = j.allChanges(ctx, before, after, input/2)
	}
	return byField(changes), warnings, err
}

// allChanges sends both versions in questions of at most limit tokens.
func (j job) allChanges(ctx context.Context, before, after Page, limit int) ([][]change, []string, error) {
	pairs, warnings, err := versionPairs(before, after, limit)
	if err != nil {
		return nil, nil, err
	}
	if len(warnings) > 0 {
		j.task += "\n\n" + differencesPiecesTask
	}
	changes, err := llm.Each(ctx, 0, make([]string, len(pairs)), func(ctx context.Context, i int, _ string) ([]change, error) {
		return j.changes(ctx, pairs[i])
	})
	return changes, warnings, err
}

type change struct {
	Field             string
	Previous, Current *string
}

func (j job) changes(ctx context.Context, pair [2]string) ([]change, error) {
	var said struct{ Changes []change }
	fenced := j.p.fenced("previous version", pair[0]) + "\n\n" + j.p.fenced("current version", pair[1])
	_, err := j.jsonOf(ctx, j.send(fenced), &said)
	return said.Changes, err
}

// byField gives each change a field of its own; a second one of the same name gets a number.
func byField(parts [][]change) *node {
	all, used := newObject(), map[string]int{}
	for _, part := range parts {
		for _, c := range part {
			field := strings.TrimSpace(c.Field)
			if field == "" || len(all.keys) >= maxKeys || textOr(c.Previous).raw == textOr(c.Current).raw {
				continue
			}
			all.set(freeName(used, field), newObject("previous", textOr(c.Previous), "current", textOr(c.Current)))
		}
	}
	return all
}

// freeName returns field, or field with the next number that makes it a new name.
func freeName(used map[string]int, field string) string {
	name := field
	for used[name] > 0 {
		used[field]++
		name = field + strconv.Itoa(used[field])
	}
	used[name] = 1
	return name
}

func textOr(s *string) *node {
	if s == nil {
		return newNull()
	}
	return newText(*s)
}

// versionPairs returns both versions whole if they fit into one question; else what the other
// doesn't have, in as many parts as it takes.
func versionPairs(before, after Page, input int) ([][2]string, []string, error) {
	if input < minRoom {
		return nil, nil, fmt.Errorf("no page fits beside the prompt: %w", llm.ErrTooLong)
	}
	if llm.Tokens(before.Text)+llm.Tokens(after.Text) <= input {
		return [][2]string{{before.Text, after.Text}}, nil, nil
	}
	was, is := only(before.Text, after.Text), only(after.Text, before.Text)
	olds, news := llm.Split(was, input/2, 0), llm.Split(is, input/2, 0)
	pairs := make([][2]string, max(len(olds), len(news)))
	if len(pairs) > maxParts {
		return nil, nil, fmt.Errorf("the differences have %d parts, at most %d are read: %w", len(pairs), maxParts, llm.ErrTooLong)
	}
	for i := range pairs {
		if i < len(olds) {
			pairs[i][0] = olds[i]
		}
		if i < len(news) {
			pairs[i][1] = news[i]
		}
	}
	return pairs, []string{fmt.Sprintf("the versions are longer than the model supports; only the blocks that differ were compared, in %d parts", len(pairs))}, nil
}

// only returns the blocks of a text that the other doesn't have as often.
func only(text, other string) string {
	has := countBlocks(other)
	var kept strings.Builder
	for _, b := range blocks(text) {
		body := strings.TrimSpace(text[b.start:b.body])
		if has[body]--; has[body] < 0 {
			kept.WriteString(text[b.start:b.body] + "\n\n")
		}
	}
	return kept.String()
}

// countBlocks returns how often a text has each of its blocks.
func countBlocks(text string) map[string]int {
	has := map[string]int{}
	for _, b := range blocks(text) {
		has[strings.TrimSpace(text[b.start:b.body])]++
	}
	return has
}
