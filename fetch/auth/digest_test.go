package auth

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The examples of RFC 7616 §3.9.1 and §3.9.2, the response of the second without its erratum left out.
func TestDigest_examplesOfTheRFC(t *testing.T) {
	const nonce, cnonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
	mufasa := &Credentials{User: "Mufasa", Password: "Circle of Life"}
	jason := &Credentials{User: "Jäsøn Doe", Password: "Secret, or not?"}
	first := `realm="http-auth@example.org", qop="auth, auth-int", nonce="` + nonce + `", opaque="x"`
	for name, c := range map[string]struct {
		with              *Credentials
		challenge, target string
		want              []string
	}{
		"MD5": {mufasa, "Digest " + first + ", algorithm=MD5", "/dir/index.html",
			[]string{`username="Mufasa"`, `response="8ca523f5e9506fed4657c9700eebdbec"`, "qop=auth", "nc=00000001", `opaque="x"`}},
		"no algorithm": {mufasa, "Digest " + first, "/dir/index.html", []string{`response="8ca523f5e9506fed4657c9700eebdbec"`}},
		"SHA-256": {mufasa, "Digest " + first + ", algorithm=SHA-256", "/dir/index.html",
			[]string{`response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"`, "algorithm=SHA-256"}},
		"userhash": {jason, `Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="n", userhash=true`, "/doe.json",
			[]string{"userhash=true", `username="`}},
		"not ASCII": {jason, `Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="n"`, "/doe.json",
			[]string{"username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"}},
	} {
		given := strongest(parseChallenges([]string{c.challenge}))
		if given == nil {
			t.Errorf("%s: no challenge", name)
			continue
		}
		d := &digestExchange{login: &Login{with: c.with}, request: Request{Method: "GET", Target: c.target}}
		got := d.header(given, 1, cnonce)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
	}
}

func TestParseChallenges(t *testing.T) {
	for header, want := range map[string][]challenge{
		`Basic realm="a, b"`: {{scheme: "basic", parameters: map[string]string{"realm": "a, b"}}},
		`Negotiate`:          {{scheme: "negotiate"}},
		`NTLM TlRMTVNTUAAC==, Basic realm="x"`: {
			{scheme: "ntlm", token: "TlRMTVNTUAAC=="}, {scheme: "basic", parameters: map[string]string{"realm": "x"}}},
		`Digest realm="say \"hi\"", nonce=abc , qop="auth,auth-int", Basic realm=y`: {
			{scheme: "digest", parameters: map[string]string{"realm": `say "hi"`, "nonce": "abc", "qop": "auth,auth-int"}},
			{scheme: "basic", parameters: map[string]string{"realm": "y"}}},
	} {
		got := parseChallenges([]string{header})
		same := slices.EqualFunc(got, want, func(a, b challenge) bool {
			return a.scheme == b.scheme && a.token == b.token && maps.Equal(a.parameters, b.parameters)
		})
		if !same {
			t.Errorf("%s: got %+v, want %+v", header, got, want)
		}
	}
}

// Of several challenges the strongest that is known is answered, and none that isn't.
func TestStrongest(t *testing.T) {
	for header, want := range map[string]string{
		`Digest nonce=a, algorithm=MD5, Digest nonce=b, algorithm=SHA-512-256, Digest nonce=c, algorithm=SHA-256`: "b",
		`Digest nonce=a, algorithm=MD5-sess`:                    "a",
		`Digest nonce=a, algorithm=SHA-1`:                       "",
		`Digest nonce=a, qop="auth-int"`:                        "",
		`Digest nonce=a, qop="auth-int", Digest nonce=b`:        "b",
		`Basic realm=x, Digest nonce=a, algorithm=SHA-256-SESS`: "a",
	} {
		c, got := strongest(parseChallenges([]string{header})), ""
		if c != nil {
			got = c.parameters["nonce"]
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
}

// Whatever a site sends, what is answered is one line.
func FuzzChallenge(f *testing.F) {
	f.Add(`Digest realm="a\", b", nonce="n", qop="auth", NTLM TlRMTVNTUAACAAAA==`)
	f.Add("Digest nonce=\"a\rb\", opaque=\"\x00\", algorithm=MD5,,,=,\"")
	f.Fuzz(func(t *testing.T, header string) {
		given := parseChallenges([]string{header})
		if len(given) > maxChallenges {
			t.Errorf("%d challenges", len(given))
		}
		d := &digestExchange{login: &Login{with: &Credentials{User: "u", Password: "p"}}, request: Request{Method: "GET", Target: "/"}}
		if c := strongest(given); c != nil && strings.ContainsAny(d.respond(c), "\r\n\x00") {
			t.Errorf("%q", d.respond(c))
		}
		n := &ntlm{with: &Credentials{User: `D\u`, Password: "p"}}
		for _, c := range given {
			_, _ = n.Next(t.Context(), []byte(c.token)) // must not panic
		}
		_, _ = n.Next(t.Context(), []byte(header))
	})
}
