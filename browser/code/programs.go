package code

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// The workers' programs.
var (
	//go:embed js/tab.js
	tabSource string
	//go:embed js/node.js
	nodeSource string
	//go:embed js/bridge.js
	bridgeSource string
	//go:embed js/shell.js
	shellSource string
	//go:embed py/names.py
	namesSource string
	//go:embed py/expect.py
	expectSource string
	//go:embed py/worker.py
	pythonSource string
)

// Where a worker finds in its sandbox the files that aren't part of the system.
const (
	nodeInside     = "/opt/node/bin/node"
	driverInside   = "/opt/driver"
	endpointInside = "/run/session/browser.sock"
	cdpInside      = "/run/session/cdp.sock"
	cliInside      = "/opt/cli/agent-browser"
)

// program is what starts a worker.
type program struct {
	args   []string
	env    []string
	source string // for its standard input
	binds  []sandbox.Bind
	setup  setup
}

// program returns how a language's worker is started.
func (r *Runner) program(ctx context.Context, language string) (program, error) {
	if _, err := os.Stat(r.o.Endpoint); err != nil {
		return program{}, fmt.Errorf("%w: %w", ErrBrowserGone, err)
	}
	p := program{setup: setup{Alone: !r.o.Unsandboxed, Max: MaxOutput + 1}}
	p.setup.Node = r.place(&p, r.o.Node, nodeInside)
	var err error
	switch language {
	case Bash:
		err = r.bash(ctx, &p)
	case Python:
		err = r.python(&p)
	default:
		p.args, p.source = []string{p.setup.Node, "-"}, apart(tabSource, nodeSource)
	}
	if err == nil && language != Bash {
		p.setup.Driver = r.place(&p, r.o.DriverPackage, driverInside)
		p.setup.Endpoint = r.place(&p, r.o.Endpoint, endpointInside)
	}
	return p, err
}

// apart makes one program of several sources, whose names user code doesn't see: what a program on standard input declares is global.
func apart(sources ...string) string { return "(() => {\n" + strings.Join(sources, "") + "})();\n" }

// relaySource makes a function of the sandbox's relay, which is a module.
func relaySource() string {
	return "const { relay } = ((module) => {\n" + sandbox.Relay + "\nreturn module.exports;\n})({});\n"
}

// place binds a path of the machine into the sandbox and returns its path there. System paths are there already.
func (r *Runner) place(p *program, from, to string) string {
	if r.o.Unsandboxed || insideUsr(from) {
		return from
	}
	p.binds = append(p.binds, sandbox.Bind{From: from, To: to})
	return to
}

// python prefers the system's interpreter: the first one on PATH may be the shim of a version manager.
func (r *Runner) python(p *program) error {
	for _, path := range r.o.pythons {
		if _, err := os.Stat(path); err == nil {
			p.args, p.source, p.setup.Bridge = []string{path, "-I", "-B", "-u", "-"}, namesSource+expectSource+pythonSource, apart(tabSource, bridgeSource)
			return nil
		}
	}
	fix := "install it: sudo apt-get install -y python3   # Debian, Ubuntu"
	if path, err := exec.LookPath("python3"); err == nil {
		fix += " (the one at " + path + " isn't used: a sandbox shows the system's programs only)"
	}
	return &MissingError{What: "python3", Fix: fix}
}

// bash needs the shell, the browser command and the way to the debugging port.
func (r *Runner) bash(ctx context.Context, p *program) error {
	shell := "/usr/bin/bash"
	if _, err := os.Stat(shell); err != nil {
		shell = "/bin/bash"
	}
	if _, err := os.Stat(shell); err != nil {
		return &MissingError{What: "bash", Fix: "install it: sudo apt-get install -y bash   # Debian, Ubuntu"}
	}
	if r.o.CDP == "" || r.o.CLI == nil {
		return &MissingError{What: "the browser command", Fix: "set Options.CDP and Options.CLI"}
	}
	if r.cli == "" {
		cli, err := r.o.CLI(ctx)
		if err != nil {
			return &MissingError{What: "agent-browser", Fix: "install it", Err: err}
		}
		r.cli = cli
	}
	p.setup.CDP, p.setup.CLI = r.place(p, r.o.CDP, cdpInside), r.place(p, r.cli, cliInside)
	p.setup.Shell = shell
	p.args, p.source = []string{p.setup.Node, "-"}, apart(tabSource, relaySource(), shellSource)
	return nil
}
