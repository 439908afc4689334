// Package llmtest is a scripted substitute for a model. It may change without notice.
// It is a server on the loopback address that speaks the chat-completions protocol and answers as a script
// prescribes, so that tests and example programs take the whole path of a real one: streaming, tool calls, usage,
// errors, rate limits, broken JSON, stalls and cut connections. It does not interpret the requests, and it is no
// mock of [llm.Model].
//
// Start with [NewServer] in tests and [Start] in programs, and call [Server.Model].
//
//   - server.go — [Server], its start and end, and which step a request gets
//   - script.go — [Step] and [Reply], and the usual ones by name
//   - request.go — [Request]: a request, read and checked as strict servers do
//   - reply.go — how a reply is written, streamed and whole
//   - embedder.go — [Embedder]: a server whose vectors are counts of hashed words
package llmtest
