//go:build unix

package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func onlyLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("this system: the npm package of the browser is for Linux on x64 only")
	}
}

func TestInstall_downloadsWhatIsMissingOnce(t *testing.T) {
	needsNode(t)
	onlyLinux(t)
	registry, cache := newRegistry(t), t.TempDir()
	s := requestFor(registry.URL)
	var probes int
	s.Probe = func(_ context.Context, inst *Installation) (ProbeResult, error) {
		probes++
		if !exists(filepath.Join(inst.LibraryPath, "libnss3.so")) {
			return ProbeResult{}, errors.New("libraries are missing")
		}
		return ProbeResult{Version: "148.0", MissingScripts: []string{"CJK"}}, nil
	}
	var steps []string
	s.CacheDir, s.Progress = cache, func(p Progress) { steps = append(steps, p.Step) }
	for range 2 {
		inst, err := Run(testContext(t), s)
		if err != nil {
			t.Fatal(err)
		}
		if inst.Headless != "shell" || inst.Version != "148.0" || len(inst.Warnings) != 1 || !strings.Contains(inst.Warnings[0], "fonts-wqy-microhei") {
			t.Errorf("got %+v", inst)
		}
	}
	bundle, _ := os.ReadFile(filepath.Join(cache, "driver-"+DriverVersion, "package", "lib", "coreBundle.js"))
	for _, m := range driverPatches {
		if strings.Count(string(bundle), m[1]) != 1 {
			t.Errorf("the driver is not patched: %q in %s", m[1], bundle)
		}
	}
	if probes != 1 || registry.asked.Load() != 2 {
		t.Errorf("got %d tests and %d downloads, want 1 and 2", probes, registry.asked.Load())
	}
	if !strings.Contains(strings.Join(steps, " "), "driver browser") {
		t.Errorf("got steps %v", steps)
	}
	noLeftovers(t, cache)
}

// noLeftovers fails when something unfinished is in the cache.
func noLeftovers(t *testing.T, cache string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(cache, temporaryPrefix+"*")); len(left) > 0 {
		t.Errorf("unfinished: %v", left)
	}
}

func TestInstall_badDownloadsAreRefused(t *testing.T) {
	needsNode(t)
	tests := map[string]struct {
		tarball func(w http.ResponseWriter, r *http.Request, data []byte)
		why     string
	}{
		"truncated": {func(w http.ResponseWriter, _ *http.Request, data []byte) {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			_, _ = w.Write(data[:len(data)/2])
		}, "unexpected EOF"},
		"wrong hash": {func(w http.ResponseWriter, _ *http.Request, data []byte) {
			_, _ = w.Write(append([]byte("x"), data[1:]...))
		}, "wrong hash"},
		"missing":      {func(w http.ResponseWriter, r *http.Request, _ []byte) { http.NotFound(w, r) }, "404"},
		"server error": {func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(503) }, "503"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			registry, cache := newRegistry(t), t.TempDir()
			registry.answer(test.tarball)
			_, err := installInto(t, cache, requestFor(registry.URL))
			var failed *Error
			if !errors.As(err, &failed) || failed.Missing != "driver" || !strings.Contains(err.Error(), test.why) || len(failed.Fix) == 0 {
				t.Errorf("got %v, want %q", err, test.why)
			}
			if exists(filepath.Join(cache, "driver-"+DriverVersion, "package")) {
				t.Error("half a driver is left")
			}
			noLeftovers(t, cache)
		})
	}
}

func TestInstall_tarballElsewhereIsFoundByTheDocument(t *testing.T) {
	needsNode(t)
	onlyLinux(t)
	registry := newRegistry(t)
	registry.answer(func(w http.ResponseWriter, r *http.Request, data []byte) {
		if strings.HasPrefix(r.URL.Path, "/playwright-core/-/") {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	})
	if _, err := installInto(t, t.TempDir(), requestFor(registry.URL)); err != nil {
		t.Error(err)
	}
}

func TestInstall_passingTroubleIsTriedAgain(t *testing.T) {
	needsNode(t)
	onlyLinux(t)
	registry := newRegistry(t)
	var n atomic.Int64
	registry.answer(func(w http.ResponseWriter, _ *http.Request, data []byte) {
		if n.Add(1) == 1 {
			w.WriteHeader(502)
			return
		}
		_, _ = w.Write(data)
	})
	if _, err := installInto(t, t.TempDir(), requestFor(registry.URL)); err != nil {
		t.Error(err)
	}
}

// stalling serves half of each tarball and reports once it has.
func stalling(registry *fakeRegistry) (half <-chan struct{}) {
	begun := make(chan struct{}, 10)
	registry.answer(func(w http.ResponseWriter, r *http.Request, data []byte) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data[:len(data)/2])
		w.(http.Flusher).Flush()
		begun <- struct{}{}
		<-r.Context().Done()
	})
	return begun
}

func TestInstall_interruptionLeavesNothingHalfDone(t *testing.T) {
	needsNode(t)
	registry, cache := newRegistry(t), t.TempDir()
	half := stalling(registry)
	ctx, cancel := context.WithCancel(testContext(t))
	go func() {
		<-half
		cancel()
	}()
	_, err := Run(ctx, requestFor(registry.URL).in(cache))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	if exists(filepath.Join(cache, "driver-"+DriverVersion, "package")) {
		t.Error("half a driver is left")
	}
	noLeftovers(t, cache)
}

func TestInstall_neverDownloadsNothing(t *testing.T) {
	needsNode(t)
	registry, cache := newRegistry(t), t.TempDir()
	s := requestFor(registry.URL)
	_, err := Run(testContext(t), Request{CacheDir: cache, Never: true, Probe: s.Probe, seams: s.seams})
	var failed *Error
	if !errors.As(err, &failed) || registry.asked.Load() != 0 {
		t.Errorf("got %v after %d requests, want an Error after none", err, registry.asked.Load())
	}
}

func TestInstall_errorListsEverythingTried(t *testing.T) {
	needsNode(t)
	onlyLinux(t)
	registry := newRegistry(t)
	s := requestFor(registry.URL)
	s.Probe = func(context.Context, *Installation) (ProbeResult, error) {
		return ProbeResult{}, errors.New("it only coughs")
	}
	_, err := installInto(t, t.TempDir(), s)
	for _, want := range []string{"download: switched off", "@sparticuz/chromium@148.0.0", "it only coughs", "apt-get: not allowed", "CHROME_PATH"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to name %q", err, want)
		}
	}
}

func TestInstall_explicitBrowserIsTheOnlyOneTried(t *testing.T) {
	needsNode(t)
	registry := newRegistry(t)
	s := requestFor(registry.URL)
	s.CacheDir, s.Executable = t.TempDir(), filepath.Join(t.TempDir(), "no-browser")
	_, err := Run(testContext(t), s)
	var failed *Error
	if !errors.As(err, &failed) || failed.Missing != "browser" || len(failed.Tried) != 1 {
		t.Errorf("got %v", err)
	}
}

func TestInstall_wrongDriverVersionIsRefused(t *testing.T) {
	needsNode(t)
	dir := t.TempDir()
	_ = os.MkdirAll(filepath.Join(dir, "package"), 0o755)
	_ = os.WriteFile(filepath.Join(dir, "package", "package.json"), []byte(`{"version": "1.2.3"}`), 0o644)
	s := requestFor("http://127.0.0.1:9").in(t.TempDir())
	s.DriverDir = dir
	_, err := Run(testContext(t), s)
	if err == nil || !strings.Contains(err.Error(), `version "1.2.3", want `+DriverVersion) {
		t.Errorf("got %v", err)
	}
}

// helperInstall installs from the registry that the environment names.
func helperInstall() int {
	registry, cache := os.Getenv("TEST_REGISTRY"), os.Getenv("TEST_CACHE")
	_, err := Run(context.Background(), requestFor(registry).in(cache))
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	return 0
}

func helperProcess(registry, cache string) *exec.Cmd {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), helperVariable+"=install", "TEST_REGISTRY="+registry, "TEST_CACHE="+cache)
	command.Stderr = os.Stderr
	return command
}

func TestInstall_twoProcessesAtOnceDownloadOnce(t *testing.T) {
	needsNode(t)
	onlyLinux(t)
	registry, cache := newRegistry(t), t.TempDir()
	registry.answer(func(w http.ResponseWriter, r *http.Request, data []byte) {
		pause(r, 200)
		_, _ = w.Write(data)
	})
	a, b := helperProcess(registry.URL, cache), helperProcess(registry.URL, cache)
	if err := errors.Join(a.Start(), b.Start()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Wait(), b.Wait()); err != nil {
		t.Error(err)
	}
	if got := registry.asked.Load(); got != 2 {
		t.Errorf("got %d downloads, want 2", got)
	}
}

func TestInstall_afterAKilledProcessGoesOn(t *testing.T) {
	needsNode(t)
	onlyLinux(t)
	registry, cache := newRegistry(t), t.TempDir()
	half := stalling(registry)
	victim := helperProcess(registry.URL, cache)
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	<-half
	_ = victim.Process.Kill()
	_ = victim.Wait()
	second := newRegistry(t)
	if _, err := installInto(t, cache, requestFor(second.URL)); err != nil {
		t.Error(err)
	}
	noLeftovers(t, cache)
}

func TestInstall_waitingForTheLockHonoursTheContext(t *testing.T) {
	needsNode(t)
	registry, cache := newRegistry(t), t.TempDir()
	half := stalling(registry)
	ctx, cancel := context.WithCancel(testContext(t))
	first := make(chan error, 1)
	go func() {
		_, err := Run(ctx, requestFor(registry.URL).in(cache))
		first <- err
	}()
	<-half
	_, err := Run(deadline(t, 50*time.Millisecond), requestFor(registry.URL).in(cache))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want a deadline", err)
	}
	cancel()
	<-first
}

func TestUnpack_unsafeArchivesAreRefused(t *testing.T) {
	for name, text := range map[string]string{"package/../../evil": "unsafe name", "package//etc/evil": "unsafe name"} {
		dir := t.TempDir()
		archive := filepath.Join(dir, "a.tgz")
		_ = os.WriteFile(archive, gzipped(tarOf(file{name: name, text: "x"})), 0o644)
		err := unpack(context.Background(), archive, filepath.Join(dir, "out"), func(string) bool { return true })
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v, want %q", name, err, text)
		}
	}
}

func TestInstall_uselessChromePathIsAWarning(t *testing.T) {
	needsNode(t)
	onlyLinux(t)
	registry := newRegistry(t)
	s := requestFor(registry.URL)
	getenv := s.seams.getenv
	s.seams.getenv = func(name string) string {
		if name == chromePath {
			return "/no/such/browser"
		}
		return getenv(name)
	}
	inst, err := installInto(t, t.TempDir(), s)
	if err != nil || len(inst.Warnings) != 1 || !strings.Contains(inst.Warnings[0], "/no/such/browser") {
		t.Errorf("got %+v %v, want a warning", inst, err)
	}
}

func TestFromBrotli_whatIsBrokenIsAnError(t *testing.T) {
	needsNode(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	good := brotlied([]byte("hello"))
	for name, test := range map[string]struct{ packed, want string }{
		"whole":     {good, ""},
		"truncated": {good[:len(good)-2], "unexpected end"},
		"not it":    {"this is text", "failed"},
		"empty":     {"", "unexpected end"},
	} {
		file := filepath.Join(t.TempDir(), "x.br")
		if err := os.WriteFile(file, []byte(test.packed), 0o600); err != nil {
			t.Fatal(err)
		}
		var text []byte
		err := fromBrotli(testContext(t), node, file, func(r io.Reader) error {
			text, err = io.ReadAll(r)
			return err
		})
		if test.want == "" && (err != nil || string(text) != "hello") || test.want != "" && (err == nil || !strings.Contains(strings.ToLower(err.Error()), test.want)) {
			t.Errorf("%s: got %q, %v, want %q", name, text, err, test.want)
		}
	}
}

func TestBounded_moreThanTheLimitIsAnError(t *testing.T) {
	if _, err := io.ReadAll(&bounded{strings.NewReader("123456"), 5}); err == nil {
		t.Error("got no error")
	}
	if text, err := io.ReadAll(&bounded{strings.NewReader("12345"), 5}); err != nil || len(text) != 5 {
		t.Errorf("got %q, %v", text, err)
	}
}
