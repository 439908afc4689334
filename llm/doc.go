// Package llm asks language models. It knows no page, no engine and no job: what is asked
// comes from its callers, and every call goes over an HTTP client that they give.
//
// Start with [Model], the one interface that everything here and above asks, and [NewOpenAI],
// which speaks chat completions to any compatible server, local ones included.
//
//   - model.go — [Model], [Request], [Answer], [Info], [Usage], and the errors
package llm
