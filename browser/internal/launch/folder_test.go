package launch

import (
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
