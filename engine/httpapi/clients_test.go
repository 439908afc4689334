package httpapi

import (
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
)

// The service's MCP server requests a marketplace of tools with each search; after the answer that there is none, in words that it knows, it
// asks again without.
func TestClients_aSearchForToolsIsAskedAgainWithoutThem(t *testing.T) {
	s := newService(t, func(eo *engine.Options, _ *Options) { eo.Search = []search.Provider{finder{}} })
	for _, sources := range []string{`["web","alexandria"]`, `[{"type":"alexandria"}]`} {
		a := s.must(403, "POST", "/v2/search", `{"query":"lamp","sources":`+sources+`,"domainTools":true,"toolDetail":"compact","origin":"mcp-test"}`)
		if a.text("code") != "FORBIDDEN" || a.text("error") != "This endpoint is not enabled for this team." || a.text("details", 0, "path", 0) != "sources" {
			t.Errorf("%s: %s", sources, a.raw)
		}
	}
	s.must(200, "POST", "/v2/search", `{"query":"lamp","sources":["web"],"domainTools":false,"toolDetail":"compact","origin":"mcp-test"}`)
	s.must(400, "POST", "/v2/search", `{"query":"lamp","domainTools":true}`)
	s.must(400, "POST", "/v2/search", `{"query":"lamp","toolDetail":"none"}`)
}

// Clients give with a file what they give with a page; what says how a page is fetched and kept changes nothing of it.
func TestClients_optionsOfFetchingPassWithAFile(t *testing.T) {
	s := newService(t)
	options := `{"headers":{"a":"b"},"maxAge":1000,"storeInCache":false,"blockAds":true,"skipTlsVerification":true,"formats":["markdown"]}`
	if a := s.send(part{"file", "lamp.html", article}, part{"options", "", options}); a.status != 200 || a.text("data", "markdown") == "" ||
		a.text("data", "warning") != "Without effect on a file: headers, maxAge, blockAds, skipTlsVerification." {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if a := s.send(part{"file", "lamp.html", article}, part{"options", "", `{"maxAge":0,"storeInCache":false}`}); a.text("data", "warning") != "" {
		t.Errorf("of what holds anyway: %s", a.raw)
	}
	for _, refused := range []string{`{"lockdown":true}`, `{"minAge":1}`, `{"profile":{"name":"a"}}`} {
		if a := s.send(part{"file", "lamp.html", article}, part{"options", "", refused}); a.text("code") != string(engine.CodeParseOptions) {
			t.Errorf("%s: %d %s", refused, a.status, a.raw)
		}
	}
}
