package browser

import (
	"net/http"
	"testing"
)

// What a site names "guid", in a header or as the browser names a download, is no object of the driver's library: looked up among those,
// it ended the connection for the pages of all.
func TestPage_aSitesGuidEndsNoConnection(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{
		"/guids": page(`<iframe src="/download"></iframe><p id=a></p>
			<script>fetch("/guid-header", {headers: {guid: "x"}}).then((r) => { a.textContent = "answered " + r.status })</script>`),
		"/guid-header": raw("text/plain", "ok"),
	})
	other := open(t, PageOptions{Proxy: s.proxy})
	p := open(t, PageOptions{Proxy: s.proxy, Headers: map[string]string{"X-Own": "1"}})
	visit(t, p, "about:blank")
	if _, err := p.Refs().Snapshot(testContext(t), SnapshotOptions{}); err != nil { // the browser tells of downloads from now on
		t.Fatal(err)
	}
	visit(t, p, s.URL+"/guids")
	if _, err := p.WaitSelector(testContext(t), "#a:not(:empty)", patience); err != nil {
		t.Fatal(err)
	}
	contains(t, "the page", contentOf(t, p), "answered 200")
	if sent := s.requests("/guid-header"); len(sent) != 1 || sent[0].Get("guid") != "x" || sent[0].Get("X-Own") != "1" {
		t.Errorf("got %v, want the site's header and the caller's", sent)
	}
	if nav := visit(t, other, s.URL+"/"); nav.Status != 200 {
		t.Errorf("another page: got %+v", nav)
	}
}
