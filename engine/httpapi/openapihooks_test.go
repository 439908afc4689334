package httpapi

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/openapi"
	"github.com/winnow-go/winnow/fetch"
)

// TestOpenAPI_webhooksAreSentAsItSays receives what the engine sends of a batch with a page that fails.
func TestOpenAPI_webhooksAreSentAsItSays(t *testing.T) {
	bodies := make(chan []byte, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get(openapi.SignatureHeader) == "" {
			t.Errorf("%v, %v", err, r.Header)
		}
		bodies <- body
	}))
	t.Cleanup(receiver.Close)
	s := newService(t, func(o *engine.Options, _ *Options) {
		o.Policy, o.DialContext, o.Resolver = fetch.Policy{AllowPrivate: true}, nil, noNames{}
	})
	s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","nobody.example"],"webhook":{"url":"`+receiver.URL+`","secret":"s","metadata":{"for":"me"}}}`)
	var got []string
	for range 4 {
		body := <-bodies
		var head struct{ Type string }
		if err := json.Unmarshal(body, &head); err != nil {
			t.Fatal(err)
		}
		got = append(got, head.Type)
		if err := documented().gives("/webhooks/"+head.Type+"/post/requestBody/content/application~1json/schema", body); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	slices.Sort(got)
	if want := []string{"batch_scrape.completed", "batch_scrape.page", "batch_scrape.page", "batch_scrape.started"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
