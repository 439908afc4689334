package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// The model is a scripted one here; llm.NewOpenAI makes one that asks a server.
func ExampleEngine_StartAgent() {
	model, err := llmtest.Start(
		llmtest.CallTool("scrape", `{"url":"http://orchard.example/"}`),
		llmtest.CallTool("done", `{"answer":"{\"price\":\"2 euros\"}"}`),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	e, err := engine.New(engine.Options{
		Model:  model.Model(),
		Render: engine.RenderNever,
		Hosts: map[string]http.Handler{"orchard.example": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html><title>Orchard</title><main><p>Pears cost 2 euros a piece.</p></main></html>")
		})},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()

	job, err := e.StartAgent(context.Background(), engine.AgentOptions{
		Prompt: "What do pears cost?",
		URLs:   []string{"http://orchard.example/"},
		Schema: json.RawMessage(`{"type":"object","properties":{"price":{"type":"string"}},"required":["price"]}`),
		Effort: engine.EffortLow,
	})
	if err != nil {
		log.Fatal(err)
	}
	data, err := job.Result(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(data))
	// Output: {"price":"2 euros"}
}
