package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// interpreters run the program of a language, whose file has this name.
var interpreters = map[string][]string{
	"cURL": {"bash", "request.sh"}, "Go": {"go", "run", "main.go"}, "JavaScript": {"node", "request.mjs"}, "Python": {"python3", "request.py"},
}

// tricky is what people may write into the fields of the page.
var tricky = map[string]any{
	"url": `https://lamp.example/?q='"$(id)&x=%41`, "limit": 5.0, "ratio": -0.25, "mobile": false, "only": true, "none": nil,
	"prompt":  "it's `a` ${b} $HOME \\n \" \u2028 \u00e9 \U0001f33e\u007f\u0085\ufeff\r\n\t</script> %s {} %(x)s",
	"formats": []any{"markdown", map[string]any{"type": "json", "prompt": `'''"""`}}, "empty": []any{}, "nothing": map[string]any{},
}

const secret = "secret-of-a-test"

// TestCode_sendsTheSameRequestInAllLanguages runs the programs that the page shows.
func TestCode_sendsTheSameRequestInAllLanguages(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test compiles and runs programs")
	}
	for _, keyed := range []bool{true, false} {
		seen := &recorder{}
		s := httptest.NewServer(seen)
		body := map[bool]map[string]any{true: tricky, false: {"url": "https://lamp.example/", "prompt": "two\nlines"}}[keyed]
		for language, text := range programs(t, map[string]any{"method": "POST", "url": s.URL + "/v2/scrape?a='$b", "body": body, "keyed": keyed}) {
			out := run(t, language, text)
			seen.check(t, language, out, body, keyed)
		}
		s.Close()
	}
}

// programs are those that the page makes of a request.
func programs(t *testing.T, request any) (texts map[string]string) {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"code.mjs": pageFile(t, "code.js"), "request.json": string(data), "main.mjs": `import { languages } from "./code.mjs"; import { readFileSync } from "node:fs";
			const request = JSON.parse(readFileSync("request.json"));
			console.log(JSON.stringify(Object.fromEntries(Object.entries(languages).map(([name, write]) => [name, write(request)]))));`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal([]byte(runIn(t, dir, "node", "main.mjs")), &texts); err != nil || len(texts) != len(interpreters) {
		t.Fatalf("%d programs: %v", len(texts), err)
	}
	return texts
}

func run(t *testing.T, language, text string) string {
	t.Helper()
	dir, command := t.TempDir(), interpreters[language]
	if err := os.WriteFile(filepath.Join(dir, command[len(command)-1]), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return runIn(t, dir, command...)
}

// runIn runs a program that is installed; with WINNOW_REQUIRE_TOOLS, as in CI, each must be.
func runIn(t *testing.T, dir string, command ...string) string {
	t.Helper()
	for _, tool := range []string{command[0], "curl"} {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
			t.Skip("a program is missing: ", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "WINNOW_API_KEY="+secret, "PYTHONIOENCODING=utf-8")
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("%q: %v\n%s", command, err, failed.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// recorder keeps the last request.
type recorder struct {
	request *http.Request
	body    []byte
}

func (s *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.request = r
	s.body, _ = io.ReadAll(r.Body)
	fmt.Fprint(w, `{"success":true}`)
}

func (s *recorder) check(t *testing.T, language, out string, want map[string]any, keyed bool) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal(s.body, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s sent %s: %v", language, s.body, err)
	}
	key := map[bool]string{true: "Bearer " + secret}[keyed]
	h, u := s.request.Header, s.request.URL
	if s.request.Method != "POST" || u.Path != "/v2/scrape" || u.Query().Get("a") != "'$b" || h.Get("Content-Type") != "application/json" || h.Get("Authorization") != key {
		t.Errorf("%s: %s %s %v", language, s.request.Method, u, h)
	}
	if !strings.Contains(out, "success") {
		t.Errorf("%s printed %q", language, out)
	}
}
