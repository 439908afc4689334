package reader

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/fault"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/validate"
)

// disableConfigDir keeps pdfcpu from writing into the user's home. Its setting is a variable of its package.
var disableConfigDir = sync.OnceFunc(func() { model.ConfigPath = "disable" })

// rewrite makes pdfcpu read a file and rewrite it: decrypted, repaired, without object streams. pdfcpu takes no
// context: it ends when it next reads or writes after the deadline.
func rewrite(b *Budget, body []byte, password string, encrypted bool) (out []byte, err error) {
	disableConfigDir()
	defer func() {
		if p := recover(); p != nil {
			if s, ok := p.(Stopped); ok {
				panic(s)
			}
			out, err = nil, fmt.Errorf("rewrite: %v", p)
		}
		if stop := b.Err(); stop != nil {
			out, err = nil, stop
		}
	}()
	conf := rewriting(password)
	w := &boundedWriter{budget: b}
	rs := &boundedReader{bytes.NewReader(body), b}
	conf.Cmd = model.OPTIMIZE
	if encrypted {
		conf.Cmd = model.DECRYPT
	}
	err = readAndWrite(rs, w, conf)
	if errors.Is(err, pdfcpu.ErrWrongPassword) {
		return nil, &PasswordError{Given: password != ""}
	}
	if w.tooMuch {
		return nil, ErrUnpacked
	}
	return w.b, err
}

// rewriting is how pdfcpu reads and writes: with patience, in plain syntax.
func rewriting(password string) *model.Configuration {
	conf := model.NewDefaultConfiguration()
	conf.ValidationMode = model.ValidationRelaxed
	conf.WriteObjectStream, conf.WriteXRefStream = false, false
	conf.Optimize, conf.OptimizeBeforeWriting, conf.PostProcessValidate = false, false, false
	conf.UserPW, conf.OwnerPW = password, password
	return conf
}

// readAndWrite does what Decrypt and Optimize of pdfcpu's package api do. That package also fills in forms and draws
// tables of them for terminals, by a module that spends more time before main than all others together.
func readAndWrite(rs io.ReadSeeker, w io.Writer, conf *model.Configuration) (err error) {
	defer fault.Catch(&err)
	ctx, err := pdfcpu.Read(rs, conf)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	if err := validate.XRefTable(ctx); err != nil {
		return fmt.Errorf("validate object %d: %w", ctx.CurObj, err)
	}
	if conf.Cmd == model.OPTIMIZE {
		if err := pdfcpu.OptimizeXRefTable(ctx); err != nil {
			return fmt.Errorf("optimize: %w", err)
		}
	}
	if err := pdfcpu.CacheFormFonts(ctx); err != nil {
		return fmt.Errorf("form fonts: %w", err)
	}
	ctx.Write.Writer = bufio.NewWriter(w)
	if err := pdfcpu.WriteContext(ctx); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return ctx.Write.Flush()
}

type boundedReader struct {
	*bytes.Reader
	budget *Budget
}

func (r *boundedReader) Read(p []byte) (int, error) {
	r.budget.check()
	return r.Reader.Read(p)
}

func (r *boundedReader) Seek(offset int64, whence int) (int64, error) {
	r.budget.check()
	return r.Reader.Seek(offset, whence)
}

// boundedWriter keeps what is written, up to what may still be unpacked.
type boundedWriter struct {
	budget  *Budget
	b       []byte
	tooMuch bool
}

func (w *boundedWriter) Write(p []byte) (int, error) {
	w.budget.check()
	if int64(len(w.b)+len(p)) > w.budget.Limit {
		w.tooMuch = true
		return 0, io.ErrShortWrite
	}
	w.b = append(w.b, p...)
	return len(p), nil
}
