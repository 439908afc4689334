package office

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/office/charsets"
)

// CSV reads a text table (csv, tsv) as one table. Encoding and delimiter are detected unless o sets them.
func CSV(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	text, err := charsets.Decode(body, o.Charset)
	if err != nil {
		return nil, asDamaged(err)
	}
	if int64(len(text)) > j.o.Limits.Memory {
		return nil, &LimitError{"memory", j.o.Limits.Memory}
	}
	// The table is read twice, and never held: once for its shape, once for its cells.
	t := j.textTable(text)
	g := newGrid(nil)
	if err := t.rows(func(r int, row []string) { g.measure(r, row) }); err != nil {
		return nil, err
	}
	if g.empty() {
		return j.finish(nil)
	}
	j.out.BeginTable("")
	w := gridWriter{grid: g, out: j.out, head: g.headed()}
	err = t.rows(func(r int, row []string) {
		if r >= g.top && r < g.bottom {
			w.row(r, row)
		}
	})
	j.out.EndTable()
	return j.finish(err)
}

// textTable is a text table with its delimiter.
type textTable struct {
	job   *job
	text  []byte
	comma rune
}

func (j *job) textTable(text []byte) textTable {
	text, declared := cutSeparatorLine(text)
	t := textTable{j, text, cmp.Or(j.o.Delimiter, declared)}
	if t.comma == 0 {
		t.comma = sniffDelimiter(text)
	}
	return t
}

// rows calls visit for the rows, as far as the limits allow. A row is valid until visit returns.
func (t textTable) rows(visit func(r int, row []string)) error {
	in := csv.NewReader(bytes.NewReader(t.text))
	in.Comma, in.LazyQuotes, in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord = t.comma, true, -1, t.comma != '\t', true
	for r, cells := 0, 0; !t.job.out.Full(); r++ {
		row, err := in.Read()
		if err == io.EOF || errors.As(err, new(*csv.ParseError)) {
			return nil
		}
		if err != nil {
			return asDamaged(err)
		}
		if cells += len(row); cells > t.job.o.Limits.Cells {
			t.job.doc.Warn("The table holds more cells than the limit; the rest was left out.")
			return nil
		}
		visit(r, row[:min(len(row), maxColumns)])
		if r%1024 == 1023 && t.job.ctx.Err() != nil {
			return t.job.ctx.Err()
		}
	}
	return nil
}

// cutSeparatorLine cuts off a first line "sep=;", which declares the delimiter to spreadsheet programs.
func cutSeparatorLine(text []byte) (rest []byte, comma rune) {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	if sep, ok := bytes.CutPrefix(line, []byte("sep=")); ok && len(sep) == 1 && strings.ContainsAny(string(sep), ",;\t|") {
		return rest, rune(sep[0])
	}
	return text, 0
}

// sniffDelimiter is the delimiter that divides the first lines most evenly.
func sniffDelimiter(text []byte) rune {
	const window = 64 << 10
	sample := text[:min(len(text), window)]
	best, bestScore := ',', 0
	for _, comma := range []rune{',', ';', '\t', '|'} {
		if score := delimiterScore(sample, comma); score > bestScore {
			best, bestScore = comma, score
		}
	}
	return best
}

// delimiterScore is high when many lines have the same number, above one, of fields.
func delimiterScore(sample []byte, comma rune) int {
	r := csv.NewReader(bytes.NewReader(sample))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = comma, true, -1, true
	counts, lines := map[int]int{}, 0
	for ; lines < 100; lines++ {
		row, err := r.Read()
		if err != nil {
			break
		}
		counts[len(row)]++
	}
	best := 0
	for fields, n := range counts {
		if fields > 1 {
			best = max(best, 1000*n/max(lines, 1)*100+min(fields, 99))
		}
	}
	return best
}
