package serving

import (
	"net/http"
	"strings"
	"testing"
)

func TestServer_pagesOfListedOriginsMayCallIt(t *testing.T) {
	r := started(t, "-demo", "-origin", "https://app.example")
	req, err := http.NewRequestWithContext(t.Context(), "GET", r.url+"/v2/team/activity", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://app.example")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Access-Control-Allow-Origin"); resp.StatusCode != 200 || got != "https://app.example" {
		t.Errorf("%d, allowed %q", resp.StatusCode, got)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

func TestParse_originsThatAreNone(t *testing.T) {
	for _, origin := range []string{"", "app.example", "https://app.example/"} {
		if _, err := parse("server", []string{"-origin", origin}, nil); err == nil || !strings.Contains(err.Error(), "-origin") {
			t.Errorf("%q: %v", origin, err)
		}
	}
}
