package pageimage

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// raced reports the race detector.
var raced bool

// closing closes the shared renderer before leaks are looked for.
type closing struct{ *testing.M }

func (c closing) Run() int {
	code := c.M.Run()
	if r, err := shared(); err == nil {
		r.Close()
	}
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(closing{m}) }

// cacheDir is kept from run to run: under the race detector it takes most of a minute to fill it, which .ci/run has the run without do.
func cacheDir() string {
	root, err := os.UserCacheDir()
	if err != nil {
		root = os.TempDir()
	}
	return filepath.Join(root, "winnow", "pdfium")
}

var shared = sync.OnceValues(func() (*Renderer, error) { return New(Options{CacheDir: cacheDir(), AtOnce: 4}) })

func sharedRenderer(t testing.TB) *Renderer {
	t.Helper()
	r, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bounded is a renderer with other bounds than those of memory, on the shared one's PDFium: to start another takes a second under the
// race detector. It need not be closed.
func bounded(t testing.TB, o Options) *Renderer {
	t.Helper()
	o, err := o.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	r := idle(o)
	r.pool = sharedRenderer(t).pool
	return r
}

// newRenderer makes a renderer for one test.
func newRenderer(t testing.TB, o Options) *Renderer {
	t.Helper()
	o.CacheDir = cacheDir()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func open(t testing.TB, r *Renderer, body []byte) *File {
	t.Helper()
	f, err := r.Open(t.Context(), body, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
