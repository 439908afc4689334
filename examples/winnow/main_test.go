package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// asProgram makes the test binary be the program: for tests that need its exit status or a signal.
const asProgram = "WINNOW_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) // the search library has workers for the life of the process
}

// outcome is what came of a command line.
type outcome struct {
	status         int
	stdout, stderr string
}

// ran runs a command line in this process, with a text on stdin.
func ran(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	return ranUnder(t.Context(), stdin, args...)
}

func ranUnder(ctx context.Context, stdin string, args ...string) outcome {
	var out, log bytes.Buffer
	p := &program{stdin: strings.NewReader(stdin), stdout: &out, stderr: &log}
	status := p.run(ctx, args)
	return outcome{status, out.String(), log.String()}
}

// good is ran that has to end with 0.
func good(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	o := ran(t, stdin, args...)
	if o.status != done {
		t.Fatalf("%q: status %d\n%s", args, o.status, o.stderr)
	}
	return o
}

// byHTTP are flags for the built-in sites without a browser.
var byHTTP = []string{"--demo", "--render", "never", "-q"}

func demoArgs(args ...string) []string { return append(args, byHTTP...) }

const (
	millURL = "https://shop.example/products/hand-mill"
	ryeURL  = "https://shop.example/products/rye-seed"
	refused = "http://127.0.0.1:1/" // by the policy, without a connection
)

// jsonLines reads NDJSON.
func jsonLines(t *testing.T, text string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		list = append(list, one)
	}
	return list
}

// names are the files of a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func contains(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", what, want, text)
		}
	}
}
