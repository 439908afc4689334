// Package toolloop lets a model reach a goal by calling tools, one at a time, until it says that it is done.
// It knows no page and no job: what the tools do is their makers' affair. It keeps the conversation within
// the model's context, and ends what leads nowhere: too many steps, no progress, no call at all.
//
// Start with [Run].
//
//   - toolloop.go — [Run], [Options], [Tool], [Result], [Step], [End] and the errors
//   - turn.go — one step: asking, checking the call, running the tool, noticing repetitions
//   - talk.go — the conversation: what the model is told, and what is dropped when it grows too long
//   - arguments.go — [Decode], for tools
package toolloop
