package tracking

import (
	"fmt"
	"strconv"
	"strings"
)

// Parsed is a unified diff as the service gives it. Its JSON has the keys of the
// parse-diff package for JavaScript, with the list of files under "files".
type Parsed struct {
	Files []File `json:"files"` // never nil
}

// File is what changed in one file.
type File struct {
	From      string  `json:"from"`
	To        string  `json:"to"`
	Chunks    []Chunk `json:"chunks"` // never nil
	Additions int     `json:"additions"`
	Deletions int     `json:"deletions"`
}

// Chunk is one run of lines around changes. Lines count from 1.
type Chunk struct {
	Content  string   `json:"content"` // the line with the @@
	Changes  []Change `json:"changes"` // never nil
	OldStart int      `json:"oldStart"`
	OldLines int      `json:"oldLines"`
	NewStart int      `json:"newStart"`
	NewLines int      `json:"newLines"`
}

// Change is one line of a chunk, or the remark that the line before has no line break.
type Change struct {
	Type   string `json:"type"` // "normal", "add" or "del"; the field of that name is true
	Normal bool   `json:"normal,omitempty"`
	Add    bool   `json:"add,omitempty"`
	Del    bool   `json:"del,omitempty"`
	// Ln1 and Ln2 are the numbers of an unchanged line in the previous and in the
	// current text, Ln that of an added line in the current or of a deleted line in the
	// previous one. What doesn't apply is 0 and left out.
	Ln1     int    `json:"ln1,omitempty"`
	Ln2     int    `json:"ln2,omitempty"`
	Ln      int    `json:"ln,omitempty"`
	Content string `json:"content"` // with its leading " ", "+" or "-"
}

// SyntaxError says why a text is no unified diff.
type SyntaxError struct {
	Line    int // from 1
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("unified diff, line %d: %s", e.Line, e.Problem)
}

// Parse reads a unified diff, from [Diff] or from another tool. A text without any, as
// "", has no files. Lines between files that aren't part of a diff ("diff --git",
// "index") are passed over; a file that has nothing but these isn't listed. A text that
// breaks the format is a *[SyntaxError]. The result takes some dozens of bytes for each
// line and shares the memory of the text.
func Parse(unified string) (*Parsed, error) {
	p := parser{files: []File{}}
	for line := range strings.Lines(unified) {
		p.number++
		if err := p.line(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, err
		}
	}
	if p.number++; p.inHead || p.inChunk() {
		return nil, p.fail("the diff ends early")
	}
	return &Parsed{p.files}, nil
}

// parser reads a unified diff line by line.
type parser struct {
	files    []File
	number   int  // of the line
	inHead   bool // a "---" line was read, its "+++" line not yet
	old, new int  // the numbers of the chunk's next lines
	oldLeft  int  // lines that the chunk still has
	newLeft  int
}

func (p *parser) inChunk() bool { return p.oldLeft > 0 || p.newLeft > 0 }

func (p *parser) fail(problem string) error { return &SyntaxError{p.number, problem} }

func (p *parser) file() *File { return &p.files[len(p.files)-1] }

func (p *parser) chunk() *Chunk { return &p.file().Chunks[len(p.file().Chunks)-1] }

func (p *parser) line(line string) error {
	name, isTo := strings.CutPrefix(line, "+++ ")
	switch {
	case p.inChunk():
		return p.change(line)
	case p.inHead != isTo:
		return p.fail("a --- line and a +++ line belong together")
	case isTo:
		p.file().To, p.inHead = fileName(name), false
	case strings.HasPrefix(line, "--- "):
		p.files = append(p.files, File{From: fileName(line[4:]), Chunks: []Chunk{}})
		p.inHead = true
	case strings.HasPrefix(line, "@@ "):
		return p.openChunk(line)
	case strings.HasPrefix(line, `\`):
		return p.remark(line)
	}
	return nil
}

// fileName is the name without what other tools add: a time behind a tab, and git's
// a/ or b/ before it.
func fileName(text string) string {
	name, _, _ := strings.Cut(text, "\t")
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") {
		return name[2:]
	}
	return name
}

func (p *parser) openChunk(line string) error {
	if len(p.files) == 0 {
		return p.fail("a chunk before the first file")
	}
	ranges, _, closed := strings.Cut(line[3:], " @@")
	from, to, both := strings.Cut(ranges, " +")
	from, minus := strings.CutPrefix(from, "-")
	c := Chunk{Content: line, Changes: []Change{}}
	var ok1, ok2 bool
	c.OldStart, c.OldLines, ok1 = readSpan(from)
	c.NewStart, c.NewLines, ok2 = readSpan(to)
	if !closed || !both || !minus || !ok1 || !ok2 {
		return p.fail("not the head of a chunk")
	}
	p.file().Chunks = append(p.file().Chunks, c)
	p.old, p.oldLeft, p.new, p.newLeft = c.OldStart, c.OldLines, c.NewStart, c.NewLines
	return nil
}

// maxNumber bounds the numbers of lines, so that none of them overflows.
const maxNumber = 1 << 30

// readSpan reads "start,lines" or "start", which is of one line. Only a span without
// lines may start at 0.
func readSpan(text string) (start, lines int, ok bool) {
	first, second, two := strings.Cut(text, ",")
	if !two {
		second = "1"
	}
	start, ok = readNumber(first)
	lines, ok2 := readNumber(second)
	return start, lines, ok && ok2 && (start > 0 || lines == 0)
}

func readNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err == nil && n < maxNumber
}

func (p *parser) change(line string) error {
	switch {
	case strings.HasPrefix(line, `\`):
		return p.remark(line)
	case p.oldLeft > 0 && p.newLeft > 0 && (line == "" || line[0] == ' '):
		if line == "" { // some tools take the space off an empty line
			line = " "
		}
		p.push(Change{Type: "normal", Normal: true, Ln1: p.old, Ln2: p.new, Content: line}, 1, 1)
	case p.newLeft > 0 && strings.HasPrefix(line, "+"):
		p.push(Change{Type: "add", Add: true, Ln: p.new, Content: line}, 0, 1)
		p.file().Additions++
	case p.oldLeft > 0 && strings.HasPrefix(line, "-"):
		p.push(Change{Type: "del", Del: true, Ln: p.old, Content: line}, 1, 0)
		p.file().Deletions++
	default:
		return p.fail("the chunk has other lines than its head says")
	}
	return nil
}

// push adds a change that takes so many lines of the two texts.
func (p *parser) push(c Change, old, new int) {
	p.chunk().Changes = append(p.chunk().Changes, c)
	p.old, p.oldLeft = p.old+old, p.oldLeft-old
	p.new, p.newLeft = p.new+new, p.newLeft-new
}

// remark takes "\ No newline at end of file". As in parse-diff it's a change like the
// line it belongs to.
func (p *parser) remark(line string) error {
	if len(p.files) == 0 || len(p.file().Chunks) == 0 || len(p.chunk().Changes) == 0 {
		return p.fail("a remark without a line that it belongs to")
	}
	c := p.chunk().Changes[len(p.chunk().Changes)-1]
	c.Content = line
	p.push(c, 0, 0)
	return nil
}
