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
func TestBrowserScript_opensNoPagesForTheAddressBar(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system: browsers are started without a script on Windows")
	}
	dir := t.TempDir()
	browser := filepath.Join(dir, "browser")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	f := &Folder{Dir: dir}
	if err := os.WriteFile(filepath.Join(dir, "launcher"), f.browserScript(&install.Installation{Executable: browser}, "", false), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "launcher"), "--a=b c*", "--disable-features=One,Two", "", "$x `y`").Output()
	want := "--a=b c*\n--disable-features=One,Two,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup\n\n$x `y`\n"
	if err != nil || string(out) != want {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}
