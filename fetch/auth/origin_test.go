package auth

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, href string
		want          bool
	}{
		{"wiki.corp.example", "https://wiki.corp.example/a", true},
		{"wiki.corp.example", "https://WIKI.corp.example./a", true},
		{"wiki.corp.example", "http://wiki.corp.example/", false},
		{"wiki.corp.example", "https://wiki.corp.example:8443/", false},
		{"wiki.corp.example", "https://a.wiki.corp.example/", false},
		{"wiki.corp.example", "https://wiki.corp.example.evil.example/", false},
		{"http://wiki.corp.example", "http://wiki.corp.example/", true},
		{"http://wiki.corp.example", "https://wiki.corp.example/", false},
		{"https://*.corp.example:8443", "https://a.b.corp.example:8443/", true},
		{"https://*.corp.example:8443", "https://corp.example:8443/", false},
		{"https://*.corp.example:8443", "https://xcorp.example:8443/", false},
		{"[::1]:8443", "https://[::1]:8443/", true},
		{"*.corp", "https://wiki.corp/", true},
	} {
		p, err := parsePattern(c.pattern)
		if err != nil {
			t.Error(err)
		} else if got := p.matches(OriginOf(strings.ToLower(c.href))); got != c.want {
			t.Errorf("%s, %s: got %t", c.pattern, c.href, got)
		}
	}
	for _, bad := range []string{"", "*", "ftp://a", "a/b", "a:0", "a:99999", "user@a", "A.example", "*.com", "*.co.uk", "*.1.2.3.4", "a?b", "a.*.b", "https://a.example/"} {
		if p, err := parsePattern(bad); err == nil {
			t.Errorf("%q: got %v", bad, p)
		}
	}
}

func TestNew_refusals(t *testing.T) {
	recipe := func(change func(*Recipe)) *Recipe {
		r := &Recipe{Steps: []Step{{Path: "/login", Fields: map[string]string{"u": "{user}"}}}}
		change(r)
		return r
	}
	form := func(change func(*Recipe)) Credentials {
		return Credentials{For: "a", Method: Form, User: "u", Password: "p4ss", Form: recipe(change)}
	}
	for field, c := range map[string]Credentials{
		"Credentials[0].For":                  {For: "*", Method: Basic, User: "u", Password: "p4ss"},
		"Credentials[0].Method":               {For: "a", User: "u", Password: "p4ss"},
		"Credentials[0].User":                 {For: "a", Method: Basic, User: "a:b", Password: "p4ss"},
		"Credentials[0].Password":             {For: "a", Method: Digest, User: "u", Password: "p4ss\n"},
		"Credentials[0].Negotiator":           {For: "a", Method: Negotiate},
		"Credentials[0].Form":                 {For: "a", Method: Form, User: "u", Password: "p4ss"},
		"Credentials[0].Form.Steps":           form(func(r *Recipe) { r.Steps = nil }),
		"Credentials[0].Form.Steps[0].Path":   form(func(r *Recipe) { r.Steps[0].Path = "https://a/login" }),
		"Credentials[0].Form.Steps[0].Action": form(func(r *Recipe) { r.Steps[0].Action = "//evil" }),
		"Credentials[0].Form.Steps[0].Fields": form(func(r *Recipe) { r.Steps[0].Fields = nil }),
		"Credentials[0].Form.Success.Status":  form(func(r *Recipe) { r.Success.Status = 7 }),
		"Credentials[0].Form.Ended[0]":        form(func(r *Recipe) { r.Ended = []Sign{{}} }),
		"Credentials[0].Form.Ended[0].Path":   form(func(r *Recipe) { r.Ended = []Sign{{Path: "login"}} }),
	} {
		_, err := New([]Credentials{c}, nil, nil)
		refused, ok := errors.AsType[*OptionError](err)
		if !ok || refused.Field != field || refused.Want == "" {
			t.Errorf("%s: %v", field, err)
		}
		if err != nil && strings.Contains(err.Error(), "p4ss") {
			t.Errorf("%s: the error has the password: %v", field, err)
		}
	}
	for _, bad := range []TLS{{For: "http://a", RootCAs: x509.NewCertPool()}, {For: "a"}, {RootCAs: x509.NewCertPool()}} {
		if _, err := New(nil, []TLS{bad}, nil); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

func TestSecret_isNeverPrinted(t *testing.T) {
	c := Credentials{For: "a", Method: Basic, User: "u", Password: "p4ss"}
	texts := []string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		texts = append(texts, fmt.Sprintf(verb, c), fmt.Sprintf(verb, c.Password), fmt.Sprintf(verb, &c), fmt.Sprintf(verb, []any{c}))
	}
	encoded, err := json.Marshal(struct{ Password Secret }{c.Password})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "c", c, "p", c.Password)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "p", c.Password)
	for _, text := range append(texts, string(encoded), log.String()) {
		if strings.Contains(text, "p4ss") || strings.Contains(text, "70347373") {
			t.Error(text)
		}
	}
}

// What is cached with credentials is known by who they are, not by what they are.
func TestIdentity(t *testing.T) {
	of := func(c Credentials, list ...TLS) string {
		a, err := New([]Credentials{c}, list, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a.Identity("https://a/")
	}
	ann := Credentials{For: "a", Method: Basic, User: "ann", Password: "1"}
	bob, changed := ann, ann
	bob.User, changed.Password = "bob", "2"
	one := of(ann)
	if one == "" || one != of(changed) || one == of(bob) || one == of(ann, TLS{For: "b", Certificates: []tls.Certificate{{Certificate: [][]byte{{1}}}}}) {
		t.Error("identities of others are the same, or the same are others")
	}
	a, _ := New([]Credentials{ann}, nil, nil)
	if got := a.Identity("https://b/"); got != "" {
		t.Errorf("a page without credentials: %q", got)
	}
	if a.Identity("http://a/") != one || a.Identity("http://a:8080/") != "" {
		t.Error("only the usual http port leads to the usual one of https")
	}
	if !a.Strange("https://b/", "https://a/x") || a.Strange("https://a/", "https://a/x") || a.Strange("https://b/", "https://c/") {
		t.Error("strange")
	}
}

// Credentials that are refused are held back, since directories lock accounts.
func TestPause(t *testing.T) {
	now := time.Unix(1e9, 0)
	p := pause{now: func() time.Time { return now }}
	p.refused()
	if p.on() {
		t.Error("after one refusal")
	}
	p.refused()
	if !p.on() {
		t.Error("not after two")
	}
	now = now.Add(pauseTime)
	if p.on() || !p.on() {
		t.Error("after its time they are tried once")
	}
	p.accepted()
	if p.on() {
		t.Error("they are right again")
	}
}

func TestForms(t *testing.T) {
	page := []byte(`<form action=/s><input name=q></form><FORM METHOD=Post ACTION="/in?a=1&amp;b"><input type=hidden name=h value=1>
		<input name=u><input name=p type=password><input type=checkbox name=keep checked><input type=checkbox name=no><input type=submit name=go value=in>
		<input type=submit name=cancel><input type=file name=f></form><input name=outside>`)
	with := &Credentials{User: "{password}", Password: "a&b"}
	s := Step{Fields: map[string]string{"u": "{user}", "p": "x{password}"}, Submit: "go"}
	f := findForm(page, s)
	if f == nil || f.get || f.action != "/in?a=1&b" {
		t.Fatalf("%+v", f)
	}
	if got, want := f.fill(s, with).Encode(), "go=in&h=1&keep=on&p=xa%26b&u=%7Bpassword%7D"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if findForm(page, Step{Fields: map[string]string{"outside": ""}}) != nil || findForm(page, Step{Fields: map[string]string{"u": ""}, Submit: "no"}) != nil {
		t.Error("a form that isn't there")
	}
}

func FuzzForms(f *testing.F) {
	f.Add([]byte("<form><input name=u value='<form>'><button name=b></form"))
	f.Fuzz(func(t *testing.T, page []byte) {
		if form := findForm(page, Step{Fields: map[string]string{"u": "{user}"}}); form != nil && len(form.fields) > maxFields {
			t.Error("too many fields")
		}
	})
}
