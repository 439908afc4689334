// Package drivetest is the suite that every browser page must pass which package drive works on: real documents, a scripted
// model that speaks the real protocol, and pages that are against it. Start with [Suite].
//
//   - drivetest.go — [Suite], [Live], [Open]
//   - model.go — the scripted model
//   - site.go — the documents
//   - cases.go, hostile.go — the tests
package drivetest
