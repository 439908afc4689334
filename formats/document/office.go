package document

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/formats/document/internal/feed"
	"github.com/winnow-go/winnow/formats/document/internal/office"
)

// officeReaders are the readers of office documents by kind.
var officeReaders = map[Kind]func(context.Context, []byte, office.Options) (*office.Document, error){
	DOCX: office.DOCX, XLSX: office.XLSX, PPTX: office.PPTX, ODT: office.ODT, ODS: office.ODS, ODP: office.ODP,
	RTF: office.RTF, EPUB: office.EPUB, EML: office.EML, CSV: office.CSV, TSV: office.CSV,
	DOC: office.DOC, XLS: office.XLS, PPT: office.PPT, MSG: office.MSG,
}

// advice is what to do about files that can't be read.
var advice = map[Kind]string{
	XLSB: "save it as .xlsx",
}

// convertOther reads everything but PDF.
func convertOther(ctx context.Context, kind Kind, in Input, o Options) (*Result, error) {
	switch kind {
	case EncryptedOffice:
		return convertEncrypted(ctx, in, o)
	case Feed:
		d, err := feed.Read(ctx, in.Body, feed.Options{URL: in.URL, Text: o.Limits.Text})
		return result(kind, d, err)
	case ZIP:
		return convertZIP(ctx, in, o)
	case JSONL:
		return convertJSONL(ctx, in, o)
	case Picture:
		return convertImage(ctx, in, o)
	}
	read := officeReaders[kind]
	if read == nil {
		return nil, &UnsupportedError{Kind: kind, Advice: advice[kind]}
	}
	d, err := read(ctx, in.Body, officeOptions(kind, in, o))
	return result(kind, d, err)
}

func officeOptions(kind Kind, in Input, o Options) office.Options {
	_, charset := in.media()
	oo := office.Options{Password: in.Password, Charset: charset, Pictures: o.pictures, Limits: office.Limits{
		Unzipped: o.Limits.Unzipped, Entries: o.Limits.Entries, Cells: o.Limits.Cells, Pages: o.Limits.Pages,
		Memory: o.Limits.Memory, Text: o.Limits.Text,
	}}
	if kind == TSV {
		oo.Delimiter = '\t'
	}
	return oo
}

// convertEncrypted opens a file under a password and reads what is inside.
func convertEncrypted(ctx context.Context, in Input, o Options) (*Result, error) {
	plain, err := office.Decrypt(in.Body, in.Password)
	if err != nil {
		return result(EncryptedOffice, nil, err)
	}
	in.Body = plain
	kind := Detect(in)
	switch kind {
	case DOCX, XLSX, PPTX:
		return convertOther(ctx, kind, in, o)
	}
	return nil, &UnsupportedError{Kind: kind, Advice: advice[kind]}
}

// result brings what a reader gave back into the form of this package.
func result(kind Kind, d *office.Document, err error) (*Result, error) {
	if err != nil {
		return nil, translate(kind, err)
	}
	m := Metadata{
		Title: d.Meta.Title, Author: d.Meta.Author, Subject: d.Meta.Subject, Language: d.Meta.Language, Keywords: d.Meta.Keywords,
		Authors:  d.Meta.Authors,
		Producer: d.Meta.Producer, Created: d.Meta.Created, Modified: d.Meta.Modified,
	}
	return &Result{Kind: kind, HTML: writeHTML(m, d.Body), NumPages: d.Slides, TotalPages: d.Slides, Metadata: m, Warnings: d.Warnings}, nil
}

// translate converts errors of readers to the types of this package.
func translate(kind Kind, err error) error {
	if e, ok := errors.AsType[*office.LimitError](err); ok {
		return &TooLargeError{What: e.What, Limit: e.Limit}
	}
	if e, ok := errors.AsType[*office.DamagedError](err); ok {
		return &DamagedError{Kind: kind, Err: e.Err}
	}
	switch {
	case errors.Is(err, office.ErrEncrypted):
		return &EncryptedError{Kind: kind}
	case errors.Is(err, office.ErrPassword):
		return &EncryptedError{Kind: kind, Wrong: true}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &DamagedError{Kind: kind, Err: err}
}
