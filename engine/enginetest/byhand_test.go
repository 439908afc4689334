package enginetest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/enginetest"
)

// The two tests of .guide/testing.md: of one page, by this package and by hand.

var shop = map[string]http.Handler{
	"shop.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<h1>Rye</h1><p id=price></p><script>
fetch("https://api.example/price").then(r => r.text()).then(text => document.querySelector("#price").textContent = text + " a sack")</script>`)
	}),
	"api.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "12 €")
	}),
}

func TestShop_showsThePrice(t *testing.T) {
	needBrowser(t)
	e := enginetest.New(t, shop)
	doc, err := e.Scrape(t.Context(), "https://shop.example/", engine.ScrapeOptions{Render: engine.RenderAlways})
	if err != nil || doc.Markdown != "# Rye\n\n12 € a sack" {
		t.Errorf("got %+v, %v", doc, err)
	}
}

func TestShopByHand_showsThePrice(t *testing.T) {
	needBrowser(t)
	page := openByHand(t, shop)
	if _, err := page.Goto("https://shop.example/"); err != nil {
		t.Fatal(err)
	}
	if err := page.GetByText("a sack").WaitFor(); err != nil {
		t.Fatal(err)
	}
	if text, err := page.Locator("body").InnerText(); err != nil || text != "Rye\n\n12 € a sack" {
		t.Errorf("got %q, %v", text, err)
	}
}

// openByHand does what New does, as far as playwright-go has it: a browser, hosts that handlers answer for, an error for each other
// host, and what is attached to a failure.
func openByHand(t *testing.T, hosts map[string]http.Handler) playwright.Page {
	t.Helper()
	context, err := startByHand(t).NewContext()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var lines []string
	err = context.Route("**/*", func(route playwright.Route) {
		u, err := url.Parse(route.Request().URL())
		if err == nil {
			mu.Lock()
			lines = append(lines, "request: "+u.String())
			mu.Unlock()
		}
		if err := answerByHand(t, route, hosts[u.Hostname()]); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := context.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	page.OnConsole(func(m playwright.ConsoleMessage) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, "console: "+m.Text())
	})
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if t.Failed() {
			path := filepath.Join(t.ArtifactDir(), "page.png")
			_, err := page.Screenshot(playwright.PageScreenshotOptions{Path: &path})
			t.Logf("%s\nscreenshot: %s, %v", strings.Join(lines, "\n"), path, err)
		}
		if err := context.Close(); err != nil {
			t.Error(err)
		}
	})
	return page
}

// startByHand starts a driver and a browser. (Where they are comes from this module's installation; else it is playwright.Install.)
func startByHand(t *testing.T) playwright.Browser {
	t.Helper()
	found, err := browser.Install(t.Context(), browser.InstallOptions{System: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLAYWRIGHT_NODEJS_PATH", found.Node)
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: found.DriverDir, SkipInstallBrowsers: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pw.Stop(); err != nil {
			t.Error(err)
		}
	})
	env := map[string]string{"LD_LIBRARY_PATH": found.LibraryPath}
	b, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: &found.Executable, Env: env, ChromiumSandbox: new(os.Getuid() != 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// answerByHand answers a request by a handler. It has the whole body at once: handlers can't stream, nor see a client that leaves.
func answerByHand(t *testing.T, route playwright.Route, h http.Handler) error {
	r := route.Request()
	if h == nil {
		t.Errorf("request to the unknown host of %s", r.URL())
		return route.Abort("namenotresolved")
	}
	body, err := r.PostData()
	if err != nil {
		return err
	}
	req := httptest.NewRequest(r.Method(), r.URL(), strings.NewReader(body))
	for name, value := range r.Headers() {
		req.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	headers := map[string]string{}
	for name := range w.Header() {
		headers[name] = w.Header().Get(name) // a second Set-Cookie is lost
	}
	return route.Fulfill(playwright.RouteFulfillOptions{Status: &w.Code, Headers: headers, Body: w.Body.Bytes()})
}

func needBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
}
