package launch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// Request is what a run needs.
type Request struct {
	Installation *install.Installation
	Isolation    Isolation
	Session      *Session // of a browser that a session has for itself; nil for others
}

// Folder is the private folder of one driver run: the launchers, the pids that they noted, and everything that driver and browser
// write. Removing it removes every temporary file of the run. Its fields are not changed after NewFolder.
type Folder struct {
	Dir     string
	Driver  string        // where the driver's library looks for the driver
	Browser string        // the program that the driver starts
	Group   sandbox.Group // of a session's sandbox
	lock    *flock.Flock
}

// NewFolder makes the folder and the launchers. A temporary folder that forbids execution is passed over for one in the cache.
func NewFolder(ctx context.Context, r Request) (*Folder, error) {
	var errs []error
	for _, parent := range []string{"", r.Installation.Cache} {
		f, err := tryFolder(ctx, r, parent)
		if err == nil {
			return f, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("make a folder for the browser: %w", errors.Join(errs...))
}

func tryFolder(ctx context.Context, r Request, parent string) (*Folder, error) {
	dir, err := os.MkdirTemp(parent, process.RunPrefix)
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, Driver: dir, Browser: r.Installation.Executable, lock: flock.New(filepath.Join(dir, process.LockFile))}
	_, _ = f.lock.TryLock() // where there are no locks, no other process gets it either
	if r.Session != nil {
		err = f.fillSession(ctx, r)
	} else {
		err = f.fill(ctx, r.Installation, r.Isolation == Wrapped)
	}
	if err != nil {
		_ = f.Remove()
		return nil, err
	}
	return f, nil
}

func (f *Folder) fill(ctx context.Context, inst *install.Installation, wrapped bool) error {
	if err := os.Mkdir(f.Tmp(), 0o700); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		f.Driver = inst.DriverDir
		return linkNode(inst)
	}
	if err := f.writeStart(inst.DriverDir); err != nil {
		return err
	}
	death := deathSignal(ctx)
	node := filepath.Join(f.Dir, "node")
	if err := os.WriteFile(node, f.nodeScript(inst.Node, death), 0o700); err != nil {
		return err
	}
	f.Browser = filepath.Join(f.Dir, "browser")
	if err := os.WriteFile(f.Browser, f.browserScript(inst, death, wrapped), 0o700); err != nil {
		return err
	}
	return exec.CommandContext(ctx, node, "cli.js", "--version").Run()
}

// nodeScript starts the driver: it notes the pid, keeps temporary files inside the run folder, and answers the version query that
// the library makes before each start without starting node for it (the installation has been checked).
func (f *Folder) nodeScript(node, death string) []byte {
	return []byte("#!/bin/sh\n" +
		"if [ \"$2\" = --version ]; then echo 'Version " + install.DriverVersion + "'; exit 0; fi\n" +
		"echo $$ >" + process.Quote(f.driverPid()) + "\n" +
		"unset DEBUG PWDEBUG NODE_OPTIONS\n" +
		"TMPDIR=" + process.Quote(f.Tmp()) + " " + process.MarkerVariable + "=" + process.Quote(f.Marker()) + "\n" +
		"export TMPDIR " + process.MarkerVariable + "\n" +
		"exec " + death + process.Quote(node) + " \"$@\" 2>>" + process.Quote(f.driverLog()) + "\n")
}

// writeStart writes the script that node runs. A PLAYWRIGHT_NODEJS_PATH in the host's environment makes the library bypass the launcher:
// the script then does as much of the launcher's work as it can. Only the death signal is missing; such a driver ends by its closed
// input.
func (f *Folder) writeStart(driverDir string) error {
	data, err := json.Marshal(map[string]string{
		"cli": filepath.Join(driverDir, "package", "cli.js"), "version": "Version " + install.DriverVersion, "pid": f.driverPid(),
		"log": f.driverLog(), "tmp": f.Tmp(), "name": process.MarkerVariable, "marker": f.Marker(),
	})
	if err != nil {
		return err
	}
	script := "const at = " + string(data) + ";\n" + `const fs = require("fs"), env = process.env;
if (process.argv[2] === "--version") {
	console.log(at.version);
	process.exit(0);
}
if (env[at.name] !== at.marker) {
	fs.writeFileSync(at.pid, process.pid + "\n");
	for (const name of ["DEBUG", "PWDEBUG", "NODE_OPTIONS"]) delete env[name];
	env.TMPDIR = at.tmp;
	env[at.name] = at.marker;
	const log = fs.openSync(at.log, "a");
	process.stderr.write = (text) => fs.writeSync(log, text) > 0;
}
require(at.cli);
`
	if err := os.Mkdir(filepath.Join(f.Dir, "package"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(f.Dir, "package", "cli.js"), []byte(script), 0o600)
}

// browserScript starts the browser, with its own libraries where it brought some, inside a container where that is wanted.
func (f *Folder) browserScript(inst *install.Installation, death string, wrapped bool) []byte {
	env, wrap := "", ""
	if wrapped {
		wrap = f.wrapper(inst)
	} else if inst.LibraryPath != "" {
		env = "LD_LIBRARY_PATH=" + process.Quote(inst.LibraryPath) + "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\nexport LD_LIBRARY_PATH\n"
	}
	if inst.FontConfig != "" && !wrapped {
		env += "FONTCONFIG_PATH=" + process.Quote(inst.FontConfig) + "\nexport FONTCONFIG_PATH\n"
	}
	if !wrapped {
		env += f.enterTmp()
	}
	return []byte("#!/bin/sh\necho $$ >" + process.Quote(f.browserPid()) + "\n" + env + withoutFeatures + "exec " + death + wrap + process.Quote(inst.Executable) + " \"$@\"\n")
}

// insideScript starts the browser of a session inside its sandbox.
func insideScript(inst *install.Installation) []byte {
	return []byte("#!/bin/sh\n" + withoutFeatures + "exec " + process.Quote(inst.Executable) + " \"$@\"\n")
}

// withoutFeatures is the part of a browser's launcher that switches off what a full build does by itself. For its address bar it opens a
// window with each context and renders two pages of its own there, which took 40 % of a page's processor time (Chromium 156). For forms
// it asks Google's server what their fields are (content-autofill.googleapis.com). The names are added to the driver's switch, since the
// last one of a name wins. A headless shell does neither.
const withoutFeatures = `for a do
	shift
	case $a in --disable-features=*) a=$a,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AutofillServerCommunication ;; esac
	set -- "$@" "$a"
done
`

// maxTmp is how long the path of a browser's temporary folder may be: a full build puts a socket below it, at
// org.chromium.Chromium.XXXXXX/SingletonSocket, and ends at once where the whole is longer than a socket's address may be (unix(7)).
const maxTmp = 107 - len("/org.chromium.Chromium.XXXXXX/SingletonSocket")

// browserTmp is what the browser knows its temporary folder by: where the path is too long, by its working directory.
func (f *Folder) browserTmp() string {
	if runtime.GOOS == "linux" && len(f.Tmp()) > maxTmp {
		return "/proc/self/cwd"
	}
	return f.Tmp()
}

// enterTmp is the part of the browser's launcher that makes browserTmp true.
func (f *Folder) enterTmp() string {
	if f.browserTmp() == f.Tmp() {
		return "" // the driver's launcher has set it
	}
	return "cd " + process.Quote(f.Tmp()) + " && TMPDIR=" + f.browserTmp() + "\nexport TMPDIR\n"
}

// Marker names the host process in the environment of driver and browser, so that an orphan is distinguishable from a living program's
// browser.
func (f *Folder) Marker() string {
	return process.HostMarker() + ":" + f.Dir
}

// Tmp is the folder of the run's temporary files.
func (f *Folder) Tmp() string        { return filepath.Join(f.Dir, "tmp") }
func (f *Folder) driverPid() string  { return filepath.Join(f.Dir, "driver.pid") }
func (f *Folder) browserPid() string { return filepath.Join(f.Dir, "browser.pid") }
func (f *Folder) driverLog() string  { return filepath.Join(f.Dir, "driver.log") }

// Remove deletes the folder, and the group; a process that is just ending may still write, so it tries for a moment.
func (f *Folder) Remove() error {
	f.Group.Remove()
	err := f.lock.Close()
	for range 40 {
		if err = os.RemoveAll(f.Dir); err == nil {
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	return err
}

// LogTail returns the last lines of what the driver wrote to its standard error.
func (f *Folder) LogTail() string {
	data, err := os.ReadFile(f.driverLog())
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data[max(0, len(data)-2000):]))
}

// readPid reads a pid that a launcher noted, 0 if there is none.
func readPid(file string) int {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}

// Owns reports whether a process is one of this run: its command line names the folder, or its environment has the marker. Where processes
// are not visible it is assumed.
func (f *Folder) Owns(pid int) bool {
	if pid == 0 {
		return false
	}
	line, err := process.CommandLine(pid)
	if err != nil {
		return runtime.GOOS != "linux"
	}
	return bytes.Contains(line, []byte(f.Dir)) || process.Variable(pid, process.MarkerVariable) == f.Marker()
}

// DriverPID is the driver's first process, 0 while it is unknown.
func (f *Folder) DriverPID() int { return readPid(f.driverPid()) }

// BrowserPID is the browser's first process, 0 while it is unknown.
func (f *Folder) BrowserPID() int { return readPid(f.browserPid()) }

// KillDriver kills the driver's first process.
func (f *Folder) KillDriver() {
	if pid := f.DriverPID(); pid != 0 {
		process.KillIf(pid, func() bool { return f.Owns(pid) })
	}
}

// KillDriverGroup kills the process group of the driver, which is that of a session's sandbox.
func (f *Folder) KillDriverGroup() { f.killGroup(f.DriverPID()) }

// KillBrowser kills the process group of the browser.
func (f *Folder) KillBrowser() { f.killGroup(f.BrowserPID()) }

// killGroup kills the process group of a leader that a launcher noted. The leader may have ended before the others.
func (f *Folder) killGroup(pid int) {
	ours := f.Owns(pid)
	if !ours && pid != 0 {
		ours = slices.ContainsFunc(process.All(), func(p process.Process) bool { return p.Group == pid && f.Owns(p.PID) })
	}
	if ours {
		process.KillGroup(pid)
	}
}

// deathSignal returns the words that make the kernel kill a process when its parent dies, "" where the system can't.
func deathSignal(ctx context.Context) string {
	if runtime.GOOS != "linux" {
		return ""
	}
	path, err := exec.LookPath("setpriv")
	if err != nil || exec.CommandContext(ctx, path, "--pdeathsig", "KILL", "true").Run() != nil {
		return ""
	}
	return process.Quote(path) + " --pdeathsig KILL "
}

// linkNode puts node into the driver's folder, where the library looks for it on Windows.
func linkNode(inst *install.Installation) error {
	at := filepath.Join(inst.DriverDir, "node.exe")
	if _, err := os.Stat(at); err == nil {
		return nil
	}
	if os.Link(inst.Node, at) == nil {
		return nil
	}
	data, err := os.ReadFile(inst.Node)
	if err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o755)
}
