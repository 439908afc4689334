package browser

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
)

// runFolder is the private folder of one driver run: the launchers, the pids that they noted, and everything that driver and browser
// write. Removing it removes every temporary file of the run.
type runFolder struct {
	dir     string
	driver  string
	browser string // the program that the driver starts
	lock    *flock.Flock
}

// newRunFolder makes the folder and the launchers. A temporary folder that forbids execution is passed over for one in the cache.
func newRunFolder(ctx context.Context, c launchConfig) (*runFolder, error) {
	var errs []error
	for _, parent := range []string{"", c.cache} {
		f, err := tryRunFolder(ctx, c, parent)
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

func tryRunFolder(ctx context.Context, c launchConfig, parent string) (*runFolder, error) {
	dir, err := os.MkdirTemp(parent, process.RunPrefix)
	if err != nil {
		return nil, err
	}
	f := &runFolder{dir: dir, driver: dir, browser: c.inst.Executable, lock: flock.New(filepath.Join(dir, process.LockFile))}
	_, _ = f.lock.TryLock() // where there are no locks, no other process gets it either
	if c.session != nil {
		err = f.fillSession(ctx, c)
	} else {
		err = f.fill(ctx, c.inst, c.sandbox == sandboxWrapped)
	}
	if err != nil {
		_ = f.remove()
		return nil, err
	}
	return f, nil
}

func (f *runFolder) fill(ctx context.Context, inst *install.Installation, wrapped bool) error {
	if err := os.Mkdir(f.tmp(), 0o700); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		f.driver = inst.DriverDir
		return linkNode(inst)
	}
	if err := f.writeStart(inst.DriverDir); err != nil {
		return err
	}
	death := deathSignal(ctx)
	node := filepath.Join(f.dir, "node")
	if err := os.WriteFile(node, f.nodeScript(inst.Node, death), 0o700); err != nil {
		return err
	}
	f.browser = filepath.Join(f.dir, "browser")
	if err := os.WriteFile(f.browser, f.browserScript(inst, death, wrapped), 0o700); err != nil {
		return err
	}
	return exec.CommandContext(ctx, node, "cli.js", "--version").Run()
}

// nodeScript starts the driver: it notes the pid, keeps temporary files inside the run folder, and answers the version query that
// the library makes before each start without starting node for it (the installation has been checked).
func (f *runFolder) nodeScript(node, death string) []byte {
	return []byte("#!/bin/sh\n" +
		"if [ \"$2\" = --version ]; then echo 'Version " + install.DriverVersion + "'; exit 0; fi\n" +
		"echo $$ >" + process.Quote(f.driverPid()) + "\n" +
		"unset DEBUG PWDEBUG NODE_OPTIONS\n" +
		"TMPDIR=" + process.Quote(f.tmp()) + " " + process.MarkerVariable + "=" + process.Quote(f.marker()) + "\n" +
		"export TMPDIR " + process.MarkerVariable + "\n" +
		"exec " + death + process.Quote(node) + " \"$@\" 2>>" + process.Quote(f.driverLog()) + "\n")
}

// writeStart writes the script that node runs. A PLAYWRIGHT_NODEJS_PATH in the host's environment makes the library bypass the launcher:
// the script then does as much of the launcher's work as it can. Only the death signal is missing; such a driver ends by its closed
// input.
func (f *runFolder) writeStart(driverDir string) error {
	data, err := json.Marshal(map[string]string{
		"cli": filepath.Join(driverDir, "package", "cli.js"), "version": "Version " + install.DriverVersion, "pid": f.driverPid(),
		"log": f.driverLog(), "tmp": f.tmp(), "name": process.MarkerVariable, "marker": f.marker(),
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
	if err := os.Mkdir(filepath.Join(f.dir, "package"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(f.dir, "package", "cli.js"), []byte(script), 0o600)
}

// browserScript starts the browser, with its own libraries where it brought some, inside a container where that is wanted.
func (f *runFolder) browserScript(inst *install.Installation, death string, wrapped bool) []byte {
	env, wrap := "", ""
	if wrapped {
		wrap = f.wrapper(inst)
	} else if inst.LibraryPath != "" {
		env = "LD_LIBRARY_PATH=" + process.Quote(inst.LibraryPath) + "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\nexport LD_LIBRARY_PATH\n"
	}
	if inst.FontConfig != "" && !wrapped {
		env += "FONTCONFIG_PATH=" + process.Quote(inst.FontConfig) + "\nexport FONTCONFIG_PATH\n"
	}
	return []byte("#!/bin/sh\necho $$ >" + process.Quote(f.browserPid()) + "\n" + env + "exec " + death + wrap + process.Quote(inst.Executable) + " \"$@\"\n")
}

// marker names the host process in the environment of driver and browser, so that an orphan is distinguishable from a living program's
// browser.
func (f *runFolder) marker() string {
	return process.HostMarker() + ":" + f.dir
}

func (f *runFolder) tmp() string        { return filepath.Join(f.dir, "tmp") }
func (f *runFolder) driverPid() string  { return filepath.Join(f.dir, "driver.pid") }
func (f *runFolder) browserPid() string { return filepath.Join(f.dir, "browser.pid") }
func (f *runFolder) driverLog() string  { return filepath.Join(f.dir, "driver.log") }

// remove deletes the folder; a process that is just ending may still write, so it tries for a moment.
func (f *runFolder) remove() error {
	err := f.lock.Close()
	for range 40 {
		if err = os.RemoveAll(f.dir); err == nil {
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	return err
}

// logTail returns the last lines of what the driver wrote to its standard error.
func (f *runFolder) logTail() string {
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

// owns reports whether a process is one of this run: its command line names the folder, or its environment has the marker. Where processes
// are not visible it is assumed.
func (f *runFolder) owns(pid int) bool {
	if pid == 0 {
		return false
	}
	line, err := process.CommandLine(pid)
	if err != nil {
		return runtime.GOOS != "linux"
	}
	return bytes.Contains(line, []byte(f.dir)) || process.Variable(pid, process.MarkerVariable) == f.marker()
}

// killNoted kills the process whose pid a launcher noted.
func (f *runFolder) killNoted(file string) {
	if pid := readPid(file); pid != 0 {
		process.KillIf(pid, func() bool { return f.owns(pid) })
	}
}

// killNotedGroup kills the process group whose leader a launcher noted. The leader may have ended before the others.
func (f *runFolder) killNotedGroup(file string) {
	pid := readPid(file)
	ours := f.owns(pid)
	if !ours && pid != 0 {
		ours = slices.ContainsFunc(process.All(), func(p process.Process) bool { return p.Group == pid && f.owns(p.PID) })
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
