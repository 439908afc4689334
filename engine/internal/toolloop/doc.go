// Package toolloop has a model reach a goal by calling tools, one at a time, until it says that it is done. It knows
// no page and no job: what the tools do is their makers' affair. It keeps the conversation within the model's
// context, and ends what leads nowhere: too many steps, no progress, no call at all.
//
// Start with [Run].
//
//   - toolloop.go — [Run], [Options], [Tool], [Result], [End] and the errors
//   - step.go — [Step], the record of a step of a model, for all who have one
//   - turn.go — one step: the request, checking the call, running the tool, noticing repetitions
//   - talk.go — the conversation: what the model gets, and what is dropped when it grows too long
//   - read.go — [Parts] and [Read]: something out of the text of a page
//   - arguments.go — [For], [Decode] and [Object], for tools
package toolloop
