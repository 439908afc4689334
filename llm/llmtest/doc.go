// Package llmtest is a model without a model: a server on the loopback address that speaks the
// chat-completions protocol and answers as a script says, so that tests and example programs go
// the whole way of a real one: streaming, tool calls, usage, errors, rate limits, broken JSON, stalls
// and cut connections. It understands nothing of what it is asked, and it is no mock of [llm.Model].
//
// Start with [NewServer] in tests and [Start] in programs, and ask [Server.Model].
//
//   - server.go — [Server], its life, and which step a request gets
//   - script.go — [Step] and [Reply], and the usual ones by name
//   - request.go — [Request]: what was asked, read and checked as strict servers do
//   - reply.go — how a reply is written, streamed and whole
package llmtest
