package office

import (
	"bytes"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// comments counts those on a sheet. A thread of comments has a copy of its first one for older programs, which doesn't count.
func (w *workbook) comments(rels map[string]relation) error {
	for _, part := range parts(rels, "threadedComment") {
		n, err := w.countIn(part, "?:threadedComment")
		if err != nil {
			return err
		}
		w.job.left.comments += n
	}
	for _, part := range parts(rels, "comments") {
		if err := w.notes(part); err != nil {
			return err
		}
	}
	return nil
}

// notes counts the comments that aren't copies.
func (w *workbook) notes(part string) error {
	copies, authors := map[string]bool{}, 0
	return w.eachIn(part, func(r *xmltree.Reader, n *xmltree.Node) error {
		switch n.Name {
		case "x:author":
			err := r.Tree(n)
			copies[itoa(authors)] = strings.HasPrefix(n.Content(), "tc=")
			authors++
			return err
		case "x:comment":
			if !copies[n.Attr("authorId")] {
				w.job.left.comments++
			}
			return r.Skip()
		}
		return nil
	})
}

// revisions counts the changes that a shared workbook has tracked.
func (w *workbook) revisions(rels map[string]relation) error {
	for _, headers := range parts(rels, "revisionHeaders") {
		logs, err := w.relations(headers)
		if err != nil {
			return err
		}
		for _, log := range parts(logs, "revisionLog") {
			if err := w.revisionLog(log); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *workbook) revisionLog(part string) error {
	left := &w.job.left
	return w.eachIn(part, func(r *xmltree.Reader, n *xmltree.Node) error {
		switch n.Name {
		case "x:rcc":
			left.changed++
		case "x:rm":
			left.moved++
		case "x:ris":
			left.inserted++
		case "x:rrc":
			if strings.HasPrefix(n.Attr("action"), "delete") {
				left.deleted++
			} else {
				left.inserted++
			}
		}
		return nil
	})
}

// hasFormulas reports whether a sheet may have formulas, without reading it.
func hasFormulas(sheet []byte) bool {
	for rest := sheet; ; {
		i := bytes.IndexByte(rest, 'f')
		if i < 0 || i+1 >= len(rest) {
			return false
		}
		if i > 0 && (rest[i-1] == '<' || rest[i-1] == ':') && strings.IndexByte(" />\t\r\n", rest[i+1]) >= 0 {
			return true
		}
		rest = rest[i+1:]
	}
}

// cell looks for a formula without a value: one whose value is an empty text says so.
func (m *sheetMarks) cell(r *xmltree.Reader, n *xmltree.Node) error {
	m.col++
	if col, _, ok := place(n.Attr("r")); ok {
		m.col = col
	}
	err := r.Tree(n)
	value := n.Find("x:v")
	unvalued := value == nil || value.Content() == "" && n.Attr("t") != "str"
	if n.Find("x:f") != nil && unvalued && !m.rows[m.row] && !m.cols[m.col] {
		m.job.left.formula(m.name + "!" + placeName(m.row, m.col))
	}
	return err
}
