package office

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// XLSX reads a workbook of SpreadsheetML (xlsx, xlsm, xltx): a heading and a table for each sheet that can be seen.
// Numbers are as shown, dates in ISO form whatever their format. Hidden sheets, charts and comments are left out.
// Formulas are never computed: their stored results are read.
func XLSX(ctx context.Context, body []byte, o Options) (doc *Document, err error) {
	j := newJob(ctx, o)
	defer func() { // the library indexes what the file claims
		if p := recover(); p != nil {
			doc, err = j.finish(&DamagedError{fmt.Errorf("workbook: %v", p)})
		}
	}()
	w, err := j.openWorkbook(body)
	if err != nil {
		return nil, asDamaged(err)
	}
	defer w.file.Close()
	return j.finish(w.sheets())
}

// workbook is a workbook being read.
type workbook struct {
	*opc
	file  *excelize.File
	main  string
	cells int // that may still be read
}

// Bounds of parts that the library reads into memory as a whole.
const (
	maxStyles  = 4 << 20 // bytes of styles.xml and workbook.xml
	maxStrings = 4 << 20 // elements of sharedStrings.xml: some million strings
)

func (j *job) openWorkbook(body []byte) (*workbook, error) {
	body, err := j.decrypt(body)
	if err != nil {
		return nil, err
	}
	pkg, err := j.openOPC(body)
	if err != nil {
		return nil, err
	}
	if err := pkg.fits(); err != nil {
		return nil, err
	}
	w := &workbook{opc: pkg, cells: j.o.Limits.Cells}
	if w.main, err = pkg.main("xl/workbook.xml"); err != nil {
		return nil, err
	}
	if err := w.checkParts(); err != nil {
		return nil, err
	}
	limit := j.o.Limits.Unzipped
	// An XML limit as high as the whole keeps the library from writing large parts to files.
	w.file, err = excelize.OpenReader(bytes.NewReader(body), excelize.Options{UnzipSizeLimit: limit, UnzipXMLSizeLimit: limit})
	if err != nil {
		return nil, err
	}
	datesToISO(w.file)
	j.doc.Meta, err = w.meta()
	return w, err
}

// fits checks the sizes that the entries claim, which the zip reader then enforces.
func (p *pack) fits() error {
	left := p.limit
	for _, f := range p.files {
		size := int64(min(f.UncompressedSize64, 1<<62))
		if size > p.allowed(f) || size > left {
			return &LimitError{"unzipped", p.limit}
		}
		left -= size
	}
	return nil
}

// checkParts refuses parts that are small in bytes and large in memory.
func (w *workbook) checkParts() error {
	left := w.left
	defer func() { w.left = left }() // they are read again
	for _, name := range []string{"xl/styles.xml", w.main, "xl/sharedStrings.xml"} {
		data, err := w.read(name)
		if err := w.serious(err); err != nil {
			return err
		}
		isStrings := path.Base(name) == "sharedStrings.xml"
		if isStrings && bytes.Count(data, []byte("<")) > maxStrings || !isStrings && len(data) > maxStyles {
			return &LimitError{"cells", int64(w.job.o.Limits.Cells)}
		}
	}
	return nil
}

func (w *workbook) sheets() error {
	root, err := w.tree(w.main)
	if err != nil {
		return err
	}
	rels, err := w.relations(w.main)
	if err != nil {
		return err
	}
	for _, n := range orEmpty(root.Find("x:sheets")).Kids {
		if n.Name != "x:sheet" || w.out().Full() {
			continue
		}
		if state := n.Attr("state"); state == "hidden" || state == "veryHidden" {
			w.job.doc.Warn("Hidden sheets were left out.")
			continue
		}
		if err := w.sheet(n.Attr("name"), rels[n.Attr("r:id")].target); err != nil {
			return err
		}
	}
	return nil
}

func (w *workbook) out() *flow.Flow { return w.job.out }

// sheet writes one sheet; one without cells, such as a chart, writes nothing.
func (w *workbook) sheet(name, part string) error {
	rows, err := w.rows(name)
	if err != nil {
		return err
	}
	g := newGrid(rows)
	if g.empty() {
		return nil
	}
	if err := w.tail(part, g); err != nil {
		return err
	}
	w.out().Title(2, name)
	g.write(w.out())
	return w.job.ctx.Err()
}

// rows reads the texts of all cells, as far as the limit allows.
func (w *workbook) rows(name string) ([][]string, error) {
	it, err := w.file.Rows(name)
	if err != nil {
		return nil, nil // a sheet of another kind
	}
	defer it.Close()
	var rows [][]string
	blank := 0
	for it.Next() {
		if err := w.job.ctx.Err(); err != nil {
			return nil, err
		}
		row, err := it.Columns()
		if err != nil { // damaged: what was read counts
			return append(rows, row), nil
		}
		if len(row) == 0 {
			blank++
			continue
		}
		rows = append(rows, make([][]string, min(blank, maxGap))...)
		blank = 0
		if w.cells -= len(row); w.cells < 0 {
			w.job.doc.Warn("The workbook holds more cells than the limit; the rest was left out.")
			return rows, nil
		}
		rows = append(rows, row[:min(len(row), maxColumns)])
	}
	return rows, nil
}

// tail reads what follows the cells of a sheet: which are merged, which are links.
func (w *workbook) tail(part string, g *grid) error {
	data, err := w.read(part)
	if err := w.serious(err); err != nil {
		return err
	}
	i := bytes.LastIndex(data, []byte("sheetData"))
	if i < 0 {
		return nil
	}
	end := bytes.IndexByte(data[i:], '>')
	if end < 0 {
		return nil
	}
	rels, err := w.relations(part)
	if err != nil {
		return err
	}
	return w.readTail(append(rootTag(data), data[i+end+1:]...), rels, g)
}

// rootTag is the start tag of the root element, which declares the namespaces.
func rootTag(data []byte) []byte {
	i := bytes.Index(data, []byte("worksheet"))
	if i < 0 {
		return nil
	}
	start := max(bytes.LastIndexByte(data[:i], '<'), 0)
	end := bytes.IndexByte(data[i:], '>')
	return bytes.Clone(data[start : i+end+1])
}

func (w *workbook) readTail(data []byte, rels map[string]relation, g *grid) error {
	r := xmltree.New(w.job.ctx, data)
	for {
		n, err := r.Next()
		if err != nil {
			return w.serious(err)
		}
		switch n.Name {
		case "x:mergeCell":
			g.merge(n.Attr("ref"))
		case "x:hyperlink":
			if rel := rels[n.Attr("r:id")]; rel.external {
				g.link(n.Attr("ref"), flow.SafeHref(rel.target))
			}
		}
	}
}

// datesToISO gives all formats of dates an ISO form before any cell is read.
func datesToISO(f *excelize.File) {
	if f.Styles == nil || f.Styles.CellXfs == nil {
		return
	}
	codes := map[int]string{}
	if f.Styles.NumFmts != nil {
		for _, n := range f.Styles.NumFmts.NumFmt {
			if n != nil {
				codes[n.NumFmtID] = n.FormatCode
			}
		}
	}
	own := len(f.Styles.CellXfs.Xf)
	made := map[string]*int{}
	for i := range own {
		id := f.Styles.CellXfs.Xf[i].NumFmtID
		if id == nil {
			continue
		}
		code := isoFormat(*id, codes[*id])
		if code == "" {
			continue
		}
		if made[code] == nil {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
			if err != nil {
				return
			}
			made[code] = f.Styles.CellXfs.Xf[style].NumFmtID
		}
		f.Styles.CellXfs.Xf[i].NumFmtID = made[code]
	}
}

// isoFormat is the ISO format for one of dates, "" for all others. Times alone stay as they are.
func isoFormat(id int, code string) string {
	if code == "" {
		switch {
		case id == 17:
			return "yyyy-mm"
		case id == 22:
			return "yyyy-mm-dd hh:mm"
		case id >= 14 && id <= 16, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 58: // the later ones in Chinese, Japanese and Korean
			return "yyyy-mm-dd"
		}
		return ""
	}
	has := dateParts(code)
	switch {
	case !has['y'] && !has['d'] || !has['y'] && !has['m']:
		return ""
	case !has['d']:
		return "yyyy-mm"
	case has['h'] && has['s']:
		return "yyyy-mm-dd hh:mm:ss"
	case has['h']:
		return "yyyy-mm-dd hh:mm"
	}
	return "yyyy-mm-dd"
}

// dateParts tells which letters of dates stand in a number format outside of texts and conditions; only its first section counts.
func dateParts(code string) map[byte]bool {
	has := map[byte]bool{}
	code = strings.ToLower(code)
	for i := 0; i < len(code) && code[i] != ';'; i++ {
		switch c := code[i]; c {
		case '\\', '_', '*':
			i++
		case '"':
			i += 1 + max(strings.IndexByte(code[i+1:], '"'), 0)
		case '[':
			i += max(strings.IndexByte(code[i:], ']'), 0)
		case 'y', 'm', 'd', 'h', 's':
			has[c] = true
		case '0', '#', '?':
			if !has['s'] { // a number, not parts of a second
				return map[byte]bool{}
			}
		case 'g':
			if strings.HasPrefix(code[i:], "general") {
				return map[byte]bool{}
			}
		}
	}
	return has
}
