package office

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// RTF reads rich text, also without the header of a file. Deleted and hidden text, headers, footers, pictures and comments are left out;
// notes come at the end.
func RTF(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	i := bytes.Index(body[:min(len(body), 1024)], []byte(`{\rtf`))
	if i < 0 && !bytes.HasPrefix(bytes.TrimSpace(body), []byte(`{\`)) {
		return nil, &DamagedError{errors.New("no RTF header")}
	}
	r := newRTF(j, body[max(i, 0):])
	err := r.run()
	r.finish()
	return j.finish(err)
}

// rtfState is what a group inherits and gives back when it closes.
type rtfState struct {
	style   flow.Style
	hidden  bool
	skip    bool             // the destination isn't shown
	sink    *strings.Builder // where the text of a destination beside the text goes
	onClose func()
	font    int
	skipped int // characters that stand for one in Unicode
}

// rtf is a file being read.
type rtf struct {
	job    *job
	lex    rtfLexer
	state  rtfState
	stack  []rtfState
	star   bool // the next control word is a destination that may be passed over
	opened bool // a group has just opened

	codepage encoding.Encoding
	fonts    map[int]rtfFont
	styles   map[int]rtfStyleDef
	lists    rtfLists
	pending  []byte // bytes not decoded yet
	surro    rune   // first half of a pair
	drop     int    // characters still to be passed over after one in Unicode

	text   rtfTarget   // where the text goes
	outer  []rtfTarget // those that notes interrupted
	notes  []*flow.Flow
	fields []*rtfField
	cells  int // read so far
}

// maxGroups bounds how many groups may be open.
const maxGroups = 2000

func newRTF(j *job, data []byte) *rtf {
	r := &rtf{job: j, lex: rtfLexer{data: data}, codepage: charmap.Windows1252, fonts: map[int]rtfFont{}, styles: map[int]rtfStyleDef{}}
	r.lists = newRTFLists()
	r.text = rtfTarget{out: j.out}
	r.state.skipped = 1
	return r
}

func (r *rtf) run() error {
	for n := 1; ; n++ {
		if n%1024 == 0 {
			if err := r.job.ctx.Err(); err != nil {
				return err
			}
			if r.job.out.Full() {
				return nil
			}
		}
		t := r.lex.next()
		switch t.kind {
		case rtfEnd:
			return nil
		case rtfOpen:
			if len(r.stack) == maxGroups {
				return errors.New("too many groups")
			}
			r.flushBytes()
			r.stack = append(r.stack, r.state)
			r.state.onClose = nil
			r.opened, r.star, r.drop = true, false, 0
			continue
		case rtfClose:
			r.close()
		case rtfWord:
			r.word(t)
			continue
		case rtfText:
			r.bytes(t.text)
		case rtfByte:
			r.bytes([]byte{byte(t.value)})
		}
		r.opened, r.star = false, false
	}
}

func (r *rtf) close() {
	r.flushBytes()
	r.drop = 0
	if r.state.onClose != nil {
		r.state.onClose()
	}
	if n := len(r.stack); n > 0 {
		r.state = r.stack[n-1]
		r.stack = r.stack[:n-1]
	}
}

// word acts on a control word or symbol.
func (r *rtf) word(t rtfToken) {
	if t.word == "*" {
		r.star = true
		return
	}
	star, first := r.star, r.opened
	r.star, r.opened = false, false
	if t.word == "u" && t.has {
		r.unicode(t.value)
		return
	}
	if text, ok := rtfCharacters[t.word]; ok {
		if !r.dropOne() {
			r.write(text)
		}
		return
	}
	r.flushBytes()
	if first && r.destination(t, star) {
		return
	}
	if act := rtfWords[t.word]; act != nil {
		act(r, t)
	}
}

// bytes adds text in the code page of its font.
func (r *rtf) bytes(b []byte) {
	for r.drop > 0 && len(b) > 0 {
		b = b[1:]
		r.drop--
	}
	if !r.state.skip {
		r.pending = append(r.pending, b...)
	}
}

// dropOne passes over a character that stands for the one in Unicode before it.
func (r *rtf) dropOne() bool {
	if r.drop > 0 {
		r.drop--
		return true
	}
	return false
}

func (r *rtf) flushBytes() {
	if len(r.pending) == 0 {
		return
	}
	b := r.pending
	r.pending = r.pending[:0]
	if r.fonts[r.state.font].symbol && r.state.sink == nil {
		r.emit(symbolText(b))
		return
	}
	text, err := r.encoding().NewDecoder().Bytes(b)
	if err == nil {
		r.emit(string(text))
	}
}

func symbolText(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		if text, ok := dingbats["symbol"][uint64(c)]; ok {
			s.WriteString(text)
		} else if c < 0x80 {
			s.WriteByte(c)
		}
	}
	return s.String()
}

// encoding is that of the font in use, else of the file.
func (r *rtf) encoding() encoding.Encoding {
	if f := r.fonts[r.state.font]; f.encoding != nil && r.state.sink == nil {
		return f.encoding
	}
	return r.codepage
}

// unicode adds a character given by number; the bytes after it stand for it in older programs.
func (r *rtf) unicode(n int) {
	r.flushBytes()
	r.drop = r.state.skipped
	c := rune(uint16(n))
	switch {
	case utf16.IsSurrogate(c) && c < 0xDC00:
		r.surro = c
		return
	case utf16.IsSurrogate(c):
		c = utf16.DecodeRune(r.surro, c)
	case c >= 0xF000 && c <= 0xF0FF: // a symbol font's
		r.emit(symbolText([]byte{byte(c)}))
		return
	}
	r.surro = 0
	if c >= ' ' {
		r.emit(string(c))
	}
}

// write adds text that is decoded already, after what came before.
func (r *rtf) write(s string) {
	r.flushBytes()
	r.emit(s)
}

func (r *rtf) emit(s string) {
	const maxLen = 64 << 10 // of what goes beside the text
	switch {
	case r.state.skip || s == "":
	case r.state.sink != nil:
		if r.state.sink.Len() < maxLen {
			r.state.sink.WriteString(s)
		}
	case !r.state.hidden:
		r.text.para.Text(strings.Map(noBreak, s), r.state.style)
	}
}

// finish writes what is still open at the end.
func (r *rtf) finish() {
	r.flushBytes()
	for len(r.outer) > 0 {
		r.endNote()
	}
	r.paragraph()
	r.text.endTable()
	if len(r.notes) == 0 {
		return
	}
	list := r.text.out.Sub()
	for i, n := range r.notes {
		list.Note(i+1, n)
	}
	r.text.out.Notes(list)
}
