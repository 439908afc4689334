package auth

import (
	"crypto/tls"
	"crypto/x509"
)

// TLS is what connections to origins get that match a pattern. Their certificates are always verified, whatever a request says.
type TLS struct {
	// For is the pattern, as in Credentials; it can't say http. The first that matches counts. Required.
	For string
	// RootCAs are the authorities that the certificates of the origins are checked against, in place of the system's: a pool that has both
	// begins with x509.SystemCertPool. Nil: the system's, or those of the client.
	RootCAs *x509.CertPool
	// Certificates are those of the client, of which a server chooses. Empty: none.
	Certificates []tls.Certificate
}

// apply makes a configuration that of an origin. Sessions aren't resumed: a ticket, which has the client's certificate in it, would be
// sent to another port of the host as well.
func (t *TLS) apply(cfg *tls.Config, trusted bool) {
	if t == nil {
		return
	}
	if t.RootCAs != nil {
		cfg.RootCAs = t.RootCAs
	}
	if trusted {
		cfg.Certificates = t.Certificates
	}
}
