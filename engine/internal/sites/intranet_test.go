package sites

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/fetch/auth/authtest"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// kerberos stands for an embedder's Kerberos library.
type kerberos struct{}

func (kerberos) Begin(context.Context, string) (auth.Negotiation, error) { return kerberos{}, nil }
func (kerberos) Next(context.Context, []byte) ([]byte, error)            { return []byte(authtest.Token), nil }

var intranetSites = []string{"basic", "digest", "ntlm", "negotiate", "cert", "form", "formtext"}

func newIntranet(t *testing.T) *authtest.Intranet {
	t.Helper()
	n, err := authtest.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// intranetOptions get into every site, by whichever way; the traps are of the same authority, and get nothing else.
func intranetOptions(t *testing.T, n *authtest.Intranet) engine.Options {
	t.Helper()
	o := engine.Options{Resolver: n, Policy: fetch.Policy{AllowPrivate: true}}
	for _, place := range []string{n.Origin("*"), n.Other("*"), strings.TrimSuffix(n.Trap("/"), "/")} {
		o.TLS = append(o.TLS, auth.TLS{For: place, RootCAs: n.Roots})
	}
	o.TLS = append([]auth.TLS{{For: n.Origin("cert"), RootCAs: n.Roots, Certificates: []tls.Certificate{n.Certificate}}}, o.TLS...)
	methods := map[string]auth.Method{"basic": auth.Basic, "digest": auth.Digest, "ntlm": auth.NTLM, "form": auth.Form, "formtext": auth.Form}
	for _, site := range slices.Sorted(maps.Keys(methods)) {
		method := methods[site]
		c := auth.Credentials{For: n.Origin(site), Method: method, User: authtest.User, Password: auth.Secret(authtest.Password(site))}
		if method == auth.NTLM {
			c.User = `CORP\` + c.User
		}
		if method == auth.Form {
			c.Form = &auth.Recipe{
				Steps: []auth.Step{{Path: "/login", Fields: map[string]string{"user": "{user}", "pw": "{password}"}, Submit: "go"}},
				Ended: []auth.Sign{{Text: "session has ended"}},
			}
		}
		o.Credentials = append(o.Credentials, c)
	}
	o.Credentials = append(o.Credentials, auth.Credentials{For: n.Origin("negotiate"), Method: auth.Negotiate, User: authtest.User, Negotiator: kerberos{}})
	return o
}

// outlets is all that an engine lets out: documents, logs, reports, prompts.
type outlets struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (o *outlets) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(p)
}

// HTTP client and browser get the pages of an intranet, with verification, and nothing secret is found anywhere else.
func TestIntranet_clientAndBrowser(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	n, out, dir := newIntranet(t), &outlets{}, t.TempDir()
	summary := llmtest.Func(func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "a summary"} })
	model, err := llmtest.Start(slices.Repeat([]llmtest.Step{summary}, 4*len(intranetSites)+1)...)
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	file := filepath.Join(t.TempDir(), "intranet.wacz")
	o := intranetOptions(t, n)
	o.Dir, o.Model, o.Browser.Shared = dir, model.Model(), commonBrowser(t)
	o.Record = &recording.Options{File: file, KeepSecrets: true}
	o.Logger = slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o.OnPage = func(r engine.PageReport) { fmt.Fprintf(out, "%v %v\n", r.Console, r.Requests) }
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	traps := []string{"/away?", "/other?", "/plain?"}
	elsewhere := map[engine.Render][]string{engine.RenderNever: traps, engine.RenderAlways: traps}
	if raced {
		elsewhere[engine.RenderAlways] = traps[:1] // others differ in what the address is
	}
	for _, render := range []engine.Render{engine.RenderNever, engine.RenderAlways} {
		for _, site := range intranetSites {
			intranetPage(t, e, out, n.URL(site, "/?"+string(render)), render, site)
			n.Expire()
			intranetPage(t, e, out, n.URL(site, "/again?"+string(render)), render, site)
			for _, path := range elsewhere[render] {
				if doc, err := e.Scrape(t.Context(), n.URL(site, path+string(render)), engine.ScrapeOptions{Timeout: busy, Render: render}); err != nil || !strings.Contains(doc.Markdown, "another owner") {
					t.Errorf("%s %s %s: %+v, %v", site, path, render, doc, err)
				}
			}
		}
	}
	intranetPage(t, e, out, n.URL("digest", "/auto"), engine.RenderAuto, "digest")
	for _, r := range model.Requests() {
		fmt.Fprintf(out, "%+v\n", r)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if leaks, trapped := n.Leaks(); len(leaks) > 0 || trapped < (len(traps)+len(elsewhere[engine.RenderAlways]))*len(intranetSites) {
		t.Errorf("%d requests to traps, leaks: %q", trapped, leaks)
	}
	out.all.WriteString(tapedText(t, openTaped(t, file)))
	readAllFiles(t, out, dir)
	noSecrets(t, n, out.all.String())
	intranetCache(t, n, dir)
}

// intranetPage scrapes a page of a site, which is whole.
func intranetPage(t *testing.T, e *engine.Engine, out *outlets, href string, render engine.Render, site string) {
	t.Helper()
	wanted := []formats.Format{{Type: formats.Markdown}, {Type: formats.RawHTML}, {Type: formats.Summary}}
	doc, err := e.Scrape(t.Context(), href, engine.ScrapeOptions{Timeout: busy, Render: render, Formats: wanted, BlockAds: new(false)})
	if err != nil {
		t.Errorf("%s: %v", href, err)
		return
	}
	whole := strings.Contains(doc.Markdown, "the page of "+site)
	if render == engine.RenderAlways {
		whole = whole && strings.Contains(doc.Markdown, "the script of "+site+" was sent what is from the page")
	}
	if !whole || doc.Metadata.StatusCode != 200 {
		t.Errorf("%s: %+v %s", href, doc.Metadata, doc.Markdown)
	}
	fmt.Fprintf(out, "%+v %s %s\n", doc.Metadata, doc.Markdown, doc.RawHTML)
}

// readAllFiles takes every file of a folder as it is.
func readAllFiles(t *testing.T, out *outlets, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		_, _ = out.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func noSecrets(t *testing.T, n *authtest.Intranet, text string) {
	t.Helper()
	for _, secret := range append(n.Secrets(), "s3cret", "Basic YW5u", "NTLM TlRM") {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%q is found: …%s…", secret, text[max(0, i-200):min(len(text), i+100)])
		}
	}
	if !strings.Contains(text, "the page of ntlm") {
		t.Error("nothing of what should have been read")
	}
}

// intranetCache: what was got with credentials is served to the same account alone, whatever its password is by now; and where it is read
// decoded, no secret is in it either.
func intranetCache(t *testing.T, n *authtest.Intranet, dir string) {
	t.Helper()
	account, out := intranetOptions(t, n), &outlets{}
	account.Credentials[0].Password = "another"
	stranger := intranetOptions(t, n)
	stranger.Credentials[0].User = "bob"
	nobody := engine.Options{}
	for name, o := range map[string]engine.Options{"account": account, "stranger": stranger, "anyone": nobody} {
		o.Dir, o.Render = dir, engine.RenderNever
		e, err := engine.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, site := range intranetSites {
			doc, err := e.Scrape(t.Context(), n.URL(site, "/?never"), engine.ScrapeOptions{Timeout: busy, MinAge: new(time.Millisecond), BlockAds: new(false), Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.RawHTML}}})
			if served := err == nil; served != (name == "account") || !served && engine.CodeOf(err) != engine.CodeNoCachedData {
				t.Errorf("%s, %s: %v", name, site, err)
			} else if served {
				fmt.Fprintln(out, doc.Markdown, doc.RawHTML)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	noSecrets(t, n, out.all.String())
}

// A session, whose code may do anything to its browser, is logged in where it begins, without a secret in it.
func TestIntranet_session(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	n := newIntranet(t)
	e, err := engine.New(intranetOptions(t, n))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for site, inside := range map[string]bool{n.URL("form", "/"): true, n.Trap("/"): false} {
		s := newSession(t, e, engine.SessionOptions{URL: site})
		text := runIn(t, s, "node", fmt.Sprintf(`await page.goto(%q); await page.waitForTimeout(300);
			JSON.stringify([await page.textContent("body"), await page.context().cookies(), await (await page.reload()).request().allHeaders()])`, n.URL("form", "/x")))
		if strings.Contains(text, "the page of form") != inside || strings.Contains(text, "s3cret") {
			t.Errorf("%s: %s", site, text)
		}
		if _, err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A crawl that begins inside uses credentials; one that begins elsewhere is not led there.
func TestIntranet_crawls(t *testing.T) {
	t.Parallel()
	n := newIntranet(t)
	o := intranetOptions(t, n)
	o.Render = engine.RenderNever
	e := startIntranet(t, o)
	inside, err := e.Crawl(t.Context(), n.URL("ntlm", "/"), engine.CrawlOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for doc, err := range inside.Documents(t.Context(), 0) {
		if err != nil || !strings.Contains(doc.Markdown, "the page of ntlm") {
			t.Errorf("%+v, %v", doc, err)
		}
		pages++
	}
	if pages != 2 {
		t.Errorf("%d pages", pages)
	}
	outside, err := e.Crawl(t.Context(), n.Trap("/"), engine.CrawlOptions{AllowExternalLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	for doc, err := range outside.Documents(t.Context(), 0) {
		if err != nil || !strings.Contains(doc.Markdown, "another owner") {
			t.Errorf("%+v, %v", doc, err)
		}
	}
	if got := n.Seen("basic page") + n.Seen("basic challenge"); got > 0 {
		t.Errorf("a crawl from elsewhere has made %d requests", got)
	}
	if leaks, trapped := n.Leaks(); len(leaks) > 0 || trapped == 0 {
		t.Errorf("%d requests, leaks %q", trapped, leaks)
	}
}

// Virtual hosts are logged in to as others are.
func TestIntranet_virtualHosts(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	wiki := http.NewServeMux()
	wiki.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("u") == "ann" && r.FormValue("p") == "s3cret" {
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "in"})
		}
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
	wiki.Handle("GET /login", htmlPage(`<form method=post><input name=u><input name=p></form>`))
	wiki.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("sid"); err != nil || c.Value != "in" {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		htmlPage("<title>Wiki</title><p>the wiki of the house, for those who work here").ServeHTTP(w, r)
	})
	e := startIntranet(t, engine.Options{
		Browser: engine.BrowserOptions{Shared: commonBrowser(t)}, Hosts: map[string]http.Handler{"wiki.example": wiki},
		Credentials: []auth.Credentials{{For: "wiki.example", Method: auth.Form, User: "ann", Password: "s3cret", Form: &auth.Recipe{
			Steps: []auth.Step{{Path: "/login", Fields: map[string]string{"u": "{user}", "p": "{password}"}}}}}},
	})
	for _, render := range []engine.Render{engine.RenderAlways, engine.RenderNever} {
		doc, err := e.Scrape(t.Context(), "https://wiki.example/?"+string(render), engine.ScrapeOptions{Timeout: busy, Render: render})
		if err != nil || !strings.Contains(doc.Markdown, "the wiki of the house") {
			t.Errorf("%s: %+v, %v", render, doc, err)
		}
	}
}

// What is wrong is said by status and warning, or by one error.
func TestIntranet_errors(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	n := newIntranet(t)
	o := intranetOptions(t, n)
	o.Browser.Shared = commonBrowser(t)
	for i := range o.Credentials {
		if o.Credentials[i].Password != "" {
			o.Credentials[i].Password = "wr0ng"
		}
	}
	strange := intranetOptions(t, n)
	strange.TLS, strange.Browser.Shared = nil, commonBrowser(t)
	refused, unverified := startIntranet(t, o), startIntranet(t, strange)
	for _, render := range []engine.Render{engine.RenderNever, engine.RenderAlways} {
		skip := engine.ScrapeOptions{Timeout: busy, Render: render, SkipTLSVerification: new(true)}
		doc, err := refused.Scrape(t.Context(), n.URL("basic", "/"), skip)
		if err != nil || doc.Metadata.StatusCode != 401 || !strings.Contains(doc.Warning, "refused the credentials") || !strings.Contains(doc.Warning, "verified all the same") {
			t.Errorf("%s: %+v, %v", render, doc, err)
		}
		if _, err := refused.Scrape(t.Context(), n.URL("form", "/"), skip); engine.CodeOf(err) != engine.CodeSite || !strings.Contains(err.Error(), "log in to "+n.Origin("form")) {
			t.Errorf("%s: %v", render, err)
		}
		if _, err := unverified.Scrape(t.Context(), n.URL("basic", "/"), skip); engine.CodeOf(err) != engine.CodeSSL {
			t.Errorf("%s: an authority that isn't known: %v", render, err)
		}
	}
	if n.Seen("basic page") > 0 {
		t.Error("a page was given out")
	}
}

func startIntranet(t *testing.T, o engine.Options) *engine.Engine {
	t.Helper()
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestIntranet_refusals(t *testing.T) {
	t.Parallel()
	right := auth.Credentials{For: "a.example", Method: auth.Basic, User: "u", Password: "p"}
	wrong := right
	wrong.For = "*"
	for field, o := range map[string]engine.Options{
		"Credentials[1].For": {Credentials: []auth.Credentials{right, wrong}},
		"TLS[0]":             {TLS: []auth.TLS{{For: "a.example"}}},
		"Credentials":        {Credentials: []auth.Credentials{right}, Browser: engine.BrowserOptions{ConnectURL: "ws://127.0.0.1:1"}},
		"TLS":                {TLS: []auth.TLS{{For: "a.example", Certificates: []tls.Certificate{{}}}}, Replay: []string{"x.wacz"}},
	} {
		e, err := engine.New(o)
		if refused, ok := errors.AsType[*engine.OptionError](err); !ok || refused.Field != field || refused.Want == "" {
			t.Errorf("%s: %v, %v", field, e, err)
		}
	}
}
