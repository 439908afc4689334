package toolloop

import (
	"context"
	"strings"
	"time"

	"github.com/winnow-go/winnow/llm"
)

// maxParts of a long text are read.
const maxParts = 8

// Parts cuts the text of a page into parts that the model can read, at most 8 of the whole number.
func Parts(text string, m llm.Model) (parts []string, whole int) {
	parts = llm.Split(text, max(m.Info().Context/2-1000, 200), 50)
	return parts[:min(maxParts, len(parts))], len(parts)
}

// Read lets m take something out of a part of a page's text, in at most so many tokens; "" is nothing. It waits for the answer as
// [Ask] does.
func Read(ctx context.Context, m llm.Model, what, part string, maxTokens int, left *time.Duration) (string, llm.Usage, error) {
	info := m.Info()
	answer, err := Ask(ctx, m, llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: readRules + "\n\n" + llm.UntrustedRule},
			{Role: llm.User, Text: "What to give: " + what + "\n\n" + llm.Fence("page text", part)},
		},
		MaxTokens: min(max(info.Output, 1), max(info.Context/4, 1), maxTokens),
	}, left)
	said := strings.TrimSpace(answer.Text)
	if strings.Trim(said, `."`) == "NONE" {
		said = ""
	}
	return said, answer.Usage, err
}

const readRules = `You read the text of a web page, or a part of it, and give what is asked for, exactly as the text has it: nothing else, nothing invented. If the text has nothing of it, answer with the one word NONE.`
