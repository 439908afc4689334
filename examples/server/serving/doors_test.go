package serving

import (
	"strings"
	"testing"
)

func TestServer_hasTheDoors(t *testing.T) {
	r := started(t, "-demo")
	if a := r.want(200, "GET", "/read/https://shop.example/products/hand-mill", ""); !strings.Contains(a.body, "Hand mill") || strings.Contains(a.body, `"markdown"`) {
		t.Error(a.body)
	}
	if a := r.want(200, "POST", "/openwebui/load", `{"urls":["https://shop.example/products/hand-mill"]}`); !strings.HasPrefix(a.body, `[{"page_content":`) {
		t.Error(a.body)
	}
	r.want(200, "POST", "/openwebui/search", `{"query":"mill"}`)
	if err := r.end(); err != nil {
		t.Error(err)
	}
}
