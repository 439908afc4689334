package openapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/decode"
)

// lampBody is an answer.
type lampBody struct {
	Name string `json:"name"`
}

func TestNew_describesARouteByItsBodyAndItsAnswer(t *testing.T) {
	var name string
	doc, err := New(Request{Problem: lampBody{}, Routes: []Route{{
		Pattern: "POST /lamps/{id}", Charged: true, Body: decode.Fields{"name": decode.Text(&name, 1, 9)},
		Operation: Operation{ID: "lamp", Tag: "Lamps", Summary: "Light a lamp", BodyName: "LampRequest", Needs: []string{"name"}, Answer: lampBody{}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"/lamps/{id}":{"post":`, `"operationId":"lamp"`, `"402":{"$ref":"#/components/responses/PaymentRequired"}`,
		`"LampRequest":{"additionalProperties":false,"properties":{"name":{"maxLength":9,"minLength":1,"type":"string"}},"required":["name"],"type":"object"}`,
		`"LampReply":{"properties":{"name":{"type":"string"}},"required":["name"],"type":"object"}`, `"url":"/"`,
	} {
		if !strings.Contains(string(doc.Body), want) {
			t.Errorf("no %s in %s", want, doc.Body)
		}
	}
	if !json.Valid(doc.Body) || len(doc.Tag) < 10 {
		t.Error(doc.Tag)
	}
}

func TestNew_refusesARouteWithoutADescription(t *testing.T) {
	if _, err := New(Request{Problem: lampBody{}, Routes: []Route{{Pattern: "GET /lamps"}}}); err == nil || !strings.Contains(err.Error(), "GET /lamps") {
		t.Error(err)
	}
}
