// Package actions defines the steps that are performed on a live page before its content is
// read, and performs them on any [Page]: it knows no browser. Start from [Validate],
// which refuses an invalid list, and [Run], which performs one.
//
// It never starts a goroutine, keeps no state between runs and has no wait that
// the context doesn't end. It does not read the page afterwards (the
// caller does) or choose the page.
//
//   - action.go — [Action] and [Type], one step of a request
//   - decode.go — the JSON of an action, strict; [Decode] for a list
//   - validate.go — [Validate] and [Waits]: ranges, exclusive fields, the limits of a list
//   - fields.go — which fields an action type has, and [OptionError]
//   - keys.go — the key names that a press may have
//   - framepath.go — [FramePath], selectors that name a frame
//   - page.go — [Page], the contract between an action and a browser
//   - failure.go — [Failure] and [Reason]: why a page could not do it
//   - script.go, script.js — how a script's value becomes a [JavaScriptReturn]
//   - run.go — [Run], [Options] and [Error]
//   - perform.go — one function for each action type
//   - output.go — [Output], the results of the steps, and the files that they have the browser save
//   - actionstest/ — the suite that any Page must pass, and a fake one
package actions
