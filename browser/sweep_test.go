//go:build unix

package browser

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// helperHold opens a page, says which run it has, and waits to be killed.
func helperHold() int {
	pool := NewPool(Options{})
	p, err := pool.Open(context.Background(), PageOptions{})
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	os.Stdout.WriteString(p.gen.folder.marker() + "\n")
	select {}
}

// heldBy starts a second program that holds a browser as the helper says, and returns the marker of its run.
func heldBy(t *testing.T, helper string) (*exec.Cmd, string) {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), helperVariable+"="+helper)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return command, strings.TrimSpace(line)
}

// stray starts a process that does nothing, marked as of the given run.
func stray(t *testing.T, marker string) (ended <-chan struct{}) {
	t.Helper()
	command := exec.Command("sleep", "60")
	command.Env = []string{markerVariable + "=" + marker}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = command.Wait()
	}()
	t.Cleanup(func() { _ = command.Process.Kill(); <-done })
	return done
}

func TestPool_browserDiesWithItsHostAndItsRemainsAreSwept(t *testing.T) {
	needsBrowser(t)
	command, marker := heldBy(t, "hold")
	dir := strings.SplitN(marker, ":", 4)[3]
	if len(processesWith("WINNOW_RUN="+marker)) < 2 {
		t.Error("want driver and browser running")
	}
	sweepOrphans(shared.log, os.TempDir())
	if len(processesWith("WINNOW_RUN="+marker)) < 2 || !exists(dir) {
		t.Error("the browser of a living program was swept")
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	eventually(t, "driver and browser have died with their host", func() bool { return len(processesWith("WINNOW_RUN="+marker)) == 0 })
	if !exists(dir) {
		t.Fatal("want the folder left, or this test shows nothing")
	}
	orphan, other := stray(t, marker), stray(t, hostMarker()+":/elsewhere")
	pool := ownPool(t, Options{})
	if err := pool.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if exists(dir) {
		t.Error("the folder is left")
	}
	if runtime.GOOS == "linux" {
		<-orphan
	}
	select {
	case <-other:
		t.Error("a process of a living program was killed")
	default:
	}
}

func TestOrphaned_onlyWhatSurelyIs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system: it has no /proc, which alone shows processes")
	}
	pid, start, namespace := hostParts(t)
	for marker, want := range map[string]bool{
		strings.Join([]string{pid, start, namespace, "/x"}, ":"):           false,
		strings.Join([]string{pid, start + "1", namespace, "/x"}, ":"):     true, // the pid was used again
		strings.Join([]string{"4194999", "1", namespace, "/x"}, ":"):       true,
		strings.Join([]string{"4194999", "1", "1" + namespace, "/x"}, ":"): false, // of another container
		strings.Join([]string{"4194999", "", namespace, "/x"}, ":"):        false,
		strings.Join([]string{"4194999", "1", "", "/x"}, ":"):              false,
		"":                  false,
		"x:1:" + namespace:  false,
		"4194999:1:/folder": false,
	} {
		if got := orphaned(marker); got != want {
			t.Errorf("%q: got %v, want %v", marker, got, want)
		}
	}
}

func hostParts(t *testing.T) (pid, start, namespace string) {
	t.Helper()
	parts := strings.Split(hostMarker(), ":")
	if len(parts) != 3 || parts[1] == "" || parts[2] == "" {
		t.Fatalf("got %q", hostMarker())
	}
	return parts[0], parts[1], parts[2]
}

func TestSweep_foldersThatMayBeInUseAreLeft(t *testing.T) {
	parent := t.TempDir()
	fresh := filepath.Join(parent, runPrefix+"fresh") // no lock yet
	if err := os.Mkdir(fresh, 0o700); err != nil {
		t.Fatal(err)
	}
	target := t.TempDir()
	if err := os.WriteFile(filepath.Join(target, lockFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(parent, runPrefix+"link")); err != nil {
		t.Fatal(err)
	}
	sweepOrphans(NewPool(Options{}).log, parent)
	if !exists(fresh) || !exists(filepath.Join(target, lockFile)) {
		t.Error("a folder was removed that isn't an orphan's")
	}
}

func TestPool_nodePathOfTheEnvironmentChangesNothing(t *testing.T) {
	needsBrowser(t)
	if err := shared.Prepare(t.Context()); err != nil { // no test before may have used it
		t.Fatal(err)
	}
	t.Setenv("PLAYWRIGHT_NODEJS_PATH", shared.Installation().Node)
	pool := ownPool(t, Options{})
	p := openFrom(t, pool, PageOptions{})
	visit(t, p, "data:text/html,<p>x")
	folder := p.gen.folder
	if pid := readPid(folder.driverPid()); pid != p.gen.driver.Pid || !folder.owns(pid) {
		t.Errorf("noted driver %d, want %d", pid, p.gen.driver.Pid)
	}
	profiles, _ := filepath.Glob(filepath.Join(folder.tmp(), "playwright_chromiumdev_profile-*"))
	if runtime.GOOS == "linux" && len(profiles) != 1 {
		t.Errorf("got profiles %v, want one in the run folder", profiles)
	}
}
