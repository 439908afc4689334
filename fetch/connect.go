package fetch

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// maxConnectAnswer bounds what a proxy may answer to CONNECT, in bytes.
const maxConnectAnswer = 64 << 10

// connectHTTP requests a tunnel from an HTTP proxy by CONNECT.
func (u upstream) connectHTTP(ctx context.Context, c net.Conn, hostport string) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := io.WriteString(c, u.connectRequest(hostport)); err != nil {
		return nil, Classify(u.addr, err)
	}
	br := bufio.NewReader(io.LimitReader(c, maxConnectAnswer))
	resp, err := http.ReadResponse(br, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, Classify(u.addr, err)
	}
	if resp.StatusCode/100 != 2 {
		return nil, u.refused(hostport, resp.StatusCode)
	}
	if !stop() {
		return nil, ctx.Err()
	}
	if n := br.Buffered(); n > 0 {
		early, _ := br.Peek(n)
		return &earlyConn{Conn: c, early: strings.NewReader(string(early))}, nil
	}
	return c, nil
}

// refused is the error of a CONNECT that the proxy answered otherwise. Squid by default, and others, allow it to port 443 alone.
func (u upstream) refused(hostport string, status int) error {
	hint := ""
	if !u.Resolve && status == http.StatusForbidden && !strings.HasSuffix(hostport, ":443") {
		hint = "; if it allows port 443 alone, Proxy.Resolve has plain requests sent without CONNECT"
	}
	return fmt.Errorf("CONNECT returned status %d%s", status, hint)
}

func (u upstream) connectRequest(hostport string) string {
	head := fmt.Sprintf("CONNECT %s HTTP/1.1\r\nHost: %s\r\n", hostport, hostport)
	if secret := u.authorization(); secret != "" {
		head += "Proxy-Authorization: " + secret + "\r\n"
	}
	return head + "\r\n"
}

// earlyConn returns what the far end sent together with the proxy's answer before the rest.
type earlyConn struct {
	net.Conn
	early *strings.Reader
}

func (c *earlyConn) Read(p []byte) (int, error) {
	if c.early.Len() > 0 {
		return c.early.Read(p)
	}
	return c.Conn.Read(p)
}

// handshake speaks TLS over c and closes c when that fails. Errors: *TLSError, *ConnectError, or ctx's.
func handshake(ctx context.Context, c net.Conn, cfg *tls.Config) (*tls.Conn, error) {
	t := tls.Client(c, cfg)
	err := t.HandshakeContext(ctx)
	if err == nil {
		return t, nil
	}
	c.Close()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var connect *ConnectError
	if e := Classify(cfg.ServerName, err); errors.As(e, &connect) && connect.Net != netFailed {
		if connect.Net == netEmptyResponse {
			connect.Net = netClosed
		}
		return nil, connect
	}
	return nil, &TLSError{Host: cfg.ServerName, Err: err}
}
