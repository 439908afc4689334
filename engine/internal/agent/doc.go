// Package agent has a model gather data from the web for a goal: it makes a plan, then searches, maps, scrapes,
// operates pages and notes what it finds, until it says that it is done; of the notes it makes a result that follows
// a schema. It knows neither engine nor browser: [Tools] are given. What pages say is foreign text, which can change
// neither goal nor tools, and where the model may go is decided here, not by it.
//
// Start with [Run].
//
//   - agent.go — [Run], [Options], [State], [Outcome]
//   - task.go — [Work]: the job of a run, with its accounts
//   - tools.go — [Tools], the contract with the web, and what the model is offered of it
//   - sites.go — which addresses are within reach
//   - notes.go — what was found, and how it outlasts the conversation
//   - result.go — the result, by a schema or without one
//   - prompts.go — the prompts
package agent
