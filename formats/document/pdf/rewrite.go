package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// disableConfigDir keeps pdfcpu from writing into the user's home. Its setting is a variable of its package.
var disableConfigDir = sync.OnceFunc(api.DisableConfigDir)

// rewrite has pdfcpu read a file and write it anew: decrypted, repaired, without object streams. pdfcpu takes no
// context: it ends when it next reads or writes after the deadline.
func rewrite(b *budget, body []byte, password string, encrypted bool) (out []byte, err error) {
	disableConfigDir()
	defer func() {
		if p := recover(); p != nil {
			if s, ok := p.(stopped); ok {
				panic(s)
			}
			out, err = nil, fmt.Errorf("rewrite: %v", p)
		}
		if stop := b.err(); stop != nil {
			out, err = nil, stop
		}
	}()
	conf := model.NewDefaultConfiguration()
	conf.ValidationMode = model.ValidationRelaxed
	conf.WriteObjectStream, conf.WriteXRefStream = false, false
	conf.Optimize, conf.OptimizeBeforeWriting, conf.PostProcessValidate = false, false, false
	conf.UserPW, conf.OwnerPW = password, password
	w := &boundedWriter{budget: b}
	rs := &boundedReader{bytes.NewReader(body), b}
	if encrypted {
		err = api.Decrypt(rs, w, conf)
	} else {
		err = api.Optimize(rs, w, conf)
	}
	if errors.Is(err, pdfcpu.ErrWrongPassword) {
		return nil, &PasswordError{Given: password != ""}
	}
	if w.tooMuch {
		return nil, errUnpacked
	}
	return w.b, err
}

type boundedReader struct {
	*bytes.Reader
	budget *budget
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
	budget  *budget
	b       []byte
	tooMuch bool
}

func (w *boundedWriter) Write(p []byte) (int, error) {
	w.budget.check()
	if int64(len(w.b)+len(p)) > w.budget.limit {
		w.tooMuch = true
		return 0, io.ErrShortWrite
	}
	w.b = append(w.b, p...)
	return len(p), nil
}
