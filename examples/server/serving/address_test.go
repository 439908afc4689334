package serving

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// certificate makes one for 127.0.0.1, as files, and a client's trust in it.
func certificate(t *testing.T) (cert, key string, trust *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "winnow test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, made, made, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert = writeFile(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	key = writeFile(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	trust = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	trust.AddCert(parsed)
	return cert, key, trust
}

func TestRun_speaksHTTP2OverTLS(t *testing.T) {
	cert, key, trust := certificate(t)
	r := started(t, "-demo", "-tls-cert", cert, "-tls-key", key)
	if !strings.HasPrefix(r.url, "https://127.0.0.1:") {
		t.Fatal(r.url)
	}
	r.client.Transport = &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: trust}}
	a := r.want(200, "POST", "/v2/crawl", `{"url":"https://cafe.example/","limit":1}`)
	if at := a.field(t, "url").(string); a.proto != 2 || !strings.HasPrefix(at, r.url+"/v2/crawl/") {
		t.Errorf("HTTP/%d, %s", a.proto, at)
	}
}

func TestRun_baseURLIsWhereClientsFindIt(t *testing.T) {
	r := started(t, "-demo", "-base-url", "https://api.example/")
	if r.url != "https://api.example" || !strings.Contains(r.printed, "  listens   127.0.0.1:") || !strings.Contains(r.printed, "so are all clients that reach this address as api.example") {
		t.Error(r.printed)
	}
	_, at, _ := strings.Cut(r.printed, "  listens   ")
	r.url = "http://" + strings.Fields(at)[0]
	a := r.want(200, "POST", "/v2/crawl", `{"url":"https://cafe.example/","limit":1}`)
	if at := a.field(t, "url").(string); !strings.HasPrefix(at, "https://api.example/v2/crawl/") {
		t.Error(at)
	}
}

func TestRun_metricsAreOfTheHandlerAndTheRuntime(t *testing.T) {
	r := started(t, "-demo")
	r.want(200, "POST", "/v2/scrape", `{"url":"https://shop.example/about"}`)
	a := r.want(200, "GET", "/metrics", "")
	for _, family := range []string{
		"http_server_request_duration_seconds_bucket", "http_server_active_requests", "winnow_credits_used", "winnow_cache_lookups",
		"winnow_jobs_active", "winnow_sessions_active", "winnow_pages_active", "winnow_pages_queued", "go_goroutines", "process_start_time_seconds",
	} {
		if !strings.Contains(a.body, "\n"+family) {
			t.Errorf("no %s", family)
		}
	}
	if !strings.Contains(a.body, `http_route="/v2/scrape"`) {
		t.Error(a.body)
	}
	r.want(403, "GET", "/metrics", "", "Host", "rebound.example")
	r.want(403, "GET", "/metrics", "", "Origin", "https://other.example")
	r.want(403, "GET", "/metrics", "", "Sec-Fetch-Site", "cross-site")
	r.want(200, "GET", "/metrics", "", "Sec-Fetch-Site", "none")
	if strings.Contains(a.body, "target_info") {
		t.Error("the name of the binary is printed")
	}
}

func TestRun_metricsAndProfilesHaveAddressesOfTheirOwn(t *testing.T) {
	r := started(t, "-demo", "-metrics-addr", "127.0.0.1:0", "-pprof", "127.0.0.1:0")
	r.want(404, "GET", "/metrics", "")
	r.want(404, "GET", "/debug/pprof/", "")
	for path, want := range map[string]string{"/metrics": "go_goroutines", "/debug/pprof/": "goroutine"} {
		lines := strings.SplitAfter(r.printed, "\n")
		var other running
		for _, line := range lines {
			if at, ok := strings.CutSuffix(strings.TrimSpace(line), path); ok {
				other = running{t: t, client: r.client, log: r.log, url: at[strings.Index(at, "http"):]}
			}
		}
		if a := other.want(200, "GET", path, ""); !strings.Contains(a.body, want) {
			t.Error(a.body)
		}
		if path != "/metrics" {
			other.want(403, "GET", path, "", "Host", "rebound.example")
			other.want(403, "GET", path, "", "Sec-Fetch-Site", "same-site")
		}
	}
}

func TestLocalOnly_knowsTheNamesOfThisMachine(t *testing.T) {
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:80": 200, "127.0.0.1:3002": 200, "127.8.9.1": 200, "[::1]:80": 200, "[::1]": 200, "localhost.evil.example": 403, "10.0.0.1": 403, "": 403,
	} {
		q := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		q.Host = host
		w := httptest.NewRecorder()
		localOnly(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, q)
		if w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
	}
}
