package office

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"

	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// XLSX reads a workbook of SpreadsheetML (xlsx, xlsm, xltx): a heading and a table for each sheet that can be seen.
// Numbers are as shown, dates in ISO form whatever their format. Hidden sheets, rows and columns, charts and comments are left out.
// Formulas are never computed: their stored results are read. What is left out is counted in warnings, as are formulas without a result.
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
	file    *excelize.File
	main    string
	longest int   // bytes of the longest shared string
	cells   int   // that may still be read
	text    int64 // bytes that may still be held
}

// Bounds of parts that the library reads into memory as a whole.
const (
	maxStyles  = 4 << 20   // bytes of styles.xml and workbook.xml
	maxStrings = 4 << 20   // elements of sharedStrings.xml: some million strings
	maxRowText = 256 << 20 // bytes that the texts of one row may come to
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
	w := &workbook{opc: pkg, cells: j.o.Limits.Cells, text: 2 * j.o.Limits.Text}
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
	if err := w.checkSheets(); err != nil {
		return nil, cmp.Or(w.file.Close(), err)
	}
	datesToISO(w.file)
	j.doc.Meta, err = w.meta()
	return w, err
}

// fits checks the sizes that the entries claim, which the zip reader then enforces: the library holds all of them.
func (p *pack) fits() error {
	left, held := p.limit, int64(0)
	for _, f := range p.files {
		size := int64(min(f.UncompressedSize64, 1<<62))
		if size > p.allowed(f) || size > left {
			return &LimitError{"unzipped", p.limit}
		}
		left -= size
		held += size
		if path.Base(f.Name) == "sharedStrings.xml" {
			held += stringCost * size
		}
	}
	if held > p.memory {
		return &LimitError{"memory", p.memory}
	}
	return nil
}

// stringCost is how many times its bytes the list of shared strings takes in memory, beside them.
const stringCost = 4

// checkParts refuses parts that are small in bytes and large in memory, among those that the library reads when it opens a file.
func (w *workbook) checkParts() error {
	if w.twice { // the library would take another one of the same name
		return &DamagedError{errTwice}
	}
	left := w.left
	defer func() { w.left = left }() // they are read again
	for _, name := range []string{"xl/styles.xml", w.main, "xl/theme/theme1.xml", "[Content_Types].xml", relsOf(w.main), "xl/calcChain.xml", "xl/sharedStrings.xml"} {
		data, err := w.read(name)
		if err := w.serious(err); err != nil {
			return err
		}
		base := path.Base(name)
		many := base == "sharedStrings.xml" || base == "calcChain.xml"
		if many && bytes.Count(data, []byte("<")) > maxStrings || !many && len(data) > maxStyles {
			return &LimitError{"cells", int64(w.job.o.Limits.Cells)}
		}
		if base == "sharedStrings.xml" {
			w.longest = maxStringLen(data)
		}
	}
	return nil
}

// maxStringLen is the length of the longest shared string, markup included.
func maxStringLen(data []byte) (longest int) {
	for len(data) > 0 {
		end := bytes.Index(data, []byte("si>"))
		if end < 0 {
			end = len(data) - 1
		}
		longest = max(longest, end)
		data = data[min(end+3, len(data)):]
	}
	return longest
}

// checkSheets looks at all sheets that the library has unpacked.
func (w *workbook) checkSheets() (err error) {
	w.file.Pkg.Range(func(_, part any) bool {
		if data, ok := part.([]byte); ok && bytes.Contains(data, []byte("sheetData")) {
			err = w.checkRows(data)
		}
		return err == nil
	})
	return err
}

// checkRows refuses a sheet with a row that could come to more than memory holds, for the library reads a row at once.
func (w *workbook) checkRows(data []byte) error {
	const maxEnds = 150_000 // end tags of a row: some for each of 16,384 cells
	for len(data) > 0 {
		end := bytes.Index(data, []byte("row"))
		if end < 0 {
			end = len(data) - 1
		}
		row := data[:end+1]
		if bytes.Count(row, []byte("</")) > maxEnds {
			return &LimitError{"cells", int64(w.job.o.Limits.Cells)}
		}
		if bytes.Count(row, []byte(`="s"`))*w.longest > maxRowText {
			return &LimitError{"text", w.job.o.Limits.Text}
		}
		data = data[min(end+3, len(data)):]
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
	if err := w.revisions(rels); err != nil {
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
