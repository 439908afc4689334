package llmtest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// A program that runs without a key: the "model" computes its answer from the prompt.
func ExampleStart() {
	server, err := llmtest.Start(
		llmtest.RateLimited(1),
		llmtest.Func(func(r llmtest.Request) llmtest.Reply {
			return llmtest.Reply{Text: fmt.Sprintf("You said %d bytes.", len(r.Last()))}
		}))
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	answer, err := server.Model().Ask(context.Background(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}})
	fmt.Println(answer.Text, err, len(server.Requests()))
	// Output: You said 5 bytes. <nil> 2
}
