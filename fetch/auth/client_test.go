package auth_test

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/fetch/auth/authtest"
)

// tokens is a Negotiator that has the token of the intranet.
type tokens struct{}

func (tokens) Begin(_ context.Context, service string) (auth.Negotiation, error) {
	if service != "HTTP/negotiate."+authtest.Domain {
		return nil, errors.New("no such service: " + service)
	}
	return tokens{}, nil
}

func (tokens) Next(context.Context, []byte) ([]byte, error) { return []byte(authtest.Token), nil }

// credentials are those of all sites.
func credentials(n *authtest.Intranet) []auth.Credentials {
	list := []auth.Credentials{
		{For: n.Origin("basic"), Method: auth.Basic, User: authtest.User, Password: auth.Secret(authtest.Password("basic"))},
		{For: n.Origin("digest"), Method: auth.Digest, User: authtest.User, Password: auth.Secret(authtest.Password("digest"))},
		{For: n.Origin("ntlm"), Method: auth.NTLM, User: `CORP\` + authtest.User, Password: auth.Secret(authtest.Password("ntlm"))},
		{For: n.Origin("negotiate"), Method: auth.Negotiate, Negotiator: tokens{}},
	}
	for _, site := range []string{"form", "formtext"} {
		list = append(list, auth.Credentials{For: n.Origin(site), Method: auth.Form, User: authtest.User, Password: auth.Secret(authtest.Password(site)), Form: recipe()})
	}
	return list
}

func recipe() *auth.Recipe {
	return &auth.Recipe{
		Steps: []auth.Step{{Path: "/login", Fields: map[string]string{"user": "{user}", "pw": "{password}"}, Submit: "go"}},
		Ended: []auth.Sign{{Text: "session has ended"}},
	}
}

func intranet(t *testing.T) *authtest.Intranet {
	t.Helper()
	n, err := authtest.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// client is one with credentials, and with the authority and client certificate of the intranet.
func client(t *testing.T, n *authtest.Intranet, list []auth.Credentials, roots *x509.CertPool) *fetch.Client {
	t.Helper()
	var certs []auth.TLS
	if roots != nil {
		own := auth.TLS{For: n.Origin("cert"), RootCAs: roots}
		own.Certificates = append(own.Certificates, n.Certificate)
		certs = []auth.TLS{own, {For: n.Origin("*"), RootCAs: roots}}
	}
	access, err := auth.New(list, certs, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fetch.New(fetch.Options{Access: access, Policy: &fetch.Policy{AllowPrivate: true}, Resolver: n, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var sites = []string{"basic", "digest", "ntlm", "negotiate", "cert", "form", "formtext"}

func TestClient_everySite(t *testing.T) {
	t.Parallel()
	n := intranet(t)
	c := client(t, n, credentials(n), n.Roots)
	for _, site := range sites {
		for range 3 {
			get(t, c, n.URL(site, "/"), "the page of "+site)
		}
		n.Expire()
		get(t, c, n.URL(site, "/again"), "the page of "+site)
	}
	for what, want := range map[string]int{"form login": 2, "formtext login": 2, "digest challenge": 1, "ntlm handshake": 1, "basic challenge": 0} {
		if got := n.Seen(what); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
}

// get fetches a page with a text; SkipTLSVerify doesn't count.
func get(t *testing.T, c *fetch.Client, href, want string) *fetch.Response {
	t.Helper()
	res, err := c.Do(t.Context(), fetch.Request{URL: href, SkipTLSVerify: true})
	if err != nil || res.Status != 200 || !strings.Contains(string(res.Body), want) {
		t.Errorf("%s: %v, %+v", href, err, res)
	}
	return res
}

// Many requests at once have connections of their own where those are what is logged in, and one login by form.
func TestClient_atOnce(t *testing.T) {
	t.Parallel()
	n := intranet(t)
	c := client(t, n, credentials(n), n.Roots)
	var all sync.WaitGroup
	for _, site := range sites {
		for range 10 {
			all.Go(func() { get(t, c, n.URL(site, "/"), "the page of "+site) })
		}
	}
	all.Wait()
	if got := n.Seen("form login"); got != 1 {
		t.Errorf("%d logins", got)
	}
}

// What leads elsewhere gets nothing: another host, another port, plain http; nor does a site that a page elsewhere leads to.
func TestClient_nothingLeaks(t *testing.T) {
	t.Parallel()
	n := intranet(t)
	c := client(t, n, credentials(n), n.Roots)
	for _, site := range sites {
		for _, path := range []string{"/away", "/other", "/plain"} {
			get(t, c, n.URL(site, path), "another owner")
		}
	}
	if leaks, trapped := n.Leaks(); len(leaks) > 0 || trapped != 3*len(sites) {
		t.Errorf("%d requests, leaks: %q", trapped, leaks)
	}
	seen := n.Seen("basic page")
	res, err := c.Do(t.Context(), fetch.Request{URL: n.URL("basic", "/app.js"), Page: n.Trap("/")})
	if err != nil || res.Status != 401 || n.Seen("basic page") != seen {
		t.Errorf("a script of a page elsewhere: %v, %+v", err, res)
	}
	if _, err := c.Do(t.Context(), fetch.Request{URL: n.URL("cert", "/"), Page: n.Trap("/")}); err == nil {
		t.Error("a part of a page elsewhere was fetched with the client's certificate")
	}
}

func TestClient_refused(t *testing.T) {
	t.Parallel()
	n := intranet(t)
	wrong := credentials(n)
	for i := range wrong {
		if wrong[i].Password != "" {
			wrong[i].Password = "wr0ng"
		}
	}
	c := client(t, n, wrong, n.Roots)
	for _, site := range []string{"basic", "digest", "ntlm"} {
		for range 4 {
			res, err := c.Do(t.Context(), fetch.Request{URL: n.URL(site, "/")})
			if err != nil || res.Status != 401 || res.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: %v, %+v", site, err, res)
			}
		}
	}
	if got := n.Seen("ntlm handshake"); got > 4 {
		t.Errorf("%d handshakes with a password that is wrong", got)
	}
	for range 4 {
		_, err := c.Do(t.Context(), fetch.Request{URL: n.URL("form", "/")})
		if refused, ok := errors.AsType[*auth.LoginError](err); !ok || refused.Origin != n.Origin("form") || strings.Contains(err.Error(), "wr0ng") {
			t.Errorf("form: %v", err)
		}
	}
	if got := n.Seen("form login"); got != 2 {
		t.Errorf("%d logins with a password that is wrong", got)
	}
	strict := client(t, n, credentials(n), nil)
	_, err := strict.Do(t.Context(), fetch.Request{URL: n.URL("basic", "/"), SkipTLSVerify: true})
	if _, ok := errors.AsType[*fetch.TLSError](err); !ok || n.Seen("basic page") != 0 {
		t.Errorf("an authority that isn't known: %v", err)
	}
}

// The caller's own authorization is left as it is.
func TestClient_ownAuthorization(t *testing.T) {
	t.Parallel()
	n := intranet(t)
	c := client(t, n, credentials(n), n.Roots)
	res, err := c.Do(t.Context(), fetch.Request{URL: n.URL("basic", "/"), Header: map[string][]string{"Authorization": {"Bearer x"}}})
	if err != nil || res.Status != 401 {
		t.Errorf("%v, %+v", err, res)
	}
}

// steps is a Negotiator whose second token answers a challenge.
type steps struct{}

func (steps) Begin(context.Context, string) (auth.Negotiation, error) { return steps{}, nil }

func (steps) Next(_ context.Context, challenge []byte) ([]byte, error) {
	return []byte("token after " + string(challenge)), nil
}

// A negotiation takes as many steps as its server wants, also over plain http, where the pattern says so.
func TestClient_negotiationOfSeveralSteps(t *testing.T) {
	t.Parallel()
	inBase64 := base64.StdEncoding.EncodeToString
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Authorization") {
		case "Negotiate " + inBase64([]byte("token after ")):
			w.Header().Set("WWW-Authenticate", "Negotiate "+inBase64([]byte("a challenge")))
			w.WriteHeader(http.StatusUnauthorized)
		case "Negotiate " + inBase64([]byte("token after a challenge")):
			_, _ = io.WriteString(w, "inside")
		default:
			w.Header().Set("WWW-Authenticate", "Negotiate")
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer site.Close()
	access, err := auth.New([]auth.Credentials{{For: site.URL, Method: auth.Negotiate, Negotiator: steps{}}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fetch.New(fetch.Options{Access: access, Policy: &fetch.Policy{AllowPrivate: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	get(t, c, site.URL+"/", "inside")
	get(t, c, site.URL+"/", "inside")
}
