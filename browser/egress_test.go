package browser

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPage_webRTCDoesNotGoPastTheProxy(t *testing.T) {
	needsBrowser(t)
	if !networked(t) {
		t.Skip("this system: no interface but loopback has an address, so Chromium's WebRTC has no network to try, with its switches or without")
	}
	stun, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stun.Close()
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: proxy.URL})
	visit(t, p, s.URL+"/webrtc?stun="+stun.LocalAddr().String())
	eventually(t, "all ways out have been tried", func() bool { return len(s.requests("/gathered")) > 0 })
	if err := stun.SetReadDeadline(time.Now()); err != nil {
		t.Fatal(err)
	}
	if n, _, err := stun.ReadFrom(make([]byte, 1500)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %d bytes of UDP past the proxy (%v)", n, err)
	}
}

// networked reports whether an interface that is up has an address that other machines can reach. Where none has, Chromium (148)
// gathers for ever and finds no candidate.
func networked(t *testing.T) bool {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(all, func(i net.Interface) bool {
		own, err := i.Addrs()
		return err == nil && i.Flags&net.FlagUp != 0 && slices.ContainsFunc(own, func(a net.Addr) bool {
			n, ok := a.(*net.IPNet)
			return ok && n.IP.IsGlobalUnicast()
		})
	})
}

// gathering tries a STUN server and informs the site when it has no more to try.
func gathering(w http.ResponseWriter, r *http.Request) {
	page(fmt.Sprintf(`<script>
		const c = new RTCPeerConnection({iceServers: [{urls: "stun:%s"}]});
		c.createDataChannel("x");
		c.onicegatheringstatechange = () => { if (c.iceGatheringState === "complete") fetch("/gathered") };
		c.createOffer().then((o) => c.setLocalDescription(o));
	</script>`, strings.ReplaceAll(r.URL.Query().Get("stun"), `"`, "")))(w, r)
}

func TestPage_schemesThatReadTheDiskAreClosedToPages(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: proxy.URL})
	visit(t, p, s.URL+"/filereader")
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if html := contentOf(t, p); strings.Contains(html, "root:") || strings.HasPrefix(p.URL(), "file:") {
		t.Errorf("got %s at %s", html, p.URL())
	}
}
