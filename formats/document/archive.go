package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"path"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/archive"
	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/office"
)

// zipReading is a zip archive being read: a section for each of its files, with the file's path as its heading.
type zipReading struct {
	ctx      context.Context
	in       Input
	o        Options
	archive  *archive.Archive
	out      bytes.Buffer
	files    int // that were read
	left     map[string][]string
	locked   bool // files are under a password
	warnings []string
}

// convertZIP reads the files of an archive by their own kinds, one level deep. What isn't read is named in warnings.
func convertZIP(ctx context.Context, in Input, o Options) (*Result, error) {
	l := archive.Limits{Entries: o.Limits.Entries, Unzipped: o.Limits.Unzipped, File: o.Limits.Memory}
	a, err := archive.Open(in.Body, l)
	switch {
	case errors.Is(err, archive.ErrEntries):
		return nil, &TooLargeError{What: "entries", Limit: int64(o.Limits.Entries)}
	case err != nil:
		return nil, &DamagedError{Kind: ZIP, Err: err}
	}
	o.Pages, o.Blocks, o.PageMarkers, o.Progress = false, false, false, nil
	z := &zipReading{ctx: ctx, in: in, o: o, archive: a, left: map[string][]string{}}
	for f := range a.Files(ctx) {
		z.file(f)
	}
	return z.result()
}

// result is what was read; where that is nothing, an error says why.
func (z *zipReading) result() (*Result, error) {
	if err := z.ctx.Err(); err != nil {
		return nil, err
	}
	leftOut := z.leftOut()
	switch {
	case z.files > 0:
		return &Result{Kind: ZIP, HTML: writeHTML(Metadata{}, z.out.Bytes()), Warnings: append(leftOut, z.warnings...)}, nil
	case z.locked && len(z.left) == 1:
		return nil, &EncryptedError{Kind: ZIP}
	case len(leftOut) == 0:
		return nil, &DamagedError{Kind: ZIP, Err: errors.New("it holds no files")}
	}
	return nil, &UnsupportedError{Kind: ZIP, Advice: "no file in it can be read. " + strings.Join(leftOut, " ")}
}

// The reasons why files are left out, as they stand in warnings.
const (
	leftEncrypted = "encrypted"
	leftTooLarge  = "beyond the limits of size"
	leftLate      = "not read in the time that there was"
	leftBomb      = "packed too well to be real files"
	leftDamaged   = "damaged"
	leftNested    = "archives in the archive"
	leftKind      = "of kinds that are not read"
	leftPictures  = "without text, only images"
)

// leftOut are the warnings about files that were not read, of which some are named.
func (z *zipReading) leftOut() (list []string) {
	for _, why := range []string{leftEncrypted, leftTooLarge, leftLate, leftBomb, leftDamaged, leftNested, leftKind, leftPictures} {
		names := z.left[why]
		if len(names) == 0 {
			continue
		}
		const many = 10
		shown := strings.Join(names[:min(len(names), many)], ", ")
		if len(names) > many {
			shown += fmt.Sprintf(" and %d more", len(names)-many)
		}
		list = append(list, fmt.Sprintf("Files of the archive were left out (%s): %s.", why, shown))
	}
	return list
}

func (z *zipReading) leave(why, name string) {
	z.left[why] = append(z.left[why], name)
	z.locked = z.locked || why == leftEncrypted
}

func (z *zipReading) file(f archive.File) {
	if f.Err != nil {
		z.leave(reason(f.Err), f.Name)
		return
	}
	body, err := z.content(f)
	switch {
	case z.ctx.Err() != nil: // an error of the whole
	case err != nil:
		z.leave(reason(err), f.Name)
	default:
		z.section(f.Name, body)
	}
}

// reason is why a file with this error is left out.
func reason(err error) string {
	switch {
	case errors.Is(err, archive.ErrEncrypted) || errors.As(err, new(*EncryptedError)):
		return leftEncrypted
	case errors.Is(err, archive.ErrBomb):
		return leftBomb
	case errors.Is(err, archive.ErrTooLarge) || errors.As(err, new(*TooLargeError)):
		return leftTooLarge
	case errors.As(err, new(*TimeError)):
		return leftLate
	case errors.Is(err, errNested):
		return leftNested
	case errors.As(err, new(*UnsupportedError)):
		return leftKind
	case errors.As(err, new(*OCRRequiredError)):
		return leftPictures
	}
	return leftDamaged
}

// section writes a file's content below a heading, the headings of the content one level lower.
func (z *zipReading) section(name string, body []byte) {
	if int64(z.out.Len()+len(body)) > z.o.Limits.Text {
		z.leave(leftTooLarge, name)
		return
	}
	z.files++
	z.out.WriteString("<section>\n<h1>" + html.EscapeString(name) + "</h1>\n")
	lowered.WriteString(&z.out, string(body))
	z.out.WriteString("\n</section>\n")
}

// lowered puts headings one level lower. Markup that was made here has no other text that looks like one.
var lowered = strings.NewReplacer("<h1>", "<h2>", "</h1>", "</h2>", "<h2>", "<h3>", "</h2>", "</h3>", "<h3>", "<h4>", "</h3>", "</h4>",
	"<h4>", "<h5>", "</h4>", "</h5>", "<h5>", "<h6>", "</h5>", "</h6>")

var errNested = errors.New("an archive in the archive")

// content is the HTML of a file, by its own kind.
func (z *zipReading) content(f archive.File) ([]byte, error) {
	in := Input{Body: f.Body, Name: f.Name, Password: z.in.Password}
	kind := detect(in)
	switch {
	case kind == ZIP:
		return nil, errNested
	case kind.isText() && int64(z.out.Len()+len(f.Body)) > z.o.Limits.Text:
		return nil, archive.ErrTooLarge
	case kind.isText():
		return textContent(kind, in), nil
	case len(f.Body) == 0:
		return nil, nil
	case !z.archive.Spend(archive.Size(f.Body)):
		return nil, archive.ErrTooLarge
	}
	o := z.o
	o.Limits.Bytes = int64(len(f.Body))
	o.Limits.Unzipped = max(z.archive.Left()+archive.Size(f.Body), 1)
	o.Limits.Text = max(o.Limits.Text-int64(z.out.Len()), 1)
	res, err := Convert(z.ctx, in, o)
	if err != nil {
		return nil, err
	}
	for _, w := range res.Warnings {
		z.warn(f.Name + ": " + w)
	}
	return bodyOf(res.HTML), nil
}

// warn adds a warning about what is in a file, unless there are many.
func (z *zipReading) warn(sentence string) {
	const many = 50
	switch len(z.warnings) {
	case many:
		z.warnings = append(z.warnings, "Other files of the archive have warnings too.")
	case many + 1:
	default:
		z.warnings = append(z.warnings, sentence)
	}
}

// textContent is the HTML of a text: of a page its structure, of a plain text its paragraphs, of all others a block of code.
func textContent(kind Kind, in Input) []byte {
	if kind == kindHTML {
		return flow.Fragment(office.MarkupBody(in.Body), flow.Links{})
	}
	text, err := office.BodyText(in.Body, "")
	if err != nil {
		text = bytes.ToValidUTF8(in.Body, []byte("\uFFFD"))
	}
	out := flow.New(flow.NewBudget(1 << 62)) // the section is measured
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(in.Name), "."))
	if kind == kindText && (byExtension[ext] == kindText || ext == "") {
		for block := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n\n") {
			out.Text(strings.TrimSpace(block))
		}
		return out.HTML()
	}
	return []byte(`<pre><code class="language-` + html.EscapeString(ext) + `">` + html.EscapeString(string(text)) + "</code></pre>")
}

// bodyOf is what stands in the body element of a document that a reader has made.
func bodyOf(doc []byte) []byte {
	_, after, ok := bytes.Cut(doc, []byte("<body>"))
	if !ok {
		return doc
	}
	if end := bytes.LastIndex(after, []byte("</body>")); end >= 0 {
		after = after[:end]
	}
	return bytes.TrimSpace(after)
}
