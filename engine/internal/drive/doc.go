// Package drive has a model operate one live page until a goal is reached: it reads the page as an accessibility
// snapshot, and clicks, types, selects, presses, scrolls and waits by the references in it. It knows no browser: a
// [Page] is given. What the page says is untrusted text for the model, and the model's calls are checked like any
// untrusted input: it can do nothing but use the tools on the elements that the last snapshot has shown.
//
// Start with [Run].
//
//   - drive.go — [Run], [Options], [Outcome]
//   - page.go — [Page], the contract with a browser
//   - tools.go — the tools: what they take, do and return
//   - hand.go — [Hand]: single tools, without a run
//   - act.go — how an element is acted on, and what the page has become by it
//   - replay.go — the actions that do the same without a model
//   - secrets.go — [Secret]: texts that the model can have typed, but never sees
//   - prompts.go — the prompts
package drive
