package office

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

// CSV reads a text table (csv, tsv) as one table. Encoding and delimiter are detected unless o sets them.
func CSV(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	text, err := decodeText(body, o.Charset)
	if err != nil {
		return nil, asDamaged(err)
	}
	rows, err := j.readCSV(text)
	if err != nil {
		return nil, err
	}
	if g := newGrid(rows); !g.empty() {
		g.write(j.out)
	}
	return j.finish(nil)
}

func (j *job) readCSV(text []byte) ([][]string, error) {
	comma := j.o.Delimiter
	text, declared := cutSeparatorLine(text)
	switch {
	case comma != 0:
	case declared != 0:
		comma = declared
	default:
		comma = sniffDelimiter(text)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = comma, true, -1, comma != '\t'
	var rows [][]string
	for cells := 0; ; {
		row, err := r.Read()
		if err == io.EOF || errors.As(err, new(*csv.ParseError)) {
			return rows, nil
		}
		if err != nil {
			return nil, asDamaged(err)
		}
		if cells += len(row); cells > j.o.Limits.Cells {
			j.doc.Warn("The table holds more cells than the limit; the rest was left out.")
			return rows, nil
		}
		rows = append(rows, row[:min(len(row), maxColumns)])
		if len(rows)%1024 == 0 && j.ctx.Err() != nil {
			return nil, j.ctx.Err()
		}
	}
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
