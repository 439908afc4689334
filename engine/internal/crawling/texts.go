package crawling

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// A page's text is kept to be compared when the crawl comes again. While the job has it in a document, only that is noted; it gets a row of
// its own when the job is forgotten.

// Bounds of texts. Of longer ones it is known whether they changed, not how; shorter ones are kept as they are.
const (
	maxText    = 1 << 20
	minInPlace = 256
)

// referring is the first byte of a row for a text that is in a document; packed texts begin with another one. The number of the document
// among the job's results, a digest of the text and the id of the job follow.
const referring = 'd'

const referenceHead = 1 + 8 + digestBytes

const digestBytes = 16

func digestOf(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:digestBytes]
}

// textRow is the row of a page's text, whose document is a result of the job; 0: there is none.
func textRow(v Visit, job string, result uint64) []byte {
	if v.Text == "" || len(v.Text) > maxText {
		return []byte{} // what was kept before is no longer so
	}
	if result > 0 && v.TextInDocument && len(v.Text) >= minInPlace {
		row := binary.BigEndian.AppendUint64([]byte{referring}, result)
		return append(append(row, v.digest...), job...)
	}
	return ownRow(v.Text)
}

func ownRow(text string) []byte {
	row, err := packed.Encode(text)
	if err != nil {
		return []byte{}
	}
	return row
}

// refersTo reports whether a row is about a document of the job.
func refersTo(row []byte, job string) bool {
	return len(row) >= referenceHead && row[0] == referring && string(row[referenceHead:]) == job
}

// readText returns the text of a row; false: it isn't known, also where the document says something else than it did.
func readText(tx jobs.Tx, row []byte) (text string, ok bool) {
	if len(row) < referenceHead || row[0] != referring {
		return text, len(row) > 0 && packed.Into(row, &text) == nil
	}
	var doc struct {
		Markdown string `json:"markdown"`
	}
	data := crawl.ResultIn(tx, string(row[referenceHead:]), binary.BigEndian.Uint64(row[1:]))
	if packed.Into(data, &doc) != nil || !bytes.Equal(row[9:referenceHead], digestOf(doc.Markdown)) {
		return "", false
	}
	return doc.Markdown, true
}

// keepTexts gives the texts that are in a job's documents rows of their own, before these go.
func keepTexts(db work.DB, job string, last bool) error {
	return since.Rewrite(db, job, last, func(tx crawl.Tx, row []byte) []byte {
		if !refersTo(row, job) {
			return nil
		}
		text, ok := readText(tx, row)
		if !ok {
			return []byte{}
		}
		return ownRow(text)
	})
}

// textBefore is what a page held when it was last kept; false: it isn't known.
func (n *night) textBefore(key string) (text string, ok bool, err error) {
	err = n.c.line.DB().View(func(tx jobs.Tx) error {
		text, ok = readText(tx, n.book.TextIn(tx, key))
		return nil
	})
	return text, ok, err
}
