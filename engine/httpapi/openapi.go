package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/openapi"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

const documentPath = "/openapi.json"

func documentTable() []route {
	return []route{{"GET " + documentPath, open, 0, handleOpenAPI}}
}

// handleOpenAPI is GET /openapi.json.
func handleOpenAPI(c *call) error {
	doc, err := c.api.document()
	if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Cache-Control", "public, no-cache") // to be stored, and revalidated
	h.Set("ETag", doc.Tag)
	if given := c.r.Header.Get("If-None-Match"); given == "*" || strings.Contains(given, doc.Tag) {
		h.Del("Content-Type")
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	_, _ = c.w.Write(doc.Body) // a client that is gone needs no answer
	return nil
}

// isParse reports whether the route takes a form too.
func isParse(r route) bool { return strings.HasSuffix(r.pattern, " "+parsePath) }

// errDescribed ends a handler that only had to return the fields of its body.
var errDescribed = fmt.Errorf("only the fields of the body were wanted")

// bodyOf gets the fields of a route's JSON body from its own handler: those that it reads requests with.
func bodyOf(o Options, r route) decode.Fields {
	var f decode.Fields
	c := &call{api: &api{options: o}, describe: &f, caller: caller{limits: Limits{ZeroDataRetention: true}}}
	if isParse(r) { // which looks at the request's type first
		_, _, _ = referred(c)
		return f
	}
	_ = r.do(c) // errDescribed
	return f
}

// errorCodes are the codes of errors, in order.
func errorCodes() (list []any) {
	for _, code := range slices.Sorted(maps.Keys(statuses)) {
		list = append(list, code)
	}
	return list
}

// describedAPI is what the document of a handler is made of.
func describedAPI(o Options) openapi.Request {
	d, known := openapi.Request{BaseURL: o.BaseURL, Codes: errorCodes(), Problem: errorBody{}}, operations()
	for _, r := range published() {
		one := openapi.Route{Pattern: r.pattern, Open: r.endpoint == open, Charged: r.credits > 0, Operation: known[r.pattern]}
		if one.BodyName != "" {
			one.Body = bodyOf(o, r)
		}
		if isParse(r) {
			one.Form = decode.ParseFields(&engine.ScrapeOptions{}, false)
		}
		d.Routes = append(d.Routes, one)
	}
	return d
}
