package guard

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strings"
	"time"
)

// deliver sends a site's response to the browser and reports whether another request may follow.
func (p *peer) deliver(h *head, resp *http.Response) bool {
	bodyless := bodyless(h, resp)
	chunked := !bodyless && resp.ContentLength < 0 && !h.http10
	keep := h.keepAlive() && (bodyless || chunked || resp.ContentLength >= 0)
	out := bufio.NewWriter(p.conn)
	_, err := io.WriteString(out, responseHead(resp, chunked, keep))
	if err == nil && p.site.in.br.Buffered() == 0 {
		err = out.Flush() // the body may be long in coming
	}
	if err == nil && !bodyless {
		err = p.copyBody(out, resp, chunked)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil || resp.Close || !bodyless && resp.ContentLength < 0 && len(resp.TransferEncoding) == 0 {
		p.leaveSite()
	} else {
		p.site.used = true
	}
	return err == nil && keep
}

// bodyless reports a response that has no body, whatever its header says.
func bodyless(h *head, resp *http.Response) bool {
	return h.method == http.MethodHead || resp.StatusCode == http.StatusNoContent || resp.StatusCode == http.StatusNotModified
}

func responseHead(resp *http.Response, chunked, keep bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\n", statusLine(resp))
	writeHeader(&b, resp.Header)
	switch {
	case chunked:
		b.WriteString("Transfer-Encoding: chunked\r\n")
	case resp.ContentLength >= 0 && resp.StatusCode != http.StatusNoContent && resp.StatusCode != http.StatusNotModified:
		fmt.Fprintf(&b, "Content-Length: %d\r\n", resp.ContentLength)
	}
	if !keep {
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	return b.String()
}

// statusLine is the code and the site's words for it, if they are harmless.
func statusLine(resp *http.Response) string {
	words := strings.TrimPrefix(resp.Status, fmt.Sprint(resp.StatusCode))
	if strings.ContainsFunc(words, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		words = ""
	}
	return fmt.Sprintf("%03d %s", resp.StatusCode, strings.TrimSpace(words))
}

// copyBody passes a body on piece by piece as it comes, so that a stream of events isn't held up.
func (p *peer) copyBody(out *bufio.Writer, resp *http.Response, chunked bool) error {
	var w io.Writer = out
	if chunked {
		w = httputil.NewChunkedWriter(out)
	}
	buf := make([]byte, copyBuffer)
	for {
		p.site.setDeadline()
		n, err := resp.Body.Read(buf)
		if n > 0 {
			_ = p.conn.SetDeadline(time.Now().Add(idleTimeout))
			if _, err := w.Write(buf[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF && chunked {
			_, err = io.WriteString(out, "0\r\n\r\n")
			return err
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// switchProtocols passes a 101 on and then copies both ways.
func (p *peer) switchProtocols(resp *http.Response) {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\n", statusLine(resp))
	writeHeader(&b, resp.Header)
	fmt.Fprintf(&b, "Connection: Upgrade\r\nUpgrade: %s\r\n\r\n", resp.Header.Get("Upgrade"))
	if _, err := io.WriteString(p.conn, b.String()); err != nil {
		return
	}
	splice(p.conn, p.heard(resp, p.in.br, true), p.site.wire, p.heard(resp, p.site.in.br, false))
}
