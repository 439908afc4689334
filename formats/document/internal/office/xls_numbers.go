package office

import (
	"strconv"

	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/compound/biff"
)

// numbers shows numbers as XLSX does: by the same library, in the one cell of a workbook of its own, with dates in ISO form.
type numbers struct {
	file   *excelize.File
	styles map[biff.Format]int
	style  int // of the cell
}

const (
	numberSheet = "Sheet1"
	numberCell  = "A1"
)

func newNumbers(date1904 bool) (*numbers, error) {
	n := &numbers{file: excelize.NewFile(), styles: map[biff.Format]int{}}
	return n, n.file.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &date1904})
}

func (n *numbers) close() { _ = n.file.Close() } // it has no file

// text is what a cell shows.
func (n *numbers) text(c biff.Cell) string {
	switch c.Kind {
	case biff.Number:
		return n.number(c.Number, c.Format)
	case biff.Bool:
		return map[bool]string{false: "FALSE", true: "TRUE"}[c.Number != 0]
	}
	return c.Text
}

// number is a number in a format, as it is where that can't be.
func (n *numbers) number(v float64, f biff.Format) string {
	plain := strconv.FormatFloat(v, 'g', 15, 64)
	if f == (biff.Format{}) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	style := n.styleOf(f)
	if style != n.style && n.file.SetCellStyle(numberSheet, numberCell, numberCell, style) != nil {
		return plain
	}
	n.style = style
	if n.file.SetCellFloat(numberSheet, numberCell, v, -1, 64) != nil {
		return plain
	}
	text, err := n.file.GetCellValue(numberSheet, numberCell)
	if err != nil {
		return plain
	}
	return text
}

// maxFormats bounds the formats that are looked at: each costs a look at all before it.
const maxFormats = 2000

func (n *numbers) styleOf(f biff.Format) int {
	if style, known := n.styles[f]; known {
		return style
	}
	style := 0
	if len(n.styles) < maxFormats {
		want := excelize.Style{NumFmt: f.ID}
		if code := isoFormat(f.ID, f.Code); code != "" {
			want.CustomNumFmt = &code
		} else if f.Code != "" {
			want.CustomNumFmt = &f.Code
		}
		if made, err := n.file.NewStyle(&want); err == nil {
			style = made
		}
	}
	n.styles[f] = style
	return style
}
