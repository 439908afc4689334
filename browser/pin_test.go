package browser

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// authority is a certificate authority that only the test knows.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	template := certificateTemplate()
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	a.key, a.cert = sign(t, template, nil)
	return a
}

func certificateTemplate() *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "test"}, DNSNames: []string{"127.0.0.1"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

// sign makes a certificate, signed by its own key when there is no authority.
func sign(t *testing.T, template *x509.Certificate, by *authority) (*ecdsa.PrivateKey, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if by == nil {
		by = &authority{key, template}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.cert, key.Public(), by.key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return key, cert
}

func (a *authority) pin() string {
	hash := sha256.Sum256(a.cert.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(hash[:])
}

func (a *authority) serve(t *testing.T) *httptest.Server {
	t.Helper()
	key, cert := sign(t, certificateTemplate(), a)
	server := httptest.NewUnstartedServer(http.HandlerFunc(routes["/"]))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw, a.cert.Raw}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestPool_pinnedAuthorityIsTrustedAndNoOther(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	proxy := newProxy(t)
	own, other := newAuthority(t), newAuthority(t)
	pool := ownPool(t, Options{Pin: own.pin()})
	p := openFrom(t, pool, PageOptions{Proxy: proxy.URL})
	if nav := visit(t, p, own.serve(t).URL); nav.Status != http.StatusOK {
		t.Errorf("got %d, want 200", nav.Status)
	}
	var failed *NavigationError
	if _, err := p.Goto(testContext(t), other.serve(t).URL); !errors.As(err, &failed) || failed.Net != "ERR_CERT_AUTHORITY_INVALID" {
		t.Errorf("got %v, want ERR_CERT_AUTHORITY_INVALID", err)
	}
}
