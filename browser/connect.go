package browser

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// open starts the browser, or connects to the one that runs elsewhere.
func (c launchConfig) open(chromium playwright.BrowserType) (playwright.Browser, error) {
	limit := new(float64(startWait / time.Millisecond))
	switch {
	case c.connect == "":
		return chromium.Launch(c.launchOptions(limit))
	case c.socket():
		b, err := chromium.Connect(c.connect, playwright.BrowserTypeConnectOptions{Timeout: limit})
		return b, c.hide(err)
	}
	b, err := chromium.ConnectOverCDP(c.connect, playwright.BrowserTypeConnectOverCDPOptions{Timeout: limit})
	return b, c.hide(err)
}

func (c launchConfig) launchOptions(limit *float64) playwright.BrowserTypeLaunchOptions {
	return playwright.BrowserTypeLaunchOptions{
		ExecutablePath:  &c.executable,
		Args:            c.args,
		ChromiumSandbox: new(c.sandbox != sandboxNone),
		Headless:        new(true),
		Env:             c.session.env(c.inst),
		Proxy:           &playwright.Proxy{Server: c.proxy},
		Timeout:         limit,
		HandleSIGINT:    new(false),
		HandleSIGTERM:   new(false),
		HandleSIGHUP:    new(false),
	}
}

// socket reports whether the browser is a Playwright server's. A DevTools endpoint may have a websocket address too.
func (c launchConfig) socket() bool {
	u, err := url.Parse(c.connect)
	return err == nil && strings.HasPrefix(u.Scheme, "ws") && !strings.Contains(u.Path, "/devtools/browser/")
}

// name describes the browser, without secrets.
func (c launchConfig) name() string {
	if c.connect == "" {
		return c.inst.Executable
	}
	return "a connection to " + redacted(c.connect)
}

// hide leaves the secrets of the address out of an error.
func (c launchConfig) hide(err error) error {
	if err == nil || redacted(c.connect) == c.connect {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), c.connect, redacted(c.connect)))
}
