// Package tab is one tab of a browser: the calls of the driver for it, and how one that hangs is freed. It may change without notice.
//
// Start from New and Do. No call of the driver's library is made but through this package.
//
//	tab.go   Tab: its making, death and end
//	call.go  Do, Try, Run, Start: every call of the driver
//	ask.go   Ask: calls that people make beside the owner's
//	answer.go  what the browser answers: fields, numbers, documents that were replaced
//	frames.go  Identify: who a tab and its frames say they are
//	window.go  WatchWindows: the tabs that a page opens
//	intercept.go  Intercept: requests that the browser holds until they are answered
package tab
