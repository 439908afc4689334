//go:build unix

package engine

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/internal/sessions"
)

// A session stays usable whatever its pages do, and says of pages what a scrape says. Its end by a browser that is frozen is reported, and
// leaves the profile as it was.
func TestSession_staysUsableOrSaysWhyItEnded(t *testing.T) {
	needSandbox(t)
	others, hosts := children(t), counterShop()
	hosts["silent.example"] = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	hosts["gone.example"] = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusGone)
	})
	e := hostEngine(t, hosts, ownBrowser)
	o := e.sessionOptions()
	o.CallTime = 300 * time.Millisecond
	e.sessions = sessions.New(o)
	if s, err := e.NewSession(t.Context(), SessionOptions{URL: "http://silent.example/"}); CodeOf(err) != CodeTimeout {
		t.Errorf("%+v, %v", s, err)
	}
	o.CallTime, o.Patience = 0, 100*time.Millisecond
	e.sessions = sessions.New(o)
	s := newTestSession(t, e, SessionOptions{URL: "http://shop.example/", Profile: &Profile{Name: "p"}})
	for url, code := range map[string]Code{"http://10.0.0.1/": CodeBlocked, "https://10.0.0.1/": CodeBlocked, "https://nowhere.invalid/": CodeDNS, "file:///etc/hostname": CodeBadRequest} {
		if err := s.Goto(t.Context(), url); CodeOf(err) != code {
			t.Errorf("%s: %v", url, err)
		}
	}
	for range 5 { // also when it is loaded again
		if err := s.Goto(t.Context(), "http://10.0.0.1/"); CodeOf(err) != CodeBlocked {
			t.Error(err)
		}
	}
	if doc, err := s.Scrape(t.Context(), ScrapeOptions{}); CodeOf(err) != CodeBlocked {
		t.Errorf("the guard's own page: %+v, %v", doc, err)
	}
	if err := s.Goto(t.Context(), "http://gone.example/"); err != nil {
		t.Error(err)
	}
	if doc, err := s.Scrape(t.Context(), ScrapeOptions{}); err != nil || doc.Metadata.StatusCode != http.StatusGone {
		t.Errorf("%+v, %v", doc, err)
	}
	runIn(t, s, "node", "1") // warm
	signalBrowsers(t, others, syscall.SIGSTOP)
	if r, err := s.Run(t.Context(), InteractRequest{Code: "await page.title()", Timeout: time.Second}); err != nil || !r.Killed {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := s.Run(t.Context(), InteractRequest{Code: "1"}); CodeOf(err) != CodeSessionDestroyed || !strings.Contains(err.Error(), "doesn't answer") {
		t.Error(err)
	}
	if info := s.Info(); info.Status != SessionDestroyed || !strings.Contains(info.Reason, "doesn't answer") || info.EndedAt.IsZero() {
		t.Errorf("while it still clears up: %+v", info)
	}
	if _, err := s.Close(); err == nil || !strings.Contains(err.Error(), "kept as it was") {
		t.Errorf("the profile: %v", err)
	}
}

// signalBrowsers signals the processes of browsers that this program has begun since it had the others.
func signalBrowsers(t *testing.T, others map[string]bool, signal syscall.Signal) {
	t.Helper()
	found := 0
	for process := range childrenSince(t, others) {
		name, _ := os.ReadFile("/proc/" + process + "/comm")
		if !strings.Contains(string(name), "headless") && !strings.Contains(string(name), "chrom") {
			continue
		}
		found++
		pid, err := strconv.Atoi(process)
		if err == nil {
			err = syscall.Kill(pid, signal)
		}
		if err != nil && !errors.Is(err, syscall.ESRCH) { // it may have ended with its parent
			t.Error(err)
		}
	}
	if found == 0 {
		t.Error("no browser is found")
	}
}

// holderDir, in the environment, makes of a run of the test binary a program that holds a session until it is killed.
const holderDir = "WINNOW_TEST_SESSION_DIR"

// A program that is killed leaves nothing of its sessions but their records, which say that they have ended.
func TestSession_endsWithAProgramThatIsKilled(t *testing.T) {
	if dir := os.Getenv(holderDir); dir != "" {
		holdSession(t, dir)
		return
	}
	needSandbox(t)
	dir := t.TempDir()
	told, processes := killedHolder(t, dir)
	e := hostEngine(t, counterShop(), func(o *Options) { o.Dir = dir }, ownBrowser)
	if _, err := e.Session(t.Context(), told[0]); CodeOf(err) != CodeSessionDestroyed {
		t.Error(err)
	}
	if _, err := e.Interact(t.Context(), told[1], InteractRequest{Code: "1"}); CodeOf(err) != CodeSessionDestroyed {
		t.Error(err)
	}
	if info, err := e.StopInteract(t.Context(), told[1]); err != nil || info.ID != told[0] || info.Status != SessionDestroyed || info.Credits != sessionCost(info, sessions.CodeMinute) {
		t.Errorf("%+v, %v", info, err)
	}
	if u, err := e.Usage(t.Context(), "o"); err != nil || u.Credits < sessions.CodeMinute {
		t.Errorf("what it cost is forgotten: %+v, %v", u, err)
	}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		maps.DeleteFunc(processes, func(pid string, _ bool) bool { return isOver(pid) })
		if len(processes) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("processes stay: %v", processes)
		}
	}
}

// killedHolder gives the ids that the program printed, of session and scrape, and the processes that it had.
func killedHolder(t *testing.T, dir string) (told []string, processes map[string]bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestSession_endsWithAProgramThatIsKilled$", "-test.v")
	cmd.Env = append(os.Environ(), holderDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if ids, ok := strings.CutPrefix(lines.Text(), "holds: "); ok {
			told, processes = strings.Fields(ids), childrenOf(cmd.Process.Pid)
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // it was killed
	if len(told) != 2 || len(processes) < 5 {
		t.Fatalf("%v, %d processes: what is looked at?", told, len(processes))
	}
	return told, processes
}

func holdSession(t *testing.T, dir string) {
	e := hostEngine(t, counterShop(), func(o *Options) { o.Dir = dir }, ownBrowser)
	doc := scrapeOK(t, e, "http://shop.example/", ScrapeOptions{Owner: "o", Render: RenderNever})
	r, err := e.Interact(t.Context(), doc.Metadata.ScrapeID, InteractRequest{Code: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	fmt.Println("holds:", r.SessionID, doc.Metadata.ScrapeID)
	select {}
}

// isOver reports whether a process is gone, or only waits to be reaped.
func isOver(pid string) bool {
	data, _ := os.ReadFile("/proc/" + pid + "/stat")
	return len(data) == 0 || strings.HasPrefix(string(data[bytes.LastIndexByte(data, ')')+1:]), " Z")
}
