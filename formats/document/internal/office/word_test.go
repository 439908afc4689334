package office

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/compound/compoundtest"
)

func oldSample(t *testing.T) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/golden/made.doc")
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestDOC_structureOfAText(t *testing.T) {
	got := bodyOfDoc(t, DOC, oldSample(t), Options{})
	for _, want := range []string{
		"<h1>First heading</h1>", "<h2>Lists</h2>", "<li>two</li>", `<a href="https://example.org/a?b=c&amp;d=e">link</a>`,
		"<tr><td>Mass</td><td>1.5</td><td>kg</td></tr>", "日本語のテキスト, Ünïcödé, “quotes” — dash…", "<hr><p>The note’s text with <strong>bold</strong>.</p>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "HYPERLINK") {
		t.Error("an instruction of a field is text")
	}
}

func TestDOC_refusals(t *testing.T) {
	body := oldSample(t)
	body[bytes.Index(body, []byte("\xEC\xA5"))+11] |= 1 // under a password
	if _, err := DOC(t.Context(), body, Options{}); !errors.Is(err, ErrEncrypted) {
		t.Errorf("encrypted: got %v", err)
	}
	_, err := DOC(t.Context(), oldSample(t), Options{Limits: Limits{Memory: 1000}})
	if e, ok := errors.AsType[*LimitError](err); !ok || e.What != "memory" {
		t.Errorf("memory: got %v", err)
	}
	none := compoundtest.File(compoundtest.Stream{Path: "WordDocument", Data: make([]byte, 2000)})
	if _, err := DOC(t.Context(), none, Options{}); !errors.As(err, new(*DamagedError)) {
		t.Errorf("no text: got %v", err)
	}
	doc, err := DOC(t.Context(), oldSample(t), Options{Limits: Limits{Cells: 4}})
	if err != nil || len(doc.Warnings) != 2 || strings.Count(string(doc.Body), "<td>") != 4 {
		t.Errorf("cells: got %s %q, %v", doc.Body, doc.Warnings, err)
	}
}

// What the text doesn't show is counted: a comment, a picture and tracked changes.
func TestDOC_whatIsLeftOutIsNamed(t *testing.T) {
	body, err := os.ReadFile("testdata/golden/marks.doc")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := DOC(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Comments were left out: 1 comment.", "Pictures, drawings and objects were left out: 1 picture.", "Tracked changes were read as accepted: 1 insertion, 1 deletion.",
	}
	if !slices.Equal(doc.Warnings, want) {
		t.Errorf("got %q, want %q", doc.Warnings, want)
	}
	for _, gone := range []string{"taken away", "hidden words", "A comment."} {
		if strings.Contains(string(doc.Body), gone) {
			t.Errorf("%q is text", gone)
		}
	}
}
