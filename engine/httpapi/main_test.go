package httpapi

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// closing are connections of which a server hasn't read all when it closes them: net/http waits half a second then, and goleak for less.
var closing = goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")

func TestMain(m *testing.M) { goleak.VerifyTestMain(closesCommon{m}, closing) }

// common is the browser of all services that need one: nil where no test has needed it. TestMain closes it.
var common *engine.SharedBrowser

// withBrowser makes a service use the browser of this machine, and installs none.
func withBrowser(t testing.TB) func(*engine.Options, *Options) {
	t.Helper()
	if common == nil {
		var err error
		if common, err = engine.NewSharedBrowser(engine.BrowserOptions{Install: browser.InstallNever}, nil); err != nil {
			t.Fatal(err)
		}
	}
	return func(eo *engine.Options, _ *Options) { eo.Render, eo.Browser.Shared = engine.RenderAuto, common }
}

// closesCommon are tests after which their browser is closed.
type closesCommon struct{ *testing.M }

func (m closesCommon) Run() int {
	code := m.M.Run()
	if common != nil {
		if err := common.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "close:", err)
			code = 1
		}
	}
	return code
}
