// Package llm calls language models. It knows no page, no engine and no job: its callers
// write the prompts, and every call goes over an HTTP client that they pass.
//
// Start with [Model], the one interface that everything here and above calls, and [NewOpenAI],
// which speaks chat completions to any compatible server, local ones included. [JSON] requests
// a value that follows a [Schema], [Meter] keeps a piece of work within its token budget, and [Fence]
// marks all foreign text in a prompt. Tests call the scripted server of llmtest.
//
//   - model.go — [Model], [Request], [Answer], [Info], [Usage], and the errors
//   - openai.go — [OpenAI] and its options
//   - ask.go — a call with its retries; attempt.go — one try
//   - assembly.go — an answer out of its streamed pieces
//   - dialect.go — requests as the server takes them, learned from what it refuses
//   - doer.go — the bounds of silence, length and lines; servererror.go — [ServerError]
//   - json.go — [JSON]: find, check, retry once
//   - schema.go — [Schema]; keywords.go — what is corrected and what models don't receive;
//     effort.go — the bound on checking
//   - meter.go — [Meter]; tokens.go — [Tokens]; split.go — [Split]; each.go — [Each]
//   - fence.go — [Fence]; visible.go — [Visible]
//   - embed.go — [Embedder]; openaiembed.go — [OpenAIEmbedder] and its options
//
// # Servers
//
// llm.OpenAI speaks chat completions to hosted and local servers (Ollama, vLLM, llama.cpp). Without options it takes
// OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL. llm.OpenAIEmbedder makes vectors of texts by the embeddings call of
// the same servers. llm/llmtest is a scripted server of that protocol, for tests and examples without a model.
package llm
