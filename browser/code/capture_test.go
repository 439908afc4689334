package code

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCapture_endsACallAtItsMark(t *testing.T) {
	const mark = "\x00mark\x00"
	for _, size := range []int{1, 2, 3, 7, 1000} {
		var c capture
		feed(&c, "before ", size)
		seen := c.begin(mark)
		feed(&c, "first \x00mar \x00mar"+mark+"between ", size)
		if !isClosed(seen) {
			t.Fatalf("pieces of %d: the mark was not seen", size)
		}
		if got, cut := c.end(); got != "before first \x00mar \x00mar" || cut {
			t.Errorf("pieces of %d: got %q, cut %v", size, got, cut)
		}
		seen = c.begin(mark)
		feed(&c, "second\x00ma", size)
		if got, _ := c.end(); got != "between second\x00ma" || !isClosed(seen) {
			t.Errorf("pieces of %d: got %q", size, got)
		}
	}
}

func TestCapture_endsACallAtTheEndOfItsStream(t *testing.T) {
	var c capture
	seen := c.begin("mark")
	c.readAll(strings.NewReader("all of it, m"))
	if got, _ := c.end(); got != "all of it, m" || !isClosed(seen) {
		t.Errorf("got %q", got)
	}
	if seen = c.begin("mark"); !isClosed(seen) {
		t.Error("a call after the end waits for its mark")
	}
}

func TestCapture_keepsNoMoreThanItsBound(t *testing.T) {
	var c capture
	c.begin("mark")
	feed(&c, strings.Repeat("é", MaxOutput), 4000)
	got, cut := c.end()
	if !cut || len(got) > MaxOutput || !strings.HasSuffix(got, cutNote) || !utf8.ValidString(got) {
		t.Errorf("got %d bytes, cut %v, ending with %q", len(got), cut, got[len(got)-50:])
	}
	if c.begin("mark"); len(c.held) > 0 {
		t.Error("held bytes outlive their call")
	}
	feed(&c, strings.Repeat("\xff.", MaxOutput/2), 4000) // two bytes become four
	if got, cut = c.end(); !cut || len(got) > MaxOutput {
		t.Errorf("invalid bytes: got %d bytes, cut %v", len(got), cut)
	}
}

func feed(c *capture, text string, size int) {
	for len(text) > 0 {
		n := min(size, len(text))
		_, _ = c.Write([]byte(text[:n]))
		text = text[n:]
	}
}

// FuzzCapture: however a stream comes in pieces, what is kept is what stands before the mark.
func FuzzCapture(f *testing.F) {
	f.Add("output", "after", uint8(3))
	f.Add("\x00MAR\x00MA", "\x00MARK\x00", uint8(1))
	f.Fuzz(func(t *testing.T, before, after string, size uint8) {
		const mark = "\x00MARK\x00"
		if strings.Contains(before+mark[:len(mark)-1], mark) || len(before)+len(after) > 10_000 {
			t.Skip("fuzzed input: it has the mark itself, or is over 10,000 bytes")
		}
		var c capture
		seen := c.begin(mark)
		feed(&c, before+mark+after, int(size)+1)
		got, cut := c.end()
		if want, _ := bounded(before); got != want || cut || !isClosed(seen) {
			t.Fatalf("got %q, cut %v, want %q", got, cut, want)
		}
		c.begin(mark)
		if got, _ = c.end(); got != strings.ToValidUTF8(after, "\uFFFD") {
			t.Fatalf("the next call's: got %q, want %q", got, after)
		}
	})
}

// FuzzReadAnswers: whatever a worker writes, reading it ends, and what isn't an answer is an error.
func FuzzReadAnswers(f *testing.F) {
	f.Add("{\"id\":0}\n{\"id\":1,\"exit\":0,\"result\":\"x\"}\n")
	f.Add("{\"id\":\"\"}\n")
	f.Add("\n")
	f.Fuzz(func(t *testing.T, written string) {
		answers := make(chan answer, len(written)+1)
		err := readAnswers(strings.NewReader(written), answers, nil)
		close(answers)
		lines := strings.Count(strings.TrimSuffix(written, "\n"), "\n") + 1
		if err == nil && written != "" && len(answers) != lines {
			t.Fatalf("%d lines, %d answers, no error", lines, len(answers))
		}
		for a := range answers {
			_ = a.trouble()
		}
	})
}
