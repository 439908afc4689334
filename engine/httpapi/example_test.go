package httpapi_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
)

func Example() {
	site := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Hello</title><h1>Hello</h1><p>from a site that is a handler</p>")
	})
	e, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: map[string]http.Handler{"hello.example": site}})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	key, err := httpapi.NewKey("an-example-secret", "readers")
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(httpapi.New(e, httpapi.Options{Keys: []httpapi.Key{key}}))
	defer server.Close()

	request, err := http.NewRequest("POST", server.URL+"/v2/map", strings.NewReader(`{"url": "hello.example", "limit": 1}`))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer an-example-secret")
	response, err := server.Client().Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	links, _, _ := strings.Cut(string(body), "]")
	_, links, _ = strings.Cut(links, "[")
	fmt.Println(response.StatusCode, links)
	// Output: 200 {"url":"http://hello.example/","title":"Hello"}
}
