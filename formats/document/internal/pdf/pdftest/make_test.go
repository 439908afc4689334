package pdftest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/winnow-go/winnow/formats/document/internal/pdf"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// What tests package pdf with more than one goroutine is here, so that its other tests run without the race detector: see one_goroutine in
// .ci/tools.

// Files are read side by side, those that pdfcpu rewrites too.
func TestRead_sideBySide(t *testing.T) {
	pdftest.DisableConfigDir()
	plain, closed := pdftest.ThreePages(), pdftest.Rewritten(t, pdftest.Text("Nobody may read this"), model.NewAESConfiguration("user", "owner", 256))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				if _, err := pdf.Read(t.Context(), plain, pdf.Options{}); err != nil {
					t.Error(err)
				}
				if _, err := pdf.Read(t.Context(), closed, pdf.Options{Password: "user"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestRead_endsInTheMiddle(t *testing.T) {
	body := pdftest.File("", pdftest.Page{Content: strings.Repeat("0 0 m ", 5<<20)})
	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(5*time.Millisecond, cancel)
	defer timer.Stop()
	for ctx.Err() == nil {
		if _, err := pdf.Read(ctx, body, pdf.Options{}); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}
