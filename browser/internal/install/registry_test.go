//go:build unix

package install

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

type file struct {
	name, text string
	mode       int64
}

func tarOf(files ...file) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		_ = w.WriteHeader(&tar.Header{Name: f.name, Mode: max(f.mode, 0o644), Size: int64(len(f.text)), Typeflag: tar.TypeReg})
		_, _ = w.Write([]byte(f.text))
	}
	_ = w.Close()
	return b.Bytes()
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// brotlied writes the format without packing anything: one block of at most 64 KiB as it is, and an empty last one.
func brotlied(data []byte) string {
	head := (len(data)-1)<<4 | 1<<20
	return string([]byte{byte(head), byte(head >> 8), byte(head >> 16)}) + string(data) + "\x03"
}

func integrityOf(data []byte) string {
	sum := sha512.Sum512(data)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// fakeDriver is a driver that only knows its version; fakeChromium a browser that no one starts.
var (
	fakeDriver = gzipped(tarOf(
		file{name: "package/package.json", text: `{"version": "` + DriverVersion + `"}`},
		file{name: "package/cli.js", text: `console.log("Version ` + DriverVersion + `")`},
		file{name: "package/lib/coreBundle.js", text: unpatched()},
		file{name: "package/lib/large", text: strings.Repeat("x\x00", 1<<20)},
	))
	fakeChromium = gzipped(tarOf(
		file{name: "package/bin/x64/chromium.br", text: brotlied([]byte("#!/bin/sh\n"))},
		file{name: "package/bin/x64/al2023.tar.br", text: brotlied(tarOf(file{name: "al2023/lib/libnss3.so", text: "library"}))},
		file{name: "package/build/index.js", text: "not wanted"},
	))
)

// fakeRegistry serves npm packages, well or badly.
type fakeRegistry struct {
	*httptest.Server
	asked   atomic.Int64
	tarball atomic.Pointer[tarballHandler]
}

// tarballHandler answers the request for a tarball whose bytes are data.
type tarballHandler func(w http.ResponseWriter, r *http.Request, data []byte)

// answer makes the registry serve tarballs so from now on.
func (f *fakeRegistry) answer(h tarballHandler) { f.tarball.Store(&h) }

func newRegistry(t *testing.T) *fakeRegistry {
	t.Helper()
	f := &fakeRegistry{}
	f.answer(func(w http.ResponseWriter, _ *http.Request, data []byte) { _, _ = w.Write(data) })
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Server.Close)
	t.Cleanup(f.Server.CloseClientConnections)
	return f
}

func (f *fakeRegistry) serve(w http.ResponseWriter, r *http.Request) {
	f.asked.Add(1)
	switch {
	case strings.HasSuffix(r.URL.Path, "playwright-core-"+DriverVersion+".tgz"):
		(*f.tarball.Load())(w, r, fakeDriver)
	case strings.HasSuffix(r.URL.Path, "chromium-148.0.0.tgz"):
		(*f.tarball.Load())(w, r, fakeChromium)
	case strings.HasSuffix(r.URL.Path, "/playwright-core/"+DriverVersion):
		fmt.Fprintf(w, `{"dist": {"tarball": "http://%s/elsewhere/playwright-core-%s.tgz", "integrity": %q}}`, r.Host, DriverVersion, integrityOf(fakeDriver))
	default:
		http.NotFound(w, r)
	}
}

// requestFor is for a world with no browser, in which the registry is where npm's environment says.
func requestFor(registry string) Request {
	return Request{
		Probe: func(context.Context, *Installation) (ProbeResult, error) { return ProbeResult{Version: "148.0"}, nil },
		seams: seams{
			getenv: func(name string) string {
				if name == "npm_config_registry" {
					return registry
				}
				return ""
			},
			driver:           npmPackage{name: "playwright-core", version: DriverVersion, integrity: integrityOf(fakeDriver)},
			chromium:         npmPackage{name: "@sparticuz/chromium", version: "148.0.0", integrity: integrityOf(fakeChromium)},
			noSystemBrowsers: true, noCDN: true,
			geteuid: func() int { return 1000 },
		},
	}
}

// in is the request with another cache folder.
func (r Request) in(cache string) Request {
	r.CacheDir = cache
	return r
}

func needsNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		if testing.Short() {
			t.Skip("-short: needs Node.js")
		}
		t.Fatal("needs Node.js on PATH")
	}
	// The user's cache may hold a real driver.
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

func installInto(t *testing.T, cache string, r Request) (*Installation, error) {
	t.Helper()
	return Run(testContext(t), r.in(cache))
}

func TestRegistry_readsNpmsConfiguration(t *testing.T) {
	user := filepath.Join(t.TempDir(), "npmrc")
	_ = os.WriteFile(user, []byte("; comment\nregistry = https://user.example/npm/\n@sparticuz:registry=https://scope.example\n"+
		"//user.example/npm/:_authToken=${TOKEN}\n"), 0o600)
	t.Chdir(t.TempDir())
	env := map[string]string{"npm_config_userconfig": user, "TOKEN": "t0", "npm_config_globalconfig": "/dev/null"}
	get := func(name string) string { return env[name] }
	r := findRegistry(context.Background(), get)
	if got := r.base("playwright-core"); got != "https://user.example/npm" {
		t.Errorf("got %s", got)
	}
	if got := r.base("@sparticuz/chromium"); got != "https://scope.example" {
		t.Errorf("got %s", got)
	}
	if got := r.authorization("https://user.example/npm/playwright-core/-/x.tgz"); got != "Bearer t0" {
		t.Errorf("got %q", got)
	}
	if got := r.authorization("https://other.example/npm/playwright-core/-/x.tgz"); got != "" {
		t.Errorf("leaked %q", got)
	}
	env["npm_config_registry"] = "https://env.example/"
	if got := findRegistry(context.Background(), get).base("playwright-core"); got != "https://env.example" {
		t.Errorf("got %s", got)
	}
}

// unpatched is a bundle that has every place to be patched.
func unpatched() (text string) {
	for _, m := range driverPatches {
		text += m[0] + "\n"
	}
	return text
}
