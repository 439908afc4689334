package pdf

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// Files with bytes changed, cut out and doubled end in time, with a document or an error.
func TestSoak_damagedFilesEnd(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	sources := [][]byte{pdftest.ThreePages(), bookPages(3), pdftest.Rewritten(t, pdftest.ThreePages(), nil), pdftest.Text("one", "two")}
	read := 0
	for range soak(2000) {
		body := bytes.Clone(sources[random.IntN(len(sources))])
		for range 1 + random.IntN(8) {
			at := random.IntN(len(body))
			end := min(len(body), at+random.IntN(40))
			switch random.IntN(4) {
			case 0:
				body[at] = byte(random.IntN(256))
			case 1:
				body = append(body[:at:at], body[end:]...)
			case 2:
				body = append(body[:end:end], body[at:]...)
			case 3:
				body[at] = "0123456789<>[]()/ R"[random.IntN(19)]
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), hang)
		doc, err := Read(ctx, body, Options{})
		if ctx.Err() != nil {
			t.Fatalf("it took all of its time: %q", body)
		}
		cancel()
		if err == nil && len(doc.Pages) > 0 {
			read++
		}
	}
	t.Logf("%d of %d files gave pages", read, soak(2000))
}
