package agent

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// result makes the result of notes and answer.
func (a *agent) result(ctx context.Context) (json.RawMessage, error) {
	whole := object(a.answer)
	switch {
	case whole != nil && (a.o.Schema == nil || a.o.Schema.Validate(whole) == nil):
		return whole, nil
	case a.o.Schema == nil && a.answer != "":
		return json.Marshal(map[string]string{"answer": a.answer})
	}
	info := a.o.Last.Info()
	room := max(info.Context-min(info.Output, info.Context/2)-llm.Tokens(a.o.Prompt)-a.schemaTokens()-500, 500)
	text := "The goal:\n" + a.o.Prompt
	if a.answer != "" {
		text += "\n\n" + llm.Fence("findings", cut(a.answer, room/3))
	}
	if notes := a.fencedNotes(room / 2); notes != "" {
		text += "\n\n" + notes
	}
	value, _, err := llm.JSON(ctx, a.o.Last, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: resultRules + "\n\n" + llm.UntrustedRule},
		{Role: llm.User, Text: text},
	}}, a.o.Schema)
	return value, err
}

func (a *agent) schemaTokens() int {
	if a.o.Schema == nil {
		return 0
	}
	return llm.Tokens(string(a.o.Schema.ForModel()))
}

// object gives a text that is a JSON object as a whole, nil else.
func object(text string) json.RawMessage {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}

// cut cuts a text to at most so many tokens.
func cut(text string, tokens int) string {
	parts := llm.Split(text, tokens, 0)
	if len(parts) < 2 {
		return text
	}
	return parts[0] + "\n[cut]"
}
