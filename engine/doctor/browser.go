package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// The parts of an installation, in the order in which it looks for them.
var partNames = []string{"node", "driver", "browser"}

// installed looks for driver and browser as an engine does.
func installed(ctx context.Context, o Options) []Finding {
	found, err := browser.Install(ctx, browser.InstallOptions{
		Executable: o.Browser.Executable, DriverDir: o.Browser.DriverDir, CacheDir: o.Browser.CacheDir, Mode: browser.InstallNever,
	})
	if err != nil {
		return notInstalled(err)
	}
	libraries := found.LibraryPath
	if libraries == "" {
		libraries = "the system's"
	}
	return []Finding{
		{Name: "node", State: OK, Text: found.Node},
		{Name: "driver", State: OK, Text: found.DriverDir},
		{Name: "browser", State: OK, Text: fmt.Sprintf("%s at %s (%s)", found.Version, found.Executable, found.Source)},
		{Name: "libraries", State: OK, Text: libraries},
		fonts(found.Warnings),
	}
}

// notInstalled names the part that is missing, after those that are there.
func notInstalled(err error) (list []Finding) {
	failed, ok := errors.AsType[*browser.InstallError](err)
	if !ok {
		return []Finding{{Name: "browser", State: Broken, Text: err.Error(), Err: err}}
	}
	coded := &engine.Error{Code: engine.CodeAllEnginesFailed, Err: err}
	for _, name := range partNames {
		if name == failed.Missing {
			break
		}
		list = append(list, Finding{Name: name, State: OK, Text: "it is there"})
	}
	f := Finding{Name: failed.Missing, State: Missing, Err: coded, Fix: "winnow install gets one; without a network, winnow bundle install FILE"}
	for _, a := range failed.Tried {
		f.Text += "tried " + a.What + ": " + a.Why + "; "
		if strings.Contains(a.Why, "shared librar") {
			list = append(list, Finding{
				Name: "libraries", State: Missing, Text: a.Why, Err: coded,
				Fix: "install them, or the bundle's with winnow bundle install --system FILE",
			})
		}
	}
	f.Text = strings.TrimSuffix(f.Text, "; ")
	return append(list, f)
}

// fonts reads the warning of the browser's test.
func fonts(warnings []string) Finding {
	for _, w := range warnings {
		if text, fix, found := strings.Cut(w, "; to fix: "); found && strings.Contains(text, "font") {
			return Finding{Name: "fonts", State: Without, Text: text, Fix: fix, Err: errors.New(text)}
		}
	}
	return Finding{Name: "fonts", State: OK, Text: "Latin and Chinese text is drawn"}
}

// checkPage is a page whose text comes by script alone.
const checkPage = `<title>check</title><main><h1 id=h></h1></main><script>h.textContent = "made by script"</script>`

func renders(ctx context.Context, o Options) []Finding {
	f := Finding{Name: "rendering", State: OK, Text: "a page that is made by script"}
	doc, err := scrapeOnce(ctx, o, "https://check.example/")
	if err == nil && !strings.Contains(doc.Markdown, "made by script") {
		err = fmt.Errorf("the page came without its text: %q", doc.Markdown)
	}
	if err != nil {
		f.State, f.Text, f.Err, f.Fix = Broken, err.Error(), err, "the lines before may say why"
	}
	return []Finding{f}
}

func scrapeOnce(ctx context.Context, o Options, url string) (doc *engine.Document, err error) {
	e, err := engine.New(engine.Options{Browser: o.Browser, Hosts: map[string]http.Handler{
		"check.example": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, checkPage)
		}),
	}})
	if err != nil {
		return nil, err
	}
	doc, err = e.Scrape(ctx, url, engine.ScrapeOptions{Render: engine.RenderAlways})
	return doc, errors.Join(err, e.Close())
}

// consent looks for the rules of cookie banners.
func consent(_ context.Context, o Options) []Finding {
	dir, err := cacheDir(o)
	rules, _ := filepath.Glob(filepath.Join(dir, "consent-*"))
	if err != nil || len(rules) == 0 {
		return []Finding{{
			Name: "consent", State: Without, Text: "cookie banners are hidden, but not answered", Fix: "winnow install --consent",
			Err: errors.New("no rules"),
		}}
	}
	return []Finding{{Name: "consent", State: OK, Text: rules[len(rules)-1]}}
}
