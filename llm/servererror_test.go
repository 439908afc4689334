package llm_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

func TestOpenAI_Ask_sortsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		reply llmtest.Reply
		want  error
		asked int
	}{
		"key":               {llmtest.Reply{Status: 401, Code: "invalid_api_key", Message: "Incorrect API key provided: sk-secret"}, llm.ErrRefused, 1},
		"unknown model":     {llmtest.Reply{Status: 404, Code: "model_not_found"}, llm.ErrRefused, 1},
		"bad request":       {llmtest.Reply{Status: 400, Message: "no"}, llm.ErrRefused, 1},
		"quota":             {llmtest.Reply{Status: 429, Code: "insufficient_quota"}, llm.ErrRefused, 1},
		"context":           {llmtest.TooLong().Reply, llm.ErrTooLong, 1},
		"context, local":    {llmtest.Reply{Status: 500, Message: "the request exceeds the available context size"}, llm.ErrTooLong, 1},
		"body too large":    {llmtest.Reply{Status: 413}, llm.ErrTooLong, 1},
		"rate":              {llmtest.RateLimited(1).Reply, llm.ErrUnavailable, 3},
		"overloaded":        {llmtest.Reply{Status: 503, Message: "overloaded"}, llm.ErrUnavailable, 3},
		"no JSON":           {llmtest.Reply{Status: 502, Raw: "<html>bad gateway sk-secret", ContentType: "text/html"}, llm.ErrUnavailable, 3},
		"odd error":         {llmtest.Reply{Status: 500, Raw: `{"error":"out of memory sk-secret"}`}, llm.ErrUnavailable, 3},
		"odder error":       {llmtest.Reply{Status: 500, Raw: `{"error":[1],"detail":{}}`}, llm.ErrUnavailable, 3},
		"filter":            {llmtest.Reply{Text: "I", FinishReason: "content_filter"}, llm.ErrRefused, 1},
		"broken off":        {llmtest.Reply{Text: "This is a text that breaks off.", BreakAfter: 5}, llm.ErrUnavailable, 3},
		"closed at once":    {llmtest.Reply{BreakAfter: -1}, llm.ErrUnavailable, 3},
		"broken events":     {llmtest.Reply{Raw: "data: {\"choices\": sk-secret\n\n"}, llm.ErrUnavailable, 3},
		"no end":            {llmtest.Reply{Raw: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n"}, llm.ErrUnavailable, 3},
		"error amid events": {llmtest.Reply{Raw: "data: {\"error\":{\"message\":\"crashed sk-secret\",\"code\":\"boom\"}}\n\n"}, llm.ErrUnavailable, 3},
		"refusal":           {llmtest.Reply{Raw: "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I won't.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}, llm.ErrRefused, 1},
	} {
		s := llmtest.NewServer(t, llmtest.Step{Reply: c.reply, Times: -1})
		var log bytes.Buffer
		m := s.Model(func(o *llm.OpenAIOptions) {
			o.Key, o.Retries = "sk-secret", 2
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		answer, err := m.Ask(t.Context(), ask("private question"))
		e, ok := errors.AsType[*llm.ServerError](err)
		if !errors.Is(err, c.want) || !ok || len(s.Requests()) != c.asked {
			t.Errorf("%s: %v, asked %d times", name, err, len(s.Requests()))
			continue
		}
		if c.reply.Status != e.Status {
			t.Errorf("%s: status %d", name, e.Status)
		}
		if all := err.Error() + log.String() + e.Message; strings.Contains(all, "sk-secret") || strings.Contains(all, "private") {
			t.Errorf("%s: the key or the question is shown: %s", name, all)
		}
		if c.reply.Text != "" && answer.Usage.InputTokens == 0 {
			t.Errorf("%s: tokens were spent, usage %+v", name, answer.Usage)
		}
	}
}
