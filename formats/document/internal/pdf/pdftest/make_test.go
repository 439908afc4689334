package pdftest_test

import (
	"sync"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/winnow-go/winnow/formats/document/internal/pdf"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// Files are read side by side, those that pdfcpu rewrites too. It is here since it alone of what tests package pdf needs the race detector:
// see alone in .ci/tools.
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
