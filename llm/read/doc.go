// Package read makes a model read a page's text. It may change without notice.
// The model can summarize it, answer from it, quote it, clean it, extract data, compare two versions. It fetches
// nothing, renders nothing and keeps nothing: text in, text or JSON out, by an [llm.Model] that the caller passes
// (and meters, and chooses: the package doesn't know of lockdown or zero data retention).
//
// Text of the page stands inside [llm.Fence] in every request, and the model's answers are
// checked: quotes are looked for in the text, numbers of blocks must exist, JSON follows its
// schema. So a page that instructs its reader gains at most a wrong sentence in a summary or answer.
// Long pages are read in parts, which are put together; no text is dropped silently.
//
// Start with [Summary] and [Extract]. All functions are safe for concurrent use, start no
// goroutine that outlives them, and end with the errors of [llm.Model] as found by errors.Is.
//
//   - summary.go — [Summary], [Answer], and reading in rounds of notes
//   - highlights.go — [Highlights], [Quote]: verbatim pieces
//   - clean.go — [Clean]: blocks that go
//   - extract.go — [Extract], [Fields], [Extracted]: data by schema and prompt
//   - extractparts.go — the same of a page that is read in parts
//   - evidence.go, grounds.go, support.go — which words of the page a value came from
//   - merge.go — [Merge]: data of several parts or pages
//   - differences.go — [Differences]: two versions
//   - injection.go — [ErrInjection]: pages that instruct models
//   - ask.go — one question: what fits, the request, parts
//   - numbered.go — pieces that a model names by number
//   - blocks.go, sentences.go — markdown in blocks, prose in sentences
//   - relax.go, tree.go — schemas with gaps; JSON that keeps its order
//   - prompts.go — the prompts
package read
