package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/formats"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const site = `<nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><main><h1>Oats</h1><p>Oats keep best in a dry loft, <a href="barn">as barns go</a>.</p></main>`

func line(id, html string) string {
	b, _ := json.Marshal(map[string]string{"id": id, "url": "https://farm.example/x/", "html": html})
	return string(b) + "\n"
}

func answers(t *testing.T, in string, s settings) []answer {
	t.Helper()
	if s.maxLine == 0 {
		s.maxLine = maxLine
	}
	if s.format == "" {
		s.format = formats.Markdown
	}
	var out strings.Builder
	if err := run(t.Context(), strings.NewReader(in), &out, s); err != nil {
		t.Fatal(err)
	}
	var all []answer
	for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
		var a answer
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

func TestConvert_flags(t *testing.T) {
	cases := []struct {
		name string
		s    settings
		want string
	}{
		{"main content", settings{workers: 1, main: true}, "# Oats\n\nOats keep best in a dry loft, [as barns go](https://farm.example/x/barn)."},
		{"the whole page", settings{workers: 1}, "[A](https://farm.example/a) [B](https://farm.example/b) [C](https://farm.example/c)\n\n# Oats\n\nOats keep best in a dry loft, [as barns go](https://farm.example/x/barn)."},
	}
	for _, c := range cases {
		got := answers(t, line("1", site), c.s)
		if len(got) != 1 || got[0].ID != "1" || got[0].Markdown == nil || *got[0].Markdown != c.want {
			t.Errorf("%s: got %+v, want %q", c.name, got, c.want)
		}
	}
	got := answers(t, line("1", site), settings{workers: 1, main: true, format: formats.HTML})
	if len(got) != 1 || got[0].Markdown != nil || got[0].HTML == nil || !strings.Contains(*got[0].HTML, `<h1>Oats</h1>`) || strings.Contains(*got[0].HTML, "nav") {
		t.Errorf("html: got %+v", got)
	}
}

func TestConvert_keepsTheOrder(t *testing.T) {
	var in strings.Builder
	for i := range 200 {
		in.WriteString(line(fmt.Sprint(i), strings.Repeat("<p>word</p>", 1+(i*7919)%300)) + "\n \n")
	}
	got := answers(t, in.String(), settings{workers: 8})
	if len(got) != 200 {
		t.Fatalf("got %d answers, want 200: blank lines have none", len(got))
	}
	for i, a := range got {
		if a.ID != fmt.Sprint(i) {
			t.Fatalf("answer %d is for page %s", i, a.ID)
		}
	}
}

func TestConvert_badLinesHaveAnAnswer(t *testing.T) {
	in := "{\n" + line("long", strings.Repeat("x", 2000)) + `{"id":"odd","html":5}` + "\n" + strings.TrimSpace(line("last", "<p>fine</p>"))
	got := answers(t, in, settings{workers: 2, maxLine: 1000})
	if len(got) != 4 {
		t.Fatalf("got %+v, want four answers", got)
	}
	for i, want := range []string{"not a page", "more than 1000 bytes", "not a page", ""} {
		if a := got[i]; (want == "") != (a.Error == "") || !strings.Contains(a.Error, want) || (a.Error == "") != (a.Markdown != nil) {
			t.Errorf("answer %d: got %+v, want error %q", i, a, want)
		}
	}
	if got[2].ID != "odd" || *got[3].Markdown != "fine" {
		t.Errorf("got %+v", got)
	}
}

// The test asks for the next page only when it has the answer to the last, as a program that drives the filter may.
func TestConvert_answersAtOnce(t *testing.T) {
	in, toIn := io.Pipe()
	fromOut, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- run(context.WithoutCancel(t.Context()), in, out, settings{workers: 3, format: formats.Markdown, maxLine: maxLine})
		out.Close()
	}()
	d := json.NewDecoder(fromOut)
	for i := range 5 {
		if _, err := io.WriteString(toIn, line(fmt.Sprint(i), "<p>x</p>")); err != nil {
			t.Fatal(err)
		}
		var a answer
		if err := d.Decode(&a); err != nil || a.ID != fmt.Sprint(i) {
			t.Fatalf("got %+v, %v", a, err)
		}
	}
	toIn.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestConvert_endsWhenNoOneReads(t *testing.T) {
	in := strings.Repeat(line("1", site), 100)
	err := run(t.Context(), strings.NewReader(in), full{}, settings{workers: 4, format: formats.Markdown, maxLine: maxLine})
	if !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v, want the writer's error", err)
	}
}

func TestConvert_workers(t *testing.T) {
	if err := run(t.Context(), strings.NewReader(""), io.Discard, settings{}); err == nil || !strings.Contains(err.Error(), "-workers 0") {
		t.Errorf("got %v, want an error that names -workers 0", err)
	}
}
