package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// A full build makes a socket in its temporary folder, whose whole path the system bounds: a long one is given to it as its working
// directory, in the container too, and a short one as it is.
func TestBrowserScript_keepsTheSocketsPathShort(t *testing.T) {
	const socket = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
	long := "/" + filepath.Join("tmp", strings.Repeat("x", 80), "winnow-browser-1")
	for _, dir := range []string{"/tmp/winnow-browser-1", long} {
		f := &Folder{Dir: dir}
		tmp := f.browserTmp()
		if runtime.GOOS == "linux" && len(tmp+socket) > 107 {
			t.Errorf("%s: the socket's path has %d bytes", dir, len(tmp+socket))
		}
		script := string(f.browserScript(&install.Installation{Executable: "/usr/bin/chromium"}, "", false))
		if enters := strings.Contains(script, "cd "+process.Quote(f.Tmp())+" && TMPDIR="+tmp+"\n"); enters != (tmp != f.Tmp()) {
			t.Errorf("%s: %s", dir, script)
		}
		if wrapped := f.wrapper(&install.Installation{}); !strings.Contains(wrapped, process.QuoteAll([]string{"TMPDIR", tmp})) {
			t.Errorf("%s: %s", dir, wrapped)
		}
	}
}

// The launcher adds to the driver's list of features, and leaves each other argument as it is.
func TestBrowserScript_hasNothingDoneByItself(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system: browsers are started without a script on Windows")
	}
	dir := t.TempDir()
	browser := filepath.Join(dir, "browser")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	inst := &install.Installation{Executable: browser}
	for name, script := range map[string][]byte{
		"of a pool": (&Folder{Dir: dir}).browserScript(inst, "", false), "of a session": insideScript(inst),
	} {
		launcher := filepath.Join(dir, name)
		if err := os.WriteFile(launcher, script, 0o700); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), launcher, "--a=b c*", "--disable-features=One,Two", "", "$x `y`").Output()
		want := "--a=b c*\n--disable-features=One,Two,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AutofillServerCommunication\n\n$x `y`\n"
		if err != nil || string(out) != want {
			t.Errorf("%s: got %q, %v, want %q", name, out, err, want)
		}
	}
}

// The sandbox of a session is in its group from its first process on, and starts without it where the kernel refuses that.
func TestSandboxScript_joinsItsGroupFirst(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system: sandboxes are Linux's")
	}
	f := &Folder{Dir: t.TempDir()}
	bwrap := filepath.Join(f.Dir, "bwrap")
	for file, text := range map[string]string{bwrap: "#!/bin/sh\necho begun\n", f.words(): "", f.filter(): ""} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	group := filepath.Join(f.Dir, "cgroup.procs")
	for _, procs := range []string{group, filepath.Join(f.Dir, "refused", "cgroup.procs"), ""} {
		script := filepath.Join(f.Dir, "node")
		if err := os.WriteFile(script, f.sandboxScript(bwrap, sandbox.Spec{}, procs), 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), script).Output(); err != nil || string(out) != "begun\n" {
			t.Errorf("%q: got %q, %v", procs, out, err)
		}
		if procs == group && (readPid(group) == 0 || readPid(group) != readPid(f.driverPid())) {
			t.Errorf("in the group is %d, want %d", readPid(group), readPid(f.driverPid()))
		}
	}
	if data, err := os.ReadFile(f.driverLog()); err != nil || len(data) > 0 {
		t.Errorf("the log: %q, %v", data, err)
	}
}
