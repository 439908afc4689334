// Package tracking finds what changed between two markdown texts of one page. Its
// functions are pure: they neither fetch nor keep anything, and know nothing of when
// or where a text was seen.
//
// Both texts are first brought into a normalised form, in which one line is one
// paragraph, heading, list item, table row or line of code. Two texts are the same
// when their normalised forms are equal, byte for byte and in the same order; a diff is
// one of the normalised forms, so it never shows what doesn't count. What doesn't count:
//
//   - white space: runs of it (also tabs, no-break spaces and line breaks inside a
//     paragraph, hard ones too) are one space, blank lines only part blocks, and
//     zero-width characters are dropped; in fenced code only white space at line ends
//   - which of -, * and + marks a list, which line makes a rule, whether a heading is
//     underlined, how wide the rule under a table's head is
//   - indentation, but for two things: below which other item a list item stands, and code
//   - tracking parameters in http and https URLs outside code (see trackingNames);
//     other parameters and their order count
//   - links to frames, [iframe](…)
//
// The normalised form is made to be compared and read, not to be rendered: paragraphs
// and code inside list items aren't indented any more. Code is fenced code; code that
// is marked by indentation alone is taken for a paragraph.
//
// Start from [Same] and [Diff].
//
//	same.go      Same
//	blocks.go    Blocks, Prose, Align: the same for those who compare blocks themselves
//	diff.go      Diff, and how large texts may be
//	script.go    which lines go, come and stay, and that as a unified diff
//	refine.go    further lines that can stay, where lines repeat
//	parse.go     Parse: a unified diff in the parsed form of the service
//	normal.go    the normalised form: lines to blocks, blocks to lines
//	shape.go     what a line is by its beginning: quotes, list markers, fences, rules
//	white.go     white space and zero-width characters
//	links.go     URLs in a text, and their tracking parameters
//	spans.go     which parts of a line are code
package tracking
