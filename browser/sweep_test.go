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

	"github.com/winnow-go/winnow/browser/internal/process"
)

// helperHold opens a page, says which run it has, and waits to be killed.
func helperHold() int {
	pool := NewPool(Options{})
	p, err := pool.Open(context.Background(), PageOptions{})
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	os.Stdout.WriteString(p.gen.Folder.Marker() + "\n")
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
	command := exec.Command("sleep", "3600")
	command.Env = []string{process.MarkerVariable + "=" + marker}
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

// folderOfItsOwn sets a folder for temporary files that no other program's pool sweeps. Its path is short, as sockets need it.
func folderOfItsOwn(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "w")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
}

func TestPool_browserDiesWithItsHostAndItsRemainsAreSwept(t *testing.T) {
	needsBrowser(t)
	folderOfItsOwn(t)
	command, marker := heldBy(t, "hold")
	dir := strings.SplitN(marker, ":", 4)[3]
	if len(processesWith("WINNOW_RUN="+marker)) < 2 {
		t.Error("want driver and browser running")
	}
	process.Sweep(shared.log, os.TempDir())
	if len(processesWith("WINNOW_RUN="+marker)) < 2 || !exists(dir) {
		t.Error("the browser of a living program was swept")
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	eventually(t, "driver and browser have died with their host", func() bool { return len(processesWith("WINNOW_RUN="+marker)) == 0 })
	if !exists(dir) {
		t.Fatal("want the folder left, or this test shows nothing")
	}
	orphan, other := stray(t, marker), stray(t, process.HostMarker()+":/elsewhere")
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

func TestPool_nodePathOfTheEnvironmentChangesNothing(t *testing.T) {
	needsBrowser(t)
	if err := shared.Prepare(t.Context()); err != nil { // no test before may have used it
		t.Fatal(err)
	}
	t.Setenv("PLAYWRIGHT_NODEJS_PATH", shared.Installation().Node)
	pool := ownPool(t, Options{})
	p := openFrom(t, pool, PageOptions{})
	visit(t, p, "data:text/html,<p>x")
	folder := p.gen.Folder
	if pid := folder.DriverPID(); pid != p.gen.DriverPID() || !folder.Owns(pid) {
		t.Errorf("noted driver %d, want %d", pid, p.gen.DriverPID())
	}
	profiles, _ := filepath.Glob(filepath.Join(folder.Tmp(), "playwright_chromiumdev_profile-*"))
	if runtime.GOOS == "linux" && len(profiles) != 1 {
		t.Errorf("got profiles %v, want one in the run folder", profiles)
	}
}
