package serving

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm/llmtest"
)

func TestRun_demoIsServedAtOnce(t *testing.T) {
	r := started(t, "-demo")
	a := r.want(200, "POST", "/v2/scrape", `{"url":"https://shop.example/products/winnowing-fan","formats":["markdown","product"]}`)
	if text := a.field(t, "data.markdown").(string); !strings.Contains(text, "# Winnowing fan") {
		t.Error(text)
	}
	if title := a.field(t, "data.product.title"); title != "Winnowing fan" {
		t.Error(title)
	}
	r.want(200, "GET", "/", "")
	r.want(200, "GET", "/healthz", "")
	r.want(200, "GET", "/readyz", "")
	found := r.want(200, "POST", "/v2/search", `{"query":"peeled willow"}`)
	if !strings.Contains(found.body, "https://shop.example/products/winnowing-fan") {
		t.Error(found.body)
	}
	refused := r.want(503, "POST", "/v2/scrape", `{"url":"https://shop.example/","formats":["summary"]}`)
	if code := refused.field(t, "code"); code != "MODEL_NOT_CONFIGURED" {
		t.Error(refused.body)
	}
	for _, want := range []string{"none needed", "in memory", "https://shop.example/", "none: json, summary", "among the pages in the cache"} {
		if !strings.Contains(r.printed, want) {
			t.Errorf("%q isn't printed: %s", want, r.printed)
		}
	}
}

// Every kind of file of the demo is read.
func TestRun_demoFilesAreRead(t *testing.T) {
	r := started(t, "-demo")
	for name, want := range map[string]string{
		"report.pdf": "The upper field rests.", "minutes.docx": "| Spelt", "harvest.xlsx": "| Barley", "harvest.csv": "| Millet", "": "| Rye",
	} {
		a := r.want(200, "POST", "/v2/scrape", `{"url":"https://files.example/`+name+`"}`)
		if text := a.field(t, "data.markdown").(string); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", name, want, text)
		}
	}
	for address, format := range map[string]string{
		"blog.example/articles/the-sound-of-threshing": "audio", "blog.example/articles/the-east-wind": "video", "cafe.example/": "menu",
	} {
		a := r.want(200, "POST", "/v2/scrape", `{"url":"https://`+address+`","formats":["`+format+`"]}`)
		if v := a.field(t, "data."+format); v == nil || v == "" {
			t.Errorf("%s: no %s in %s", address, format, a.body)
		}
	}
}

func TestRun_whatCantBeHonouredIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("# nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-addr", "0.0.0.0:0"}, "is not a loopback address: without -keys"},
		{[]string{"-addr", ":0"}, "is not a loopback address: without -keys"},
		{[]string{"-addr", "nowhere"}, "-addr"},
		{[]string{"-keys", filepath.Join(dir, "missing")}, "-keys"},
		{[]string{"-keys", file}, "it has no key"},
		{[]string{"-addr", "127.0.0.1:0", "-keys", writeFile(t, "keys", "secret shop\n")}, "line 1"},
		{[]string{"-tls-cert", file}, "go together"},
		{[]string{"-addr", "127.0.0.1:0", "-tls-cert", file, "-tls-key", file}, "-tls-cert"},
		{[]string{"-addr", "127.0.0.1:0", "-pprof", "0.0.0.0:0"}, "profiles show what is in memory"},
		{[]string{"-addr", "127.0.0.1:0", "-metrics-addr", "nowhere"}, "-metrics-addr"},
		{[]string{"-base-url", "https://api.example/v2"}, "-base-url"},
		{[]string{"-base-url", "api.example"}, "-base-url"},
		{[]string{"-log", "xml"}, "text or json"},
		{[]string{"-log-level", "loud"}, "log-level"},
		{[]string{"-grace", "-1s"}, "-grace"},
		{[]string{"-cache", file}, "is a file"},
		{[]string{"-addr", "127.0.0.1:0", "-render", "sometimes"}, `"auto", "never" or "always"`},
		{[]string{"-addr", "127.0.0.1:0", "-min-confidence", "2"}, "0 to 1"},
		{[]string{"-addr", "127.0.0.1:0", "-model-url", "ftp://x", "-model", "m"}, "-model-url"},
		{[]string{"-addr", "127.0.0.1:0", "-searxng", "nothing"}, "-searxng"},
		{[]string{"-new-key", "a team"}, "-new-key"},
		{[]string{"-addr", "127.0.0.1:0", "-new-key", ""}, "-new-key is given but empty"},
		{[]string{"-addr", "127.0.0.1:0", "-keys", ""}, "-keys is given but empty"},
		{[]string{"demo"}, "want flags only"},
	} {
		var out, log bytes.Buffer
		err := Run(t.Context(), "server", c.args, &out, &log)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.args, err, c.want)
		}
		if out.Len() > 0 {
			t.Errorf("%q: printed %s", c.args, &out)
		}
	}
}

func TestRun_helpIsNoError(t *testing.T) {
	var usage bytes.Buffer
	if err := Run(t.Context(), "server", []string{"-h"}, io.Discard, &usage); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
	for _, want := range []string{"-demo", "-keys", "-cache", "-tls-cert"} {
		if !strings.Contains(usage.String(), want) {
			t.Errorf("no %s: %s", want, &usage)
		}
	}
}

// freshKey makes a key and a file that has it.
func freshKey(t *testing.T, team string) (secret, file string) {
	t.Helper()
	var line, printed bytes.Buffer
	if err := Run(t.Context(), "server", []string{"-new-key", team}, &line, &printed); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(printed.String())
	secret = words[len(words)-1]
	if strings.Contains(line.String(), secret) {
		t.Error("the file would hold the key itself")
	}
	return secret, writeFile(t, "keys", line.String())
}

func TestRun_keysAreAskedFor(t *testing.T) {
	secret, file := freshKey(t, "shop")
	r := started(t, "-demo", "-keys", file, "-log", "json")
	const body = `{"url":"https://shop.example/about"}`
	r.want(401, "POST", "/v2/scrape", body)
	r.want(401, "POST", "/v2/scrape", body, "Authorization", "Bearer "+secret+"x")
	r.want(200, "POST", "/v2/scrape", body, "Authorization", "Bearer "+secret)
	r.want(200, "GET", "/healthz", "")
	if a := r.want(401, "GET", "/metrics", ""); strings.Contains(a.body, "go_goroutines") {
		t.Error("numbers are printed without a key")
	}
	log := r.log.String()
	if strings.Contains(log, secret) || !strings.Contains(log, `"team":"shop"`) {
		t.Error(log)
	}
	if !strings.Contains(r.printed, "1, of "+file) {
		t.Error(r.printed)
	}
}

func TestRun_modelIsAsked(t *testing.T) {
	model := llmtest.NewServer(t, llmtest.Text("Three people, a barn and a lane."))
	r := started(t, "-demo", "-model-url", model.URL(), "-model", llmtest.ModelName)
	a := r.want(200, "POST", "/v2/scrape", `{"url":"https://shop.example/about","formats":["summary"]}`)
	if text := a.field(t, "data.summary"); text != "Three people, a barn and a lane." {
		t.Error(a.body)
	}
	if !strings.Contains(r.printed, "model     "+llmtest.ModelName) {
		t.Error(r.printed)
	}
}
