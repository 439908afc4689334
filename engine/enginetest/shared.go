package enginetest

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/winnow-go/winnow/engine"
)

// shared is the browser of the tests that run; nil for none.
var shared atomic.Pointer[engine.SharedBrowser]

// Shared runs the tests of a package with one browser for all engines of [New], which otherwise start one each. It stands for the
// *testing.M in a TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(enginetest.Shared{M: m}.Run()) }
//
// The browser is started by the first page, and closed after the last test. The tests get the flags -update and -record, unless they have
// flags of these names: see [MatchScreenshot] and [Cassette].
type Shared struct {
	// M are the tests: a *testing.M.
	M interface{ Run() int }
}

// Run runs the tests and returns their exit code; 1 if only the closing of the browser has failed.
func (s Shared) Run() int {
	b, err := engine.NewSharedBrowser(engine.BrowserOptions{System: true}, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, "enginetest:", err)
		return 1
	}
	defineFlags()
	shared.Store(b)
	code := s.M.Run()
	shared.Store(nil)
	if err := b.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "enginetest: close the shared browser:", err)
		return max(code, 1)
	}
	return code
}
