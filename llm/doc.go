// Package llm asks language models. It knows no page, no engine and no job: what is asked
// comes from its callers, and every call goes over an HTTP client that they give.
//
// Start with [Model], the one interface that everything here and above asks, and [NewOpenAI],
// which speaks chat completions to any compatible server, local ones included. [JSON] asks for
// a value that follows a [Schema], [Meter] keeps a piece of work within its tokens, and [Fence]
// is where everything foreign stands in a prompt. Tests ask the scripted server of llmtest.
//
//   - model.go — [Model], [Request], [Answer], [Info], [Usage], and the errors
//   - openai.go — [OpenAI] and its options
//   - ask.go — a call with its retries; attempt.go — one try
//   - assembly.go — an answer out of the pieces that come
//   - dialect.go — requests as the server takes them, learnt from what it refuses
//   - doer.go — the bounds of silence, length and lines; servererror.go — [ServerError]
//   - json.go — [JSON]: find, check, ask once more
//   - schema.go — [Schema]; keywords.go — what is put right and what models aren't told;
//     effort.go — the bound on checking
//   - meter.go — [Meter]; tokens.go — [Tokens]; split.go — [Split]; each.go — [Each]
//   - fence.go — [Fence]; visible.go — [Visible]
package llm
