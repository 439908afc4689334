package guard

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/fetch/auth/authtest"
)

// loginSite is a guard before an intranet, and what plays the browser, which trusts the guard alone.
type loginSite struct {
	*authtest.Intranet
	guard   *Guard
	lease   *Lease
	browser *http.Client
	tapes   *tapesInMemory
}

func newLoginSite(t testing.TB, lease LeaseOptions) *loginSite {
	t.Helper()
	n, err := authtest.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	var list []auth.Credentials
	for site, method := range map[string]auth.Method{"basic": auth.Basic, "digest": auth.Digest, "ntlm": auth.NTLM, "form": auth.Form} {
		c := auth.Credentials{For: n.Origin(site), Method: method, User: authtest.User, Password: auth.Secret(authtest.Password(site))}
		if method == auth.NTLM {
			c.User = `CORP\` + c.User
		}
		if method == auth.Form {
			c.Form = &auth.Recipe{Steps: []auth.Step{{Path: "/login", Fields: map[string]string{"user": "{user}", "pw": "{password}"}, Submit: "go"}}}
		}
		list = append(list, c)
	}
	access, err := auth.New(list, []auth.TLS{{For: n.Origin("*"), RootCAs: n.Roots, Certificates: []tls.Certificate{n.Certificate}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(fetch.Options{Access: access, Policy: &fetch.Policy{AllowPrivate: true}, Resolver: n})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	authority, err := fetch.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	interceptor, err := fetch.NewInterceptor(authority)
	if err != nil {
		t.Fatal(err)
	}
	s := &loginSite{Intranet: n, tapes: &tapesInMemory{}}
	s.guard = New(Options{Dialer: client.Dialer(), Interceptor: interceptor, Peer: func() []int { return []int{os.Getpid()} }})
	t.Cleanup(func() { s.guard.Close() })
	lease.SkipTLSVerify = true // which doesn't count for the intranet
	if _, measured := t.(*testing.B); !measured {
		lease.Record = s.tapes
	}
	if s.lease, err = s.guard.Lease(lease); err != nil {
		t.Fatal(err)
	}
	proxy, _ := url.Parse(s.lease.URL())
	transport := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // the pin's part
	t.Cleanup(transport.CloseIdleConnections)
	s.browser = &http.Client{Transport: transport}
	return s
}

func (s *loginSite) do(t testing.TB, method, href string, body io.Reader, header ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, href, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := s.browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res.StatusCode, string(text), res.Header
}

// The guard logs in for the browser, which sees nothing of it; nor does what is recorded.
func TestLogin_forTheBrowser(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, LeaseOptions{Trusted: true})
	for _, site := range []string{"basic", "digest", "ntlm", "form", "cert"} {
		for _, path := range []string{"/", "/more"} {
			status, text, header := s.do(t, "GET", s.URL(site, path), nil, "Cookie", "own=1; sid=theirs")
			if status != 200 || !strings.Contains(text, "the page of "+site) || header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %d %s %v", site, status, text, header)
			}
		}
		s.Expire()
		for _, size := range []int{1, maxResent} {
			status, text, _ := s.do(t, "POST", s.URL(site, "/data"), bytes.NewReader(bytes.Repeat([]byte("b"), size)))
			if status != 200 || strings.Count(text, "b") < size {
				t.Errorf("%s: a body of %d bytes: %d, %d bytes", site, size, status, len(text))
			}
		}
	}
	if got := s.Seen("form login"); got != 2 {
		t.Errorf("%d logins", got)
	}
	s.tapes.mu.Lock()
	defer s.tapes.mu.Unlock()
	for _, e := range s.tapes.exchanges {
		if text := strings.Join([]string{e.request, e.response}, ""); strings.Contains(text, "s3cret") || e.Response.Line[9:12] != "200" {
			t.Errorf("recorded: %+v %+v %s", e.Request, e.Response, text)
		}
		for _, f := range append(e.Request.Header, e.Response.Header...) {
			if f.Name == "Authorization" || strings.Contains(f.Value, "s3cret") {
				t.Errorf("recorded: %+v", f)
			}
		}
	}
}

// A body that is too long to be kept goes out once: with what is known without a challenge.
func TestLogin_longBodies(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, LeaseOptions{Trusted: true})
	long := func() io.Reader { return bytes.NewReader(make([]byte, maxResent+1)) }
	if status, _, _ := s.do(t, "POST", s.URL("basic", "/data"), long()); status != 200 {
		t.Errorf("basic: %d", status)
	}
	if status, _, _ := s.do(t, "POST", s.URL("ntlm", "/data"), long()); status != 200 {
		t.Errorf("ntlm: %d", status)
	}
	if status, _, _ := s.do(t, "POST", s.URL("digest", "/data"), long()); status != 401 {
		t.Errorf("digest before a challenge: %d", status)
	}
	s.do(t, "GET", s.URL("digest", "/"), nil)
	if status, _, _ := s.do(t, "POST", s.URL("digest", "/data"), long()); status != 200 {
		t.Errorf("digest after a challenge: %d", status)
	}
}

// Nothing is sent for a page elsewhere, for what a page of another site embeds, beside an authorization of the page's own, or to another
// host of the same server.
func TestLogin_onlyWhereItMay(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, LeaseOptions{Trusted: true})
	for _, site := range []string{"ntlm", "cert"} { // over whose connections nobody else's requests may go
		if status, _, _ := s.do(t, "GET", s.URL(site, "/"), nil); status != 200 {
			t.Errorf("%s: %d", site, status)
		}
		if status, _, _ := s.do(t, "GET", s.URL(site, "/"), nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "image"); status < 400 {
			t.Errorf("%s, embedded elsewhere: %d", site, status)
		}
	}
	for name, header := range map[string][]string{
		"embedded elsewhere": {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "image"},
		"a framed page":      {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "iframe"},
		"a call elsewhere":   {"Origin", "https://evil.test"},
		"own authorization":  {"Authorization", "Bearer x"},
	} {
		if status, _, _ := s.do(t, "GET", s.URL("basic", "/"), nil, header...); status != 401 {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status, _, _ := s.do(t, "GET", s.URL("basic", "/"), nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "document"); status != 200 {
		t.Errorf("a link from elsewhere: %d", status)
	}
	if status, _, _ := s.do(t, "POST", s.URL("basic", "/"), nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "document"); status != 401 {
		t.Errorf("a form elsewhere: %d", status)
	}
	s.do(t, "GET", s.Trap("/"), nil)
	if err := s.lease.Renew(LeaseOptions{Record: s.tapes}); err != nil {
		t.Fatal(err)
	}
	for _, site := range []string{"basic", "ntlm"} {
		if status, _, _ := s.do(t, "GET", s.URL(site, "/"), nil); status != 401 {
			t.Errorf("%s, for a page elsewhere: %d", site, status)
		}
	}
	if status, _, _ := s.do(t, "GET", s.URL("cert", "/"), nil); status != 502 {
		t.Errorf("a certificate, for a page elsewhere: %d", status)
	}
	if leaks, trapped := s.Leaks(); len(leaks) > 0 || trapped != 1 {
		t.Errorf("%d requests, leaks %q", trapped, leaks)
	}
}

// Where any process may connect to a lease, it gets no credentials.
func TestLogin_notForEveryProcess(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, LeaseOptions{Trusted: true})
	s.guard.opt.Peer = nil
	if status, _, _ := s.do(t, "GET", s.URL("basic", "/"), nil); status != 401 {
		t.Errorf("got %d", status)
	}
}

// The first page decides where none is known.
func TestLogin_trustedIf(t *testing.T) {
	t.Parallel()
	first := ""
	s := newLoginSite(t, LeaseOptions{TrustedIf: func(href string) bool {
		first = href
		return strings.Contains(href, "basic.")
	}})
	for _, site := range []string{"basic", "digest"} {
		if status, _, _ := s.do(t, "GET", s.URL(site, "/"), nil); status != 200 {
			t.Errorf("%s: %d", site, status)
		}
	}
	if first != s.URL("basic", "/") {
		t.Errorf("first was %q", first)
	}
}

// What is wrong with a login is the failure that a visit finds.
func TestLogin_failure(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, LeaseOptions{Trusted: true})
	access, err := auth.New([]auth.Credentials{{For: s.Origin("form"), Method: auth.Form, User: "u", Password: "wr0ng", Form: &auth.Recipe{
		Steps: []auth.Step{{Path: "/login", Fields: map[string]string{"nothing": "{user}"}}}}}}, []auth.TLS{{For: s.Origin("form"), RootCAs: s.Roots}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(fetch.Options{Access: access, Policy: &fetch.Policy{AllowPrivate: true}, Resolver: s})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s.guard.opt.Dialer = client.Dialer()
	status, _, header := s.do(t, "GET", s.URL("form", "/"), nil)
	u, _ := url.Parse(s.URL("form", "/"))
	if _, ok := s.lease.Failure(u.Host).(*auth.LoginError); !ok || status != 502 || header.Get(Header) == "" {
		t.Errorf("%d %v, %v", status, header, s.lease.Failure(u.Host))
	}
}

// A pattern that says http has credentials sent in the clear; plain requests need no tunnel.
func TestLogin_plainHTTP(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, LeaseOptions{Trusted: true})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		fmt.Fprintf(w, "%s %s", user, password)
	}))
	defer site.Close()
	for _, scheme := range []string{"http", "https"} {
		place := strings.Replace(site.URL, "http", scheme, 1)
		access, err := auth.New([]auth.Credentials{{For: place, Method: auth.Basic, User: "ann", Password: "word"}}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		client, err := fetch.New(fetch.Options{Access: access, Policy: &fetch.Policy{AllowPrivate: true}})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		s.guard.opt.Dialer = client.Dialer()
		want := map[string]string{"http": "ann word", "https": " "}[scheme]
		if _, text, _ := s.do(t, "GET", site.URL+"/", nil, "Connection", "close"); text != want {
			t.Errorf("a pattern of %s: %q", scheme, text)
		}
	}
}

// What the guard's part costs: requests over kept connections, and over new ones.
func BenchmarkLogin(b *testing.B) {
	for name, site := range map[string]string{"copied": "none", "basic": "basic", "ntlm": "ntlm"} {
		for how, fresh := range map[string]bool{"kept": false, "new": true} {
			b.Run(name+"/"+how, func(b *testing.B) {
				s := newLoginSite(b, LeaseOptions{Trusted: true})
				s.browser.Transport.(*http.Transport).DisableKeepAlives = fresh
				href := s.URL(site, "/app.js")
				if site == "none" {
					href = s.Trap("/")
				}
				for b.Loop() {
					if status, _, _ := s.do(b, "GET", href, nil); status != 200 {
						b.Fatal(status)
					}
				}
			})
		}
	}
}
