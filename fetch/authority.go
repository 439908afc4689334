package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"sync"
	"time"
)

// certLife is how long the certificates of virtual hosts are valid, for those outside who check the time.
const certLife = 7 * 24 * time.Hour

// Authority is a key that vouches for the virtual hosts of several clients, so that one browser can trust them all by its
// pin. Each client has a certificate of it for its own hosts only. The key never leaves the process.
type Authority struct{ key *ecdsa.PrivateKey }

// NewAuthority makes a key. Its error is that of the system's random source.
func NewAuthority() (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return &Authority{key}, nil
}

// Pin is the base64 SHA-256 of the public key, in the form of Chromium's --ignore-certificate-errors-spki-list.
func (a *Authority) Pin() (string, error) {
	public, err := x509.MarshalPKIXPublicKey(&a.key.PublicKey)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(public)
	return base64.StdEncoding.EncodeToString(sum[:]), nil
}

// Interceptor vouches for every host, for a guard that has to read what a browser says to sites over TLS. A browser trusts it by the pin of
// its Authority. It is safe for concurrent use.
type Interceptor struct{ issuer *authority }

// NewInterceptor makes one. Its error is that of the system's random source.
func NewInterceptor(of *Authority) (*Interceptor, error) {
	a, err := newAuthority(nil, of)
	if err != nil {
		return nil, err
	}
	return &Interceptor{a}, nil
}

// Certificate is one for a host, as in a URL and without a port. The last 1000 are kept.
func (i *Interceptor) Certificate(host string) (*tls.Certificate, error) {
	return i.issuer.leaf(canonicalHost(host))
}

// maxLeaves bounds the certificates that are kept: a page can invent any number of names.
const maxLeaves = 1000

// authority issues the certificates of virtual hosts. Its own certificate is good for its hosts only.
// It is safe for concurrent use.
type authority struct {
	made    time.Time
	key     *ecdsa.PrivateKey // of the authority
	leafKey *ecdsa.PrivateKey // of all hosts
	cert    *x509.Certificate
	pool    *x509.CertPool // with nothing but cert
	mu      sync.Mutex
	leaves  map[string]*tls.Certificate // by host
}

// newAuthority makes an authority for hosts in canonical form; nil is for every host. Without an Authority its key is of its own.
func newAuthority(hosts []string, of *Authority) (*authority, error) {
	if of == nil {
		var err error
		if of, err = NewAuthority(); err != nil {
			return nil, err
		}
	}
	key := of.key
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	a := &authority{made: time.Now(), key: key, leafKey: leafKey, leaves: map[string]*tls.Certificate{}}
	template, err := a.template("winnow virtual hosts")
	if err != nil {
		return nil, err
	}
	template.IsCA, template.BasicConstraintsValid, template.MaxPathLenZero = true, true, true
	template.KeyUsage = x509.KeyUsageCertSign
	if hosts != nil {
		constrain(template, hosts)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		return nil, err
	}
	a.pool = x509.NewCertPool()
	a.pool.AddCert(a.cert)
	return a, nil
}

// template is what all certificates have in common.
func (a *authority) template(name string) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: a.made.Add(-time.Hour), NotAfter: a.made.Add(certLife),
	}, nil
}

// constrain limits an authority to hosts.
func constrain(ca *x509.Certificate, hosts []string) {
	ca.PermittedDNSDomainsCritical = true
	for _, h := range hosts {
		if ip, err := netip.ParseAddr(h); err == nil {
			bits := ip.BitLen()
			ca.PermittedIPRanges = append(ca.PermittedIPRanges, &net.IPNet{IP: ip.AsSlice(), Mask: net.CIDRMask(bits, bits)})
		} else {
			ca.PermittedDNSDomains = append(ca.PermittedDNSDomains, h)
		}
	}
	if ca.PermittedIPRanges == nil { // which would be no constraint at all
		ca.ExcludedIPRanges = []*net.IPNet{{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)}, {IP: net.IPv6zero, Mask: net.CIDRMask(0, 128)}}
	}
}

// pin is the SHA-256 of the authority's public key, as browsers write it.
func (a *authority) pin() string {
	sum := sha256.Sum256(a.cert.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// leaf returns the certificate of a virtual host, with the authority's behind it.
func (a *authority) leaf(host string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c, known := a.leaves[host]; known {
		return c, nil
	}
	template, err := a.template(commonName(host))
	if err != nil {
		return nil, err
	}
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if ip, err := netip.ParseAddr(host); err == nil {
		template.IPAddresses = []net.IP{ip.AsSlice()}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.leafKey.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("certificate of virtual host %s: %w", host, err)
	}
	c := &tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: a.leafKey}
	if len(a.leaves) >= maxLeaves {
		clear(a.leaves)
	}
	a.leaves[host] = c
	return c, nil
}

// commonName is a host within the 64 characters that the field may have.
func commonName(host string) string { return host[:min(len(host), 64)] }

// trust makes a TLS client trust this authority and no other. Its clock stands still at the authority's
// beginning, so that certificates can't run out under a client that lives longer than they are valid.
func (a *authority) trust(cfg *tls.Config) {
	cfg.RootCAs = a.pool
	cfg.Time = func() time.Time { return a.made }
}
