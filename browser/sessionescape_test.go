package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// drive runs a script of testdata in a sandbox of its own, with the session's socket, and returns what it wrote.
func drive(t testing.TB, s *Session, script string, aims any) string {
	t.Helper()
	at, err := filepath.Abs(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(aims)
	if err != nil {
		t.Fatal(err)
	}
	if err := shared.Prepare(t.Context()); err != nil { // no test before may have used it
		t.Fatal(err)
	}
	inst := shared.Installation()
	library := filepath.Join(inst.DriverDir, "package")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	p, err := sandbox.Start(ctx, sandbox.Spec{
		Args:     []string{inst.Node, "/opt/" + script, library, "/run/endpoint.sock", string(data)},
		ReadOnly: []sandbox.Bind{{From: at, To: "/opt/" + script}, {From: library}, {From: s.Endpoint(), To: "/run/endpoint.sock"}},
		Stdout:   &out, Stderr: &errs,
	})
	if err != nil {
		t.Fatal(err)
	}
	if code, err := p.Wait(); code != 0 || err != nil {
		t.Fatalf("the script ended with %d, %v: %s", code, err, errs.String())
	}
	return out.String()
}

// word is what nobody in a sandbox may read: in the environment of all tests here, in a file, and on a server.
const word = "e5cape-c4nary"

func init() { _ = os.Setenv("WINNOW_TEST_SECRET", word) }

func TestSession_nobodyGetsOutThroughItsDriver(t *testing.T) {
	t.Parallel() // its script gives way to all other work
	needsSandbox(t)
	leftToUnraced(t)
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.txt")
	if err := os.WriteFile(secret, []byte(word), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(outside, "out")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	var reached atomic.Int64
	forbidden := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = w.Write([]byte(word))
	}))
	t.Cleanup(forbidden.Close)
	s, site := commonSession(t)
	before := common.refused.Load()
	if err := shared.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	answer := drive(t, s, "escape.js", map[string]string{"secret": secret, "folder": folder, "forbidden": forbidden.URL, "allowed": site.URL + "/"})
	var told map[string]string
	if err := json.Unmarshal([]byte(answer), &told); err != nil {
		t.Fatalf("%v: %.500s", err, answer)
	}
	for name, text := range told {
		t.Logf("%s: %.150q", name, text)
		if strings.Contains(text, word) || strings.Contains(text, "root:") {
			t.Errorf("%s: got out with %.300q", name, text)
		}
		if strings.Contains(text, "interrupted") {
			t.Errorf("%s was not tried: %s", name, text)
		}
	}
	contains(t, "an allowed site", told["control: an allowed site"], "hello")
	contains(t, "a file inside", told["control: a file that is inside"], "relay")
	if reached.Load() > 0 {
		t.Errorf("a server that is not allowed was reached %d times", reached.Load())
	}
	if common.refused.Load() == before {
		t.Error("the egress refused nothing: was it asked at all?")
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("files outside were written: %v", left)
	}
	if data, err := os.ReadFile(secret); err != nil || string(data) != word {
		t.Errorf("the file outside is %q, %v", data, err)
	}
	visit(t, pageOf(t, s), site.URL+"/")
}
