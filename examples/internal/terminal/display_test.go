package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		p     engine.Progress
		final bool
		want  string
	}{
		{engine.Progress{Left: -1}, false, "0 of 0 pages"},
		{engine.Progress{Known: 9, Queued: 4, Active: 2, Done: 3, Rate: 1.26, Left: 4600 * time.Millisecond}, false, "3 of 9 pages, 1.3 pages/s, 5s left"},
		{engine.Progress{Known: 9, Queued: 4, Active: 2, Done: 2, Failed: 1, Rate: 2, Left: -1}, false, "3 of 9 pages, 1 failed, 2.0 pages/s"},
		{engine.Progress{Known: 9, Done: 7, Failed: 1, Rate: 2}, true, "9 of 9 pages, 1 failed"},
	} {
		if got := describe(c.p, c.final); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// lastDrawn is what stands on the bar's line.
func lastDrawn(b *bytes.Buffer) string {
	parts := strings.Split(strings.TrimRight(b.String(), "\r\n "), "\r")
	return parts[len(parts)-1]
}

func TestDisplay_theBarGrowsWithWhatIsKnown(t *testing.T) {
	var b bytes.Buffer
	d := &Display{to: &b, bar: newBar(&b)}
	for _, c := range []struct {
		p     engine.Progress
		final bool
		want  string
	}{
		{engine.Progress{Known: 1, Done: 1, Left: -1}, false, "1 of 1 pages"}, // all that is known yet: not the end
		{engine.Progress{Known: 10, Queued: 7, Active: 1, Done: 2, Rate: 1, Left: 8 * time.Second}, false, "2 of 10 pages, 1.0 pages/s, 8s left"},
		{engine.Progress{Known: 10, Queued: 5, Done: 5, Left: -1}, false, "5 of 10 pages"},
		{engine.Progress{Known: 10, Done: 10}, true, "10 of 10 pages"},
	} {
		d.Progress(c.p, c.final)
		if got := lastDrawn(&b); !strings.HasSuffix(got, c.want) || strings.Contains(got, "100%") != c.final {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	d.End()
	if !strings.HasSuffix(b.String(), "\n") {
		t.Error("the bar's line isn't left")
	}
	b.Reset()
	d.Say("and more")
	if b.String() != "and more\n" {
		t.Errorf("after the end: %q", &b)
	}
}

func TestDisplay_aLineIsPrintedOnce(t *testing.T) {
	var b bytes.Buffer
	d := New(&b, false)
	for range 3 {
		d.Progress(engine.Progress{Known: 2, Done: 1, Queued: 1, Left: -1}, false)
	}
	if b.String() != "1 of 2 pages\n" {
		t.Errorf("got %q", &b)
	}
}

func TestDisplay_eachStepOfAnInstallIsPrintedOnce(t *testing.T) {
	var b bytes.Buffer
	d := New(&b, false)
	for _, done := range []int64{0, 30, 60, 90} {
		d.Install(browser.Progress{Step: "download", Detail: "browser", Done: done, Total: 90})
	}
	d.Install(browser.Progress{Step: "unpack"})
	if b.String() != "install: download browser\ninstall: unpack\n" {
		t.Errorf("got %q", &b)
	}
}

func TestDisplay_pagesOfAFileMoveTheBar(t *testing.T) {
	var b bytes.Buffer
	d := &Display{to: &b, bar: newBar(&b)}
	d.Pages("a.pdf", 3, 9)
	if got := lastDrawn(&b); !strings.HasSuffix(got, "a.pdf: 3 of 9 pages") {
		t.Errorf("got %q", got)
	}
	d.Pages("b.pdf", 1, 2)
	if got := lastDrawn(&b); !strings.HasSuffix(got, "b.pdf: 1 of 2 pages") {
		t.Errorf("the second file: got %q", got)
	}
	b.Reset()
	(&Display{to: &b}).Pages("a.pdf", 3, 9)
	if b.Len() > 0 {
		t.Errorf("without a bar: got %q", b.String())
	}
}
