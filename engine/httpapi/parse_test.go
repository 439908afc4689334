package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// part of a form; a file has a file name.
type part struct{ name, file, content string }

// send posts a form to parse.
func (s *service) send(parts ...part) answer {
	s.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for _, p := range parts {
		create := func() (io.Writer, error) { return form.CreateFormField(p.name) }
		if p.file != "" {
			create = func() (io.Writer, error) { return form.CreateFormFile(p.name, p.file) }
		}
		w, err := create()
		if err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprint(w, p.content)
	}
	if err := form.Close(); err != nil {
		s.t.Fatal(err)
	}
	return s.red("POST", parsePath, b.String(), func(r *http.Request) { r.Header.Set("Content-Type", form.FormDataContentType()) })
}

func TestParse_readsAFileWithOptionsBeforeAndAfterIt(t *testing.T) {
	s := newService(t)
	file := part{"file", "lamp.html", article}
	options := part{"options", "", `{"formats":["markdown","rawHtml"],"origin":"test","timeout":5000,"proxy":"auto","mobile":false}`}
	for name, parts := range map[string][]part{"before": {options, file}, "after": {file, options}} {
		a := s.send(parts...)
		if a.status != 200 || !strings.Contains(a.text("data", "markdown"), "# The lamp") || a.text("data", "rawHtml") != article {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	if a := s.send(part{"file", "list.csv", "a,b\n1,2\n"}); a.status != 200 || !strings.Contains(a.text("data", "markdown"), "| a") {
		t.Errorf("%d %s", a.status, a.raw)
	}
}

func TestParse_refusals(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.MaxFile = 1000 })
	file := part{"file", "lamp.html", article}
	for name, c := range map[string]struct {
		parts []part
		want  string
	}{
		"no file":          {[]part{{"options", "", `{}`}}, "400 BAD_REQUEST"},
		"two files":        {[]part{file, file}, "400 BAD_REQUEST"},
		"an unknown part":  {[]part{file, {"path", "", "/etc/passwd"}}, "400 BAD_REQUEST"},
		"no JSON":          {[]part{file, {"options", "", `{`}}, "400 BAD_REQUEST"},
		"an unknown key":   {[]part{file, {"options", "", `{"url":"x"}`}}, "400 BAD_REQUEST"},
		"actions":          {[]part{file, {"options", "", `{"actions":[{"type":"scrape"}]}`}}, "400 PARSE_UNSUPPORTED_OPTIONS"},
		"waitFor":          {[]part{file, {"options", "", `{"waitFor":1}`}}, "400 PARSE_UNSUPPORTED_OPTIONS"},
		"location":         {[]part{file, {"options", "", `{"location":{"country":"DE"}}`}}, "400 PARSE_UNSUPPORTED_OPTIONS"},
		"mobile":           {[]part{file, {"options", "", `{"mobile":true}`}}, "400 PARSE_UNSUPPORTED_OPTIONS"},
		"enhanced":         {[]part{file, {"options", "", `{"proxy":"enhanced"}`}}, "400 PARSE_UNSUPPORTED_OPTIONS"},
		"a screenshot":     {[]part{file, {"options", "", `{"formats":["screenshot"]}`}}, "400 PARSE_UNSUPPORTED_OPTIONS"},
		"an unknown type":  {[]part{{"file", "x.bin", "\x00\x01\x02\x03"}}, "400 UNSUPPORTED_FILE_TYPE"},
		"an empty file":    {[]part{{"file", "x.pdf", ""}}, "400 BAD_REQUEST"},
		"an empty text":    {[]part{{"file", "x.txt", ""}}, "400 BAD_REQUEST"},
		"zeros":            {[]part{{"file", "x.html", strings.Repeat("\x00", 300)}}, "400 UNSUPPORTED_FILE_TYPE"},
		"zeros as a PDF":   {[]part{{"file", "x.pdf", strings.Repeat("\x00", 300)}}, "400 SCRAPE_UNSUPPORTED_FILE_ERROR"},
		"a damaged PDF":    {[]part{{"file", "x.pdf", "%PDF-1.4\nnothing"}}, "400 SCRAPE_UNSUPPORTED_FILE_ERROR"},
		"too large a file": {[]part{{"file", "x.html", strings.Repeat("x", 1001)}}, "413 REQUEST_TOO_LARGE"},
	} {
		a := s.send(c.parts...)
		if got := fmt.Sprint(a.status, " ", a.text("code")); got != c.want {
			t.Errorf("%s: %s, want %s: %s", name, got, c.want, a.raw)
		}
		if text := a.text("error"); text == "" || strings.Contains(text, "\n") || len(text) > 300 {
			t.Errorf("%s: want one plain line, got %q", name, text)
		}
		if field := map[string]string{"no file": "file", "two files": "file", "an empty file": "file", "no JSON": "options"}[name]; field != "" && a.text("details", 0, "path", 0) != field {
			t.Errorf("%s: %s", name, a.raw)
		}
	}
	for _, kind := range []string{"application/json", "multipart/form-data", "multipart/form-data; boundary=x"} {
		if a := s.red("POST", parsePath, "--y\r\n", func(r *http.Request) { r.Header.Set("Content-Type", kind) }); a.status != 400 {
			t.Errorf("%s: %d %s", kind, a.status, a.raw)
		}
	}
}

func FuzzParseForm(f *testing.F) {
	s := newService(f)
	f.Add("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.html\"\r\n\r\n<p>hi\r\n--x--\r\n")
	f.Add("--x\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n{}\r\n--x--\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		one := service{s.Handler, t, s.engine}
		a := one.red("POST", parsePath, body, func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data; boundary=x") })
		if a.get("success") != (a.status == 200) {
			t.Errorf("%d %s", a.status, a.raw)
		}
	})
}
