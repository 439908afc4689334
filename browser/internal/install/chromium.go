package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// candidate is a browser that may do.
type candidate struct {
	path, source  string
	libraries     string // the browser's own, "" for the system's
	configuration string // its font configuration, "" for the system's
}

// search is the search for a browser.
type search struct{ *installer }

// findBrowser fills in the first browser that passes its test, in this order: the configured one; installed headless shells; installed
// full builds; the driver's own headless shell; the npm package; the system's package manager.
func (in *search) findBrowser(ctx context.Context, inst *Installation) error {
	in.tried = nil
	if in.Executable != "" {
		if in.accept(ctx, inst, candidate{path: in.Executable, source: "option"}, true) {
			return nil
		}
		return in.fail("browser", "unset the option Executable, so that a browser is searched for")
	}
	here := in.present()
	skipped := false
	for _, c := range here {
		if known, ok := in.records.get("browser", c.path); ok && !known.OK {
			in.failed(c.source+" at "+c.path, errors.New(known.Why+" (found out before)"))
			skipped = true
		} else if in.accept(ctx, inst, c, false) {
			return nil
		}
		if c.source == chromePath && ctx.Err() == nil {
			in.warning(fmt.Sprintf("CHROME_PATH names no usable browser: %s: %s", c.path, in.tried[len(in.tried)-1].Why))
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !in.Never && in.fetchBrowser(ctx, inst) {
		return nil
	}
	// What failed before may work now: its libraries may have come.
	if skipped && ctx.Err() == nil {
		for _, c := range here {
			if in.accept(ctx, inst, c, true) {
				return nil
			}
		}
	}
	return in.fail("browser", browserFixes()...)
}

// fetchBrowser tries the ways to install a missing browser.
func (in *search) fetchBrowser(ctx context.Context, inst *Installation) bool {
	ways := []struct {
		name string
		get  func(context.Context, *Installation) (candidate, error)
	}{
		{"the driver's own download", in.fromCDN},
		{"the npm package " + in.s.chromium.String(), in.fromNpm},
		{"apt-get", in.fromSystem},
	}
	for _, way := range ways {
		if ctx.Err() != nil {
			return false
		}
		c, err := way.get(ctx, inst)
		if err != nil {
			in.failed(way.name, err)
			continue
		}
		if in.accept(ctx, inst, c, true) {
			return true
		}
	}
	return false
}

// accept tests a browser, or takes the result of an earlier test of the same file.
func (in *search) accept(ctx context.Context, inst *Installation, c candidate, again bool) bool {
	what := c.source + " at " + c.path
	if in.Kind == FullKind && isShell(c.path) {
		in.failed(what, errors.New("it is a headless shell, and a full build is wanted"))
		return false
	}
	known, ok := in.records.get("browser", c.path)
	if !ok || again && !known.OK || len(known.Missing) > 0 && fontsChanged(known.Checked) {
		in.progress("browser", "testing "+what, 0, 0)
		found, err := in.test(ctx, inst, c)
		if err != nil {
			in.failed(what, err)
			if ctx.Err() == nil {
				in.records.put("browser", c.path, record{Why: firstLine(err.Error())})
			}
			return false
		}
		known = found
		in.records.put("browser", c.path, found)
	}
	if !known.OK {
		in.failed(what, errors.New(known.Why))
		return false
	}
	c.fill(inst)
	inst.Version = known.Text
	in.checkFonts(ctx, inst, known.Missing)
	in.progress("browser", "using "+what+", version "+inst.Version, 0, 0)
	return true
}

func (in *search) test(ctx context.Context, inst *Installation, c candidate) (record, error) {
	if _, err := os.Stat(c.path); err != nil {
		return record{}, err
	}
	trial := *inst
	c.fill(&trial)
	result, err := in.Probe(ctx, &trial)
	if err != nil {
		return record{}, err
	}
	if result.Warning != "" {
		in.warning(result.Warning)
	}
	return record{OK: true, Text: result.Version, Missing: result.MissingScripts}, nil
}

func (c candidate) fill(inst *Installation) {
	inst.Executable, inst.Source, inst.LibraryPath, inst.FontConfig = c.path, c.source, c.libraries, c.configuration
	inst.Headless = "new"
	if isShell(c.path) {
		inst.Headless = "shell"
	}
}

// isShell recognizes the headless shell by the name of its program.
func isShell(path string) bool {
	return strings.Contains(strings.ToLower(filepath.Base(path)), "headless")
}

// browserFixes are shell lines that install a browser on this machine.
func browserFixes() []string {
	lines := []string{"export CHROME_PATH=/path/to/a/chrome   # any Chrome, Chromium, Edge, Brave or headless shell"}
	switch runtime.GOOS {
	case "linux":
		lines = append(lines, "sudo apt-get install -y chromium-headless-shell || sudo apt-get install -y chromium   # Debian, Ubuntu",
			"sudo dnf install -y chromium-headless   # Fedora",
			"npx playwright-core@"+DriverVersion+" install --with-deps --only-shell chromium")
	case "darwin":
		lines = append(lines, "brew install --cask google-chrome", "npx playwright-core@"+DriverVersion+" install --only-shell chromium")
	default:
		lines = append(lines, fmt.Sprintf("npx playwright-core@%s install --only-shell chromium", DriverVersion))
	}
	return lines
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s[:min(len(s), 500)]
}
