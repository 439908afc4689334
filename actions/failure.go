package actions

import "errors"

// Reason is why a page refused an action.
type Reason string

// The reasons. Each comment describes the Failure.Detail of it.
const (
	NoMatch     Reason = "nothing matched"  // where a path ends, or that frames did not answer; mostly none
	BadSelector Reason = "invalid selector" // the browser's message, if any
	Covered     Reason = "covered by"       // the opening tag of the covering element
	Moving      Reason = "moving"           // no detail: it doesn't come to rest
	OutOfView   Reason = "out of view"      // no detail: it can't be scrolled into the window
	Ambiguous   Reason = "ambiguous"        // how many elements match in which frames
	Detached    Reason = "detached"         // no detail: the element left the document meanwhile
	NotVisible  Reason = "not visible"      // that it is an option of a select; mostly none
	Disabled    Reason = "disabled"         // that it is so by its style; mostly none
	NotFocused  Reason = "nothing that takes text has the focus"
	BadKey      Reason = "unknown key"  // the name
	ScriptThrew Reason = "script threw" // the thrown value as text: "TypeError: x is not a function"
	TimedOut    Reason = "timed out"    // what was waited for: "after 30s: nothing matched"
	TooLarge    Reason = "too large"    // the size and what is allowed
)

// Failure is what a [Page] returns when the page, not the browser, is the reason that an
// action failed. It never wraps a context's error.
type Failure struct {
	Reason Reason
	Detail string // see the Reason; may be empty
	Err    error  // the browser library's own error, for the log; may be nil
}

// Error is one line of at most some hundred characters, without Err's text.
func (f *Failure) Error() string {
	detail := oneLine(f.Detail, 300)
	switch {
	case detail == "":
		return string(f.Reason)
	case f.Reason == Covered, f.Reason == TimedOut:
		return string(f.Reason) + " " + detail
	}
	return string(f.Reason) + ": " + detail
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// ReasonOf returns the Reason of the *Failure within err, or "" if there is none.
func ReasonOf(err error) Reason {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.Reason
	}
	return ""
}
