package install

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
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// DriverVersion is the only version of the driver that the library accepts.
const DriverVersion = "1.60.0"

// driverFolder is the driver's in the cache.
const driverFolder = "driver-" + DriverVersion

var driverPackage = npmPackage{
	name: "playwright-core", version: DriverVersion, size: 2_800_000,
	integrity: "sha512-9bW6zvX/m0lEbgTKJ6YppOKx8H3VOPBMOCFh2irXFOT4BbHgrx5hPjwJYLT40Lu+4qtD36qKc/Hn56StUW57IA==",
}

// driverPatches are the places of the bundle at which one page could end the driver, or the connection to it, for all: those that read
// a page error's location without checking that there is one, and those that pass on what the browser's own protocol says. There the
// library takes every field "guid" for the name of one of its objects, though it may be that of a download or a header of a site's
// request; spelled "GUID", the header is the same.
var driverPatches = [...][2]string{
	{"pageError.location.url", `pageError.location?.url || ""`},
	{"pageError.location.lineNumber", "pageError.location?.lineNumber || 0"},
	{"pageError.location.columnNumber", "pageError.location?.columnNumber || 0"},
	{"CDPSessionDispatcher = class extends", spellGuid + "CDPSessionDispatcher = class extends"},
	{`this._dispatchEvent("event", { method, params: params2 })`, `this._dispatchEvent("event", { method, params: spellGuid(params2) })`},
	{"result: await this._object.send(progress2, params2.method, params2.params)", "result: spellGuid(await this._object.send(progress2, params2.method, params2.params))"},
}

// spellGuid is the function of that name, for driverPatches.
const spellGuid = `globalThis.spellGuid = (v) => {
      if (!v || typeof v !== "object") return v;
      if ("guid" in v) {
        v.GUID = v.guid;
        delete v.guid;
      }
      for (const part of Object.values(v)) globalThis.spellGuid(part);
      return v;
    };
    `

// findDriver returns a folder whose folder package is the driver of the right version, patched and able to start.
func (in *installer) findDriver(ctx context.Context, node string) (string, error) {
	in.tried = nil
	own := filepath.Join(in.cache, driverFolder)
	dirs := []string{in.DriverDir}
	if in.DriverDir == "" {
		dirs = []string{in.s.getenv("PLAYWRIGHT_DRIVER_PATH"), own}
		if user, err := os.UserCacheDir(); err == nil {
			dirs = append(dirs, filepath.Join(user, "ms-playwright-go", DriverVersion))
		}
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		err := in.checkDriver(ctx, dir, node)
		if err == nil {
			return filepath.Abs(dir)
		}
		in.failed("the driver in "+dir, err)
	}
	if in.DriverDir != "" {
		return "", in.fail("driver", "unset the option DriverDir, so that the driver is downloaded")
	}
	err := errNever
	if !in.Never {
		if err = in.downloadDriver(ctx, own, node); err == nil {
			return own, nil
		}
	}
	in.failed("the npm package "+in.s.driver.String(), err)
	return "", in.fail("driver",
		"mkdir -p "+process.Quote(own)+" && cd "+process.Quote(own)+" && npm pack "+in.s.driver.String()+" && tar xzf playwright-core-*.tgz",
		"npm config set registry <a registry that this machine reaches>")
}

func (in *installer) downloadDriver(ctx context.Context, own, node string) error {
	target := filepath.Join(own, "package")
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	all := func(string) bool { return true }
	err := in.downloads.unpackTo(ctx, "driver", in.s.driver, target, all, func(dir string) error {
		_, err := patchBundle(dir)
		return err
	})
	if err != nil {
		return err
	}
	return in.checkDriver(ctx, own, node)
}

// patchedDriver is the kind of the records of drivers that have the patches. Its number goes up with each new patch.
const patchedDriver = "driver patched 2"

// checkDriver proves a driver folder: version, patch, and a start of its command line. The result is remembered by the stamp of the bundle.
func (in *installer) checkDriver(ctx context.Context, dir, node string) error {
	pkg := filepath.Join(dir, "package")
	bundle := filepath.Join(pkg, "lib", "coreBundle.js")
	if !exists(pkg) {
		return errors.New("it does not exist")
	}
	if known, ok := in.records.get(patchedDriver, bundle); ok && known.OK {
		return nil
	}
	if version, err := packageVersion(pkg); err != nil || version != DriverVersion {
		return errors.Join(err, fmt.Errorf("version %q, want %s", version, DriverVersion))
	}
	if _, err := patchBundle(pkg); err != nil {
		in.warning(fmt.Sprintf("the driver in %s cannot be patched (%v): one page can end it for all; unset DriverDir and PLAYWRIGHT_DRIVER_PATH to use a patched one", dir, err))
	}
	in.progress("driver", "checking the driver", 0, 0)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, node, filepath.Join(pkg, "cli.js"), "--version").CombinedOutput()
	if err != nil || !strings.Contains(string(out), DriverVersion) {
		return fmt.Errorf("it does not start: %w: %s", err, lastLine(out))
	}
	in.records.put(patchedDriver, bundle, record{OK: true})
	return nil
}

func packageVersion(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	err = json.Unmarshal(data, &p)
	return p.Version, err
}

// patchBundle patches the driver's bundle in place; it reports whether anything had to be patched.
func patchBundle(pkg string) (bool, error) {
	file := filepath.Join(pkg, "lib", "coreBundle.js")
	data, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	patched := data
	for _, m := range driverPatches {
		if bytes.Contains(patched, []byte(m[1])) {
			continue
		}
		if !bytes.Contains(patched, []byte(m[0])) {
			return false, fmt.Errorf("%q is not in its bundle", m[0])
		}
		patched = bytes.ReplaceAll(patched, []byte(m[0]), []byte(m[1]))
	}
	if bytes.Equal(patched, data) {
		return false, nil
	}
	return true, replaceFile(file, patched, 0o644)
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	line := lines[len(lines)-1]
	return line[:min(len(line), 300)]
}

// nodeVersion is the Node.js that is downloaded where there is none.
const nodeVersion = "26.10.0"

// minNode is the oldest major version that the driver runs on.
const minNode = 18

// nodePackage is the npm package that carries Node.js for this platform. For platforms without a hash here, the hash is taken from the
// registry's own document of that version, over TLS.
func nodePackage() npmPackage {
	system := map[string]string{"windows": "win", "darwin": "darwin", "linux": "linux"}[runtime.GOOS]
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if system == "" || arch == "" {
		return npmPackage{}
	}
	hashes := map[string]string{
		"linux-x64":   "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
		"linux-arm64": "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
		"darwin-x64":  "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
		"win-x64":     "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
	}
	platform := system + "-" + arch
	return npmPackage{name: "node-" + platform, version: nodeVersion, integrity: hashes[platform], size: 57_300_000}
}
