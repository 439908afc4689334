package reader

import (
	"bytes"
	"io"
	"regexp"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// pdfcpu stamps what it writes with the time, and with an ID that is made of it.
var stamps = regexp.MustCompile(`/(CreationDate|ModDate)\([^)]*\)|/ID\s*\[[^\]]*\]`)

// rewrite takes the steps of pdfcpu's own package api, without importing it.
func TestRewrite_writesWhatPdfcpusOwnCommandsWrite(t *testing.T) {
	disableConfigDir()
	packed := pdftest.Rewritten(t, pdftest.ThreePages(), nil)
	for name, c := range map[string]struct {
		body      []byte
		encrypted bool
		command   func(io.ReadSeeker, io.Writer, *model.Configuration) error
	}{
		"optimize":                 {pdftest.ThreePages(), false, api.Optimize},
		"optimize, object streams": {packed, false, api.Optimize},
		"decrypt AES-256":          {pdftest.Rewritten(t, pdftest.ThreePages(), model.NewAESConfiguration("", "owner", 256)), true, api.Decrypt},
		"decrypt RC4-40":           {pdftest.Rewritten(t, packed, model.NewRC4Configuration("", "owner", 40)), true, api.Decrypt},
		"no PDF":                   {[]byte("%PDF-1.4\nnothing"), false, api.Optimize},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := rewrite(&Budget{Context: t.Context(), Limit: 1 << 20}, c.body, "", c.encrypted)
			var want bytes.Buffer
			wantErr := c.command(bytes.NewReader(c.body), &want, rewriting(""))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("got error %v, want %v", err, wantErr)
			}
			if got := stamps.ReplaceAll(got, nil); !bytes.Equal(got, stamps.ReplaceAll(want.Bytes(), nil)) {
				t.Errorf("got\n%.2000q\nwant\n%.2000q", got, want.Bytes())
			}
		})
	}
}
