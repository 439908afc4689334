package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/winnow-go/winnow/llm/llmtest"
)

// variety finds an apple's description in the pages of the built-in site.
var variety = regexp.MustCompile(`Variety: (\w+)\s+Price: ([\d.]+) EUR a kilo\s+Harvest: (\w+)`)

// answer is the scripted model: it finds apples where the built-in site describes them, and
// quotes the words that support each value. A real model reads any page.
func answer(r llmtest.Request) llmtest.Reply {
	m := variety.FindStringSubmatch(r.Last())
	if m == nil {
		return llmtest.Reply{Text: reply(`{"apples":[]}`)}
	}
	data := fmt.Sprintf(`{"apples":[{"name":%q,"pricePerKilo":%s,"harvest":%q}]}`, m[1], m[2], m[3])
	return llmtest.Reply{Text: reply(data,
		"/apples/0/name", "Variety: "+m[1], "/apples/0/pricePerKilo", "Price: "+m[2]+" EUR a kilo", "/apples/0/harvest", "Harvest: "+m[3])}
}

// reply puts data into the form of answers with quotes, which come as pairs of pointer and quote.
func reply(data string, quotes ...string) string {
	var list []string
	for i := 0; i+1 < len(quotes); i += 2 {
		list = append(list, fmt.Sprintf(`{"path":%q,"quote":%q}`, quotes[i], quotes[i+1]))
	}
	return fmt.Sprintf(`{"data":%s,"evidence":[%s]}`, data, strings.Join(list, ","))
}
