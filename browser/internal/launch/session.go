package launch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// Where things are inside a session's sandbox. Its network is its own, so the ports are free.
const (
	insideScripts = "/opt/session"
	insideSockets = "/run/session"
	insideEgress  = "/run/egress.sock"
	insideProxy   = 3128
	insideDebug   = 9222
)

// Session is how driver and browser of a session are started.
type Session struct {
	Egress    string // the guard's socket, "unix:/path", or its address, "http://127.0.0.1:port"
	Sandboxed bool
	Limits    sandbox.Limits
	Debug     int // the port on which the browser is driven
}

// Sandboxed is a session in a sandbox, whose only way out is the guard's socket.
func Sandboxed(socket string, limits sandbox.Limits) *Session {
	return &Session{Egress: "unix:" + socket, Sandboxed: true, Limits: limits, Debug: insideDebug}
}

// Unsandboxed is a session that runs like a browser of a pool, whose way out is the guard's address.
func Unsandboxed(address string) (*Session, error) {
	port, err := freePort()
	return &Session{Egress: address, Debug: port}, err
}

// Wrapped reports whether driver and browser are in one sandbox; nil is no session.
func (p *Session) Wrapped() bool { return p != nil && p.Sandboxed }

// Proxy is the address of the browser's proxy.
func (p *Session) Proxy() string {
	if p.Sandboxed {
		return "http://127.0.0.1:" + strconv.Itoa(insideProxy)
	}
	return p.Egress
}

// Env is the browser's environment where it isn't the driver's own; nil elsewhere.
func (p *Session) Env(inst *install.Installation) map[string]string {
	if !p.Wrapped() {
		return nil
	}
	env := map[string]string{"HOME": sandbox.Home, "PATH": "/usr/bin:/bin", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}
	for name, value := range map[string]string{"LD_LIBRARY_PATH": inst.LibraryPath, "FONTCONFIG_PATH": inst.FontConfig, "TZ": os.Getenv("TZ")} {
		if value != "" {
			env[name] = value
		}
	}
	return env
}

// fillSession makes the launchers of a session. Visible inside are: the scripts, and the folder of the sockets.
func (f *Folder) fillSession(ctx context.Context, r Request) error {
	if os.Getenv("PLAYWRIGHT_NODEJS_PATH") != "" {
		return errors.New("PLAYWRIGHT_NODEJS_PATH is set: it would take the driver out of its sandbox")
	}
	if err := os.MkdirAll(filepath.Join(f.Sockets(), "browser"), 0o700); err != nil {
		return err
	}
	if !r.Session.Sandboxed {
		return f.fillUnsandboxed(ctx, r)
	}
	scripts := filepath.Join(f.Dir, "package")
	if err := os.Mkdir(scripts, 0o700); err != nil {
		return err
	}
	start, err := sessionScript(r)
	if err != nil {
		return err
	}
	bwrap, err := sandbox.Program()
	if err != nil {
		return err
	}
	f.Browser = insideScripts + "/browser"
	if err := os.WriteFile(filepath.Join(scripts, "browser"), insideScript(r.Installation), 0o700); err != nil {
		return err
	}
	spec := f.sessionSpec(r)
	for name, text := range map[string]string{
		filepath.Join(scripts, "cli.js"):   start,
		filepath.Join(scripts, "relay.js"): sandbox.Relay,
		f.words():                          strings.Join(spec.Words(), "\x00") + "\x00",
		f.filter():                         string(spec.Filter()),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	f.Group = sandbox.NewGroup("winnow-"+filepath.Base(f.Dir), spec.Limits)
	return os.WriteFile(filepath.Join(f.Dir, "node"), f.sandboxScript(bwrap, spec, f.Group.Procs()), 0o700)
}

// sessionSpec is what driver and browser of a session see.
func (f *Folder) sessionSpec(r Request) sandbox.Spec {
	socket, _ := strings.CutPrefix(r.Session.Egress, "unix:")
	binds := append(binds(r.Installation),
		sandbox.Bind{From: filepath.Join(r.Installation.DriverDir, "package")},
		sandbox.Bind{From: filepath.Join(f.Dir, "package"), To: insideScripts},
		sandbox.Bind{From: socket, To: insideEgress})
	if !strings.HasPrefix(r.Installation.Node, "/usr/") {
		binds = append(binds, sandbox.Bind{From: r.Installation.Node})
	}
	return sandbox.Spec{
		Args:     []string{r.Installation.Node, insideScripts + "/cli.js", "run-driver"},
		Env:      []string{"TMPDIR=/tmp", "PLAYWRIGHT_SOCKETS_DIR=" + insideSockets, "TZ=" + os.Getenv("TZ")},
		ReadOnly: binds,
		Writable: []sandbox.Bind{{From: f.Sockets(), To: insideSockets}},
		Limits:   r.Session.Limits, OwnSandbox: true,
	}
}

// sessionScript is what node runs inside: the relays, then the driver.
func sessionScript(r Request) (string, error) {
	data, err := json.Marshal(map[string]any{
		"cli": filepath.Join(r.Installation.DriverDir, "package", "cli.js"),
		"relays": [][2]string{
			{"port:" + strconv.Itoa(insideProxy), "unix:" + insideEgress},
			{"unix:" + insideSockets + "/cdp.sock", "port:" + strconv.Itoa(insideDebug)},
		},
	})
	if err != nil {
		return "", err
	}
	return "const at = " + string(data) + `;
const { relay } = require("./relay.js");
for (const [from, to] of at.relays) relay(from, to);
process.argv[1] = at.cli;
require(at.cli);
`, nil
}

// sandboxScript starts the driver in the sandbox. The arguments come from a file, and the environment is nearly empty: both could be
// read inside. The first process inside is noted by bubblewrap. Into a group it goes by the group's file, where there is one; where the
// kernel refuses that, those who look at the session bound it alone.
func (f *Folder) sandboxScript(bwrap string, spec sandbox.Spec, group string) []byte {
	option, from, join := "", "", ""
	if group != "" {
		join = "{ echo $$ >" + process.Quote(group) + "; } 2>/dev/null\n"
	}
	if len(spec.Filter()) > 0 {
		option, from = " --seccomp 5", " 5<"+process.Quote(f.filter())
	}
	return []byte("#!/bin/sh\n" +
		"if [ \"$2\" = --version ]; then echo 'Version " + install.DriverVersion + "'; exit 0; fi\n" +
		"echo $$ >" + process.Quote(f.driverPid()) + "\n" + join +
		"exec " + leader() + "env -i " + process.Quote(process.MarkerVariable+"="+f.Marker()) + " " + process.Quote(bwrap) + " --args 3 --info-fd 4" + option + " -- " +
		process.QuoteAll(spec.Program()) + " 3<" + process.Quote(f.words()) + " 4>" + process.Quote(f.Info()) + from + " 2>>" + process.Quote(f.driverLog()) + "\n")
}

// leader are the words that make a group of processes, away from any terminal, of the sandbox: bubblewrap alone, killed just after
// it made its child, would leave it waiting for ever.
func leader() string {
	path, err := exec.LookPath("setsid")
	if err != nil {
		return ""
	}
	return process.Quote(path) + " "
}

// fillUnsandboxed makes the launchers of a session that runs like a browser of a pool.
func (f *Folder) fillUnsandboxed(ctx context.Context, r Request) error {
	if runtime.GOOS == "windows" {
		return errors.New("sessions are not supported on Windows")
	}
	if err := f.fill(ctx, r.Installation, r.Isolation == Wrapped); err != nil {
		return err
	}
	script := filepath.Join(f.Dir, "package", "cli.js")
	start, err := os.ReadFile(script)
	if err != nil {
		return err
	}
	data, err := json.Marshal([3]string{f.Sockets(), "unix:" + filepath.Join(f.Sockets(), "cdp.sock"), "port:" + strconv.Itoa(r.Session.Debug)})
	if err != nil {
		return err
	}
	before := "const [sockets, cdp, debug] = " + string(data) + `;
process.env.PLAYWRIGHT_SOCKETS_DIR = sockets;
if (process.argv[2] === "run-driver") require("./relay.js").relay(cdp, debug);
`
	if err := os.WriteFile(filepath.Join(f.Dir, "package", "relay.js"), []byte(sandbox.Relay), 0o600); err != nil {
		return err
	}
	return os.WriteFile(script, append([]byte(before), start...), 0o600)
}

// Sockets is the one folder of the machine that a session can write to. Its name is short: a socket's path may have some 100 bytes.
func (f *Folder) Sockets() string { return filepath.Join(f.Dir, "s") }
func (f *Folder) words() string   { return filepath.Join(f.Dir, "words") }
func (f *Folder) filter() string  { return filepath.Join(f.Dir, "filter") }

// Info is the file in which bubblewrap notes what it started.
func (f *Folder) Info() string { return filepath.Join(f.Dir, "info") }

// TakeSocket returns a socket that was made inside a second name out of the session's reach: what lies in a folder that the session can
// write to could become a link to any socket or file of the machine.
func (f *Folder) TakeSocket(inside, name string) (string, error) {
	from, to := filepath.Join(f.Sockets(), inside), filepath.Join(f.Dir, name)
	if err := os.Link(from, to); err != nil { // doesn't follow links
		return "", fmt.Errorf("take over a socket: %w", err)
	}
	info, err := os.Lstat(to)
	if err != nil {
		return "", fmt.Errorf("take over a socket: %w", err)
	}
	if info.Mode().Type() != os.ModeSocket {
		return "", fmt.Errorf("take over a socket: %s is not a socket", inside)
	}
	return to, os.Chmod(to, 0o600)
}

// The limits of what a session may leave in the folder that it can write to, the driver's log included: bytes, and files.
const (
	MaxSessionBytes = 8 << 20
	MaxSessionFiles = 16
)

// OverDisk returns an error when a session has written too much to the machine's disk.
func (f *Folder) OverDisk() error {
	bytes, files := int64(0), int64(0)
	if info, err := os.Lstat(f.driverLog()); err == nil {
		bytes += info.Size()
	}
	_ = filepath.WalkDir(f.Sockets(), func(_ string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		if files++; files > MaxSessionFiles {
			return filepath.SkipAll
		}
		return nil
	})
	switch {
	case bytes > MaxSessionBytes:
		return &sandbox.LimitError{What: "disk", Used: bytes, Limit: MaxSessionBytes}
	case files > MaxSessionFiles:
		return &sandbox.LimitError{What: "files", Used: files, Limit: MaxSessionFiles}
	}
	return nil
}

// freePort is a port on loopback that is unused now.
func freePort() (int, error) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port, nil
}
