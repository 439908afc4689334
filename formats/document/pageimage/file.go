package pageimage

import (
	"context"
	"errors"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"github.com/winnow-go/winnow/formats/document"
)

// File is an open PDF. It has an instance of PDFium of its own, which is given up with a call that fails or is ended; the next call gets
// a new one. Calls run one after another and end with their contexts. It is safe for concurrent use. Its opener closes it.
type File struct {
	renderer *Renderer
	body     []byte
	password string
	numPages int

	busy   chan struct{} // holds a token while a call runs; guards what follows
	closed bool
	pdf    pdfium.Pdfium // nil: none
	opened references.FPDF_DOCUMENT
}

// Open opens a file. The body must not change until the file is closed. The password opens an encrypted file; the empty one is tried
// too. It waits while Options.AtOnce files are open. Errors: ErrClosed, ErrTimeout, ctx's, and of package document TooLargeError,
// EncryptedError and DamagedError.
func (r *Renderer) Open(ctx context.Context, body []byte, password string) (*File, error) {
	if limit := r.options.Memory / 2; int64(len(body)) > limit {
		return nil, &document.TooLargeError{What: "bytes", Limit: limit}
	}
	f := &File{renderer: r, body: body, password: password, busy: make(chan struct{}, 1)}
	if err := r.take(ctx, f); err != nil {
		return nil, err
	}
	if err := f.call(ctx, f.countPages); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) countPages() error {
	count, err := f.pdf.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: f.opened})
	if err == nil {
		f.numPages = count.PageCount
	}
	return err
}

// NumPages is how many pages the file has.
func (f *File) NumPages() int { return f.numPages }

// Close waits for the call under way and gives back what the file takes. Closing again does nothing.
func (f *File) Close() error {
	f.busy <- struct{}{}
	defer func() { <-f.busy }()
	if f.closed {
		return nil
	}
	f.closed = true
	f.giveUp()
	f.renderer.free(f)
	return nil
}

// call runs a function that uses f.pdf. What fails in an instance that other calls have filled is done once more in a new one.
func (f *File) call(ctx context.Context, do func() error) error {
	within, cancel := f.renderer.within(ctx)
	defer cancel()
	select {
	case f.busy <- struct{}{}:
	case <-within.Done():
		return endOf(ctx, within)
	}
	defer func() { <-f.busy }()
	if f.closed {
		return ErrClosed
	}
	used := f.pdf != nil
	err := f.run(within, do)
	if failed(err) && used && within.Err() == nil {
		err = f.run(within, do)
	}
	if within.Err() != nil && err != nil {
		return endOf(ctx, within)
	}
	return f.errorOf(err)
}

// endOf is why a call ended before it was done.
func endOf(ctx, within context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(within)
}

// errorOf is an error of PDFium as one of package document.
func (f *File) errorOf(err error) error {
	if !failed(err) {
		return err
	}
	if errors.Is(err, pdfiumerrors.ErrPassword) {
		return &document.EncryptedError{Kind: document.PDF, Wrong: f.password != ""}
	}
	return &document.DamagedError{Kind: document.PDF, Err: err}
}

// run runs a function in an instance, which is stopped when ctx ends, and given up after an error.
func (f *File) run(ctx context.Context, do func() error) error {
	if err := f.start(ctx); err != nil {
		return err
	}
	pdf, killed := f.pdf, make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(killed)
		_ = pdf.Kill()
	})
	err := f.load()
	if err == nil {
		err = do()
	}
	if !stop() {
		<-killed
		f.pdf = nil
		return errors.Join(ctx.Err(), err)
	}
	if failed(err) {
		f.giveUp()
	}
	return err
}

// failed reports whether an error is one of PDFium, whose state is unknown then.
func failed(err error) bool {
	_, refused := errors.AsType[*document.TooLargeError](err)
	return err != nil && !refused
}

// start gets an instance of PDFium, which has no file yet.
func (f *File) start(ctx context.Context) (err error) {
	if f.pdf != nil {
		return nil
	}
	f.opened = ""
	f.pdf, err = f.renderer.pool.GetInstanceWithContext(ctx)
	return err
}

// giveUp stops the instance, whatever its state.
func (f *File) giveUp() {
	if f.pdf != nil {
		_ = f.pdf.Kill() // it reports instances that have stopped already
		f.pdf = nil
	}
}

// load opens the file in an instance that has none.
func (f *File) load() error {
	if f.opened != "" {
		return nil
	}
	err := f.loadWith(f.password)
	if errors.Is(err, pdfiumerrors.ErrPassword) && f.password != "" {
		err = f.loadWith("")
	}
	return err
}

func (f *File) loadWith(password string) error {
	opened, err := f.pdf.OpenDocument(&requests.OpenDocument{File: &f.body, Password: &password})
	if err == nil {
		f.opened = opened.Document
	}
	return err
}
