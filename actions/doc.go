// Package actions says what can be done on a live page before its content is
// read: the words of the request ([Action]) and of the answer ([Output]).
//
// It knows no browser and does nothing by itself. Performing actions on a page
// comes with the browser issue; until then the engine refuses requests that
// carry any.
//
//   - action.go — [Action] and [Type], one step of a request
//   - output.go — [Output], what the steps gave
package actions
