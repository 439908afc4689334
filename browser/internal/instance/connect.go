package instance

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/launch"
)

// open starts the browser, or connects to the one that runs elsewhere.
func (r Request) open(chromium playwright.BrowserType) (playwright.Browser, error) {
	limit := new(float64(startWait / time.Millisecond))
	switch {
	case r.Connect == "":
		return chromium.Launch(r.launchOptions(limit))
	case r.socket():
		b, err := chromium.Connect(r.Connect, playwright.BrowserTypeConnectOptions{Timeout: limit})
		return b, r.hide(err)
	}
	b, err := chromium.ConnectOverCDP(r.Connect, playwright.BrowserTypeConnectOverCDPOptions{Timeout: limit})
	return b, r.hide(err)
}

func (r Request) launchOptions(limit *float64) playwright.BrowserTypeLaunchOptions {
	return playwright.BrowserTypeLaunchOptions{
		ExecutablePath:  &r.executable,
		Args:            r.Args,
		ChromiumSandbox: new(r.Isolation != launch.None),
		Headless:        new(true),
		Env:             r.Session.Env(r.Installation),
		Proxy:           &playwright.Proxy{Server: r.Proxy},
		Timeout:         limit,
		HandleSIGINT:    new(false),
		HandleSIGTERM:   new(false),
		HandleSIGHUP:    new(false),
	}
}

// signalEnd is how the driver words that a browser was ended by a signal; a launcher that waits for it ends with 128 and the signal.
var signalEnd = regexp.MustCompile(`process did exit: exitCode=(null, signal=SIG|1(29|[3-5]\d)\b)`)

// endedBySignal reports whether a browser that was being started died of a signal. Chromium 148 does so by SIGSEGV, once in some
// thousand starts; those that refuse to start end with a code of their own.
func endedBySignal(err error) bool { return signalEnd.MatchString(err.Error()) }

// socket reports whether the browser is a Playwright server's. A DevTools endpoint may have a websocket address too.
func (r Request) socket() bool {
	u, err := url.Parse(r.Connect)
	return err == nil && strings.HasPrefix(u.Scheme, "ws") && !strings.Contains(u.Path, "/devtools/browser/")
}

// name describes the browser, without secrets.
func (r Request) name() string {
	if r.Connect == "" {
		return r.Installation.Executable
	}
	return "a connection to " + Redacted(r.Connect)
}

// hide leaves the secrets of the address out of an error.
func (r Request) hide(err error) error {
	if err == nil || Redacted(r.Connect) == r.Connect {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), r.Connect, Redacted(r.Connect)))
}

// Redacted leaves out what may be secret in an address: user and query.
func Redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(not an address)"
	}
	return u.Scheme + "://" + u.Host + u.Path
}
