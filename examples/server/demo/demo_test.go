package demo

import (
	"bytes"
	"context"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// ask returns what a site answers, without following anything.
func ask(t *testing.T, h http.Handler, address string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	return w
}

// linksOf are the addresses that a page names, absolute.
func linksOf(t *testing.T, base string, page []byte) []string {
	t.Helper()
	at, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for node := range root.Descendants() {
		for _, a := range node.Attr {
			if a.Key == "href" || a.Key == "src" || a.Key == "poster" {
				u, err := at.Parse(a.Val)
				if err != nil {
					t.Errorf("%s: %q", base, a.Val)
				} else if u.Scheme != "mailto" {
					u.Fragment = ""
					found = append(found, u.String())
				}
			}
		}
	}
	return found
}

// What links lead to is there, but for what the laboratory does on purpose.
func TestHosts_noLinkIsBroken(t *testing.T) {
	hosts, seen := Hosts(), map[string]bool{}
	line := Homes()
	meant := regexp.MustCompile(`^https://lab\.example/(status|flaky|moved|slow)`)
	for len(line) > 0 {
		address := line[0]
		line = line[1:]
		if seen[address] || meant.MatchString(address) {
			continue
		}
		seen[address] = true
		u, err := url.Parse(address)
		if err != nil || hosts[u.Host] == nil {
			t.Errorf("%s leads out of the demo", address)
			continue
		}
		w := ask(t, hosts[u.Host], address)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", address, w.Code)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			line = append(line, linksOf(t, address, w.Body.Bytes())...)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d addresses", len(seen))
	}
}

func TestHosts_aMissingPageIs404(t *testing.T) {
	for name, site := range Hosts() {
		for _, path := range []string{"/nothing", "/missing", "/layout", "/layout.html", "/index", "/index.html", "/missing.view", "/missing.view.html", "/hosts.go"} {
			if w := ask(t, site, "https://"+name+path); w.Code != http.StatusNotFound {
				t.Errorf("%s%s: %d", name, path, w.Code)
			}
		}
	}
}

// Whatever a folder has, asking for it by name and by any method breaks nothing.
func TestHosts_noFileBreaksAHandler(t *testing.T) {
	hosts := Hosts()
	err := fs.WalkDir(folders, ".", func(name string, d fs.DirEntry, err error) error {
		dir, file, ok := strings.Cut(name, "/")
		if err != nil || !ok {
			return err
		}
		for _, path := range []string{file, strings.TrimSuffix(file, ".html"), strings.TrimSuffix(file, ".view.html"), file + "/"} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
				w := httptest.NewRecorder()
				ctx, cancel := context.WithCancel(t.Context())
				cancel() // nothing is waited for
				hosts[dir+".example"].ServeHTTP(w, httptest.NewRequestWithContext(ctx, method, "https://"+dir+".example/"+path, nil))
				if w.Code == http.StatusInternalServerError {
					t.Errorf("%s %s.example/%s: %s", method, dir, path, w.Body)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestHosts_twoCallsShareNothing(t *testing.T) {
	first := ask(t, Hosts()["lab.example"], "https://lab.example/changing").Body.String()
	site := Hosts()["lab.example"]
	second, third := ask(t, site, "https://lab.example/changing").Body.String(), ask(t, site, "https://lab.example/changing").Body.String()
	if first != second {
		t.Error("a visit of other hosts was counted")
	}
	if second == third {
		t.Error("the changing page doesn't change")
	}
}

func TestApp_logsIn(t *testing.T) {
	server := httptest.NewServer(Hosts()["app.example"])
	defer server.Close()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Jar = jar
	for _, c := range []struct{ name, password, want string }{
		{"Ada", "wheat", "This is not the password."}, {"Ada", password, "Ada is logged in."}, {"<b>", password, "&lt;b&gt; is logged in."},
	} {
		answer, err := client.PostForm(server.URL+"/login", url.Values{"name": {c.name}, "password": {c.password}})
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		_, err = body.ReadFrom(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(body.String(), c.want) {
			t.Errorf("%+v: %v %s", c, err, &body)
		}
	}
}

func TestMembers_areBounded(t *testing.T) {
	m := &members{names: map[string]string{}}
	for range maxMembers + 10 {
		m.add(strings.Repeat("x", 1000))
	}
	if len(m.names) != maxMembers || len(m.order) != maxMembers {
		t.Errorf("%d names, %d in order", len(m.names), len(m.order))
	}
}
