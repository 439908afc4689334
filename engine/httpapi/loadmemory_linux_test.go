package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// serveLoad, in the environment, makes of a run of the test binary a server that ends with its input.
const serveLoad = "WINNOW_TEST_SERVE_LOAD"

// calm is how long after a load memory is looked at.
const calm = time.Minute

// joining is what clients need of a server in another process.
type joining struct{ Base, Batch, Crawl string }

// A minute after a load the server needs no more than half as much memory again as before. Its clients are in another process.
func TestLoad_aMinuteLaterMemoryIsAsItWas(t *testing.T) {
	switch {
	case os.Getenv(serveLoad) != "":
		l := newCrowd(t)
		if err := json.NewEncoder(os.Stdout).Encode(joining{l.base, l.batch, l.crawl}); err != nil {
			t.Error(err)
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case os.Getenv("WINNOW_SOAK") != "1":
		t.Skip("WINNOW_SOAK=1 runs it: it takes two minutes")
	}
	pid, l := serveElsewhere(t)
	l.asks = append(l.asks, freshAsks()...)
	lasts, think := loadTime()
	first := anonymous(t, pid)
	took := l.run(lasts, think)
	most := anonymous(t, pid)
	<-time.After(calm)
	last := anonymous(t, pid)
	t.Logf("%d requests of %d clients in %v: %d kB of memory before, %d kB at their end, %d kB %v later",
		len(took), loadClients, lasts, first, most, last, calm)
	if 2*last > 3*first {
		t.Errorf("%v after the load it has %d kB, before it had %d kB", calm, last, first)
	}
}

// freshAsks are for pages that aren't taken from the cache.
func freshAsks() (asks []ask) {
	for i := range loadPages {
		body := fmt.Sprintf(`{"url":"lamp.example/?fresh=%d","maxAge":0,"formats":["markdown","html","links"]}`, i)
		asks = append(asks, ask{"POST", "/v2/scrape", redSecret, body, 200})
	}
	return asks
}

// serveElsewhere starts a server in a process of its own, and its clients here.
func serveElsewhere(t *testing.T) (pid int, l *crowd) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$") // ends with its input, at the test's end
	cmd.Env = append(os.Environ(), serveLoad+"=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		rest, _ := io.ReadAll(out)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server: %v\n%s%s", err, rest, &said)
		}
	})
	var j joining
	if err := json.NewDecoder(out).Decode(&j); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid, join(t, j.Base, j.Batch, j.Crawl)
}

// anonymous is how much memory a process has in kB, without what it shares with files.
func anonymous(t *testing.T, pid int) (kB int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(status), "RssAnon:")
	if _, err := fmt.Sscan(rest, &kB); err != nil || !found {
		t.Fatalf("%v in %s", err, status)
	}
	return kB
}
