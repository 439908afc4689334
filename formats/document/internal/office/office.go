package office

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/pictures"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// Document is a converted file: the content of a body element and the file's metadata.
type Document = flow.Document

// Options control how a file is read. The zero value has no bounds but those of the readers: set Limits.
type Options struct {
	// Password opens an encrypted file of Office Open XML.
	Password string
	// Charset is the declared encoding of a text table. Defaults to "": detected.
	Charset string
	// Delimiter of a text table. Defaults to 0: detected.
	Delimiter rune
	// Limits bound the cost. Zero fields mean their defaults.
	Limits Limits
	// Pictures takes the pictures of DOCX, XLSX, PPTX, ODT, ODP and EPUB. Defaults to nil: alternative texts stand for them.
	Pictures *pictures.Set
}

// Limits bound what one file may cost.
type Limits struct {
	// Unzipped is the size of everything unpacked, together. Defaults to 256 MiB.
	Unzipped int64
	// Entries of an archive. Defaults to 10,000.
	Entries int
	// Cells of a workbook or text table. Defaults to 1,000,000.
	Cells int
	// Pages is the number of slides or chapters. Defaults to 10,000.
	Pages int
	// Memory is about what the file may take in memory while it is read, beside the HTML made. Defaults to 256 MiB.
	Memory int64
	// Text is the size of the HTML made. Defaults to 32 MiB. What is beyond it is left out, with a warning.
	Text int64
}

func (l Limits) withDefaults() Limits {
	l.Unzipped = cmp.Or(max(l.Unzipped, 0), 256<<20)
	l.Entries = cmp.Or(max(l.Entries, 0), 10_000)
	l.Cells = cmp.Or(max(l.Cells, 0), 1_000_000)
	l.Pages = cmp.Or(max(l.Pages, 0), 10_000)
	l.Memory = cmp.Or(max(l.Memory, 0), 256<<20)
	l.Text = cmp.Or(max(l.Text, 0), 32<<20)
	return l
}

// job is one conversion under way.
type job struct {
	ctx    context.Context
	o      Options
	budget *flow.Budget
	doc    *Document
	out    *flow.Flow
	left   leftOut
	images *pictures.Parts
}

func newJob(ctx context.Context, o Options) *job {
	o.Limits = o.Limits.withDefaults()
	b := flow.NewBudget(o.Limits.Text)
	return &job{ctx: ctx, o: o, budget: b, doc: &Document{}, out: flow.New(b), images: o.Pictures.Parts()}
}

// finish closes the document. A part that broke off is a warning when something was read, else the error.
func (j *job) finish(err error) (*Document, error) {
	if ctxErr := j.ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	if err != nil && (j.out.Empty() || !partial(err)) {
		return nil, asDamaged(err)
	}
	if err != nil {
		j.doc.Warn("The file is damaged; what could be read of it is here.")
	}
	if j.budget.Full() {
		j.doc.Warn("The file holds more text than the limit; the rest was left out.")
	}
	for _, sentence := range j.left.sentences() {
		j.doc.Warn(sentence)
	}
	j.doc.Body = j.out.HTML()
	return j.doc, nil
}

// ErrEncrypted means that the file is encrypted and no password was given, or its kind of encryption is unknown here.
var ErrEncrypted = errors.New("the file is encrypted")

// ErrPassword means that the password doesn't open the file.
var ErrPassword = errors.New("the password doesn't open the file")

// LimitError is returned for a file that exceeds one of the Limits.
type LimitError struct {
	What  string // name of the limit in lower case
	Limit int64
}

func (e *LimitError) Error() string { return fmt.Sprintf("more than %d (%s)", e.Limit, e.What) }

// DamagedError is returned for a file that isn't of the kind it was read as, or too broken to read.
type DamagedError struct{ Err error }

func (e *DamagedError) Error() string { return "damaged file: " + e.Err.Error() }

// Unwrap returns what was wrong.
func (e *DamagedError) Unwrap() error { return e.Err }

// asDamaged wraps an error that has no type of its own.
func asDamaged(err error) error {
	if e, ok := errors.AsType[*xmltree.MemoryError](err); ok {
		return &LimitError{"memory", e.Limit}
	}
	if !partial(err) {
		return err
	}
	return &DamagedError{err}
}

// partial reports an error that says only that some part could not be read.
func partial(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrEncrypted) ||
		errors.Is(err, ErrPassword) {
		return false
	}
	if _, ok := errors.AsType[*DamagedError](err); ok {
		return false
	}
	if _, ok := errors.AsType[*xmltree.MemoryError](err); ok {
		return false
	}
	_, limit := errors.AsType[*LimitError](err)
	return !limit || errors.Is(err, xmltree.ErrLimit)
}
