package httpapi

import (
	"github.com/swaggest/openapi-go/openapi31"

	"github.com/winnow-go/winnow/engine"
)

// hookKinds are the kinds of jobs with the events that their webhooks are told.
var hookKinds = []struct {
	kind, tag string
	events    []string
}{
	{engine.KindCrawl, "Crawl", []string{"started", "page", "completed", "failed"}},
	{engine.KindBatch, "Batch", []string{"started", "page", "completed", "failed"}},
	{engine.KindExtract, "Extract", []string{"started", "completed", "failed"}},
	{engine.KindAgent, "Agent", []string{"started", "action", "completed", "failed", "cancelled"}},
}

// hookEvents say what each event is.
var hookEvents = map[string]string{
	"started":   "The job has begun.",
	"page":      "A page is done: data has its document. Of a page that failed it has the metadata alone, success is false, and error says why.",
	"action":    "The agent has done something: data has the step.",
	"completed": "The job has come to its end.",
	"failed":    "The job has failed; error says why.",
	"cancelled": "The job was cancelled.",
}

// signatureHeader is the one with which the engine signs.
const signatureHeader = "X-Winnow-Signature"

// hookSchema is what the engine sends, for one type of event.
func (d *description) hookSchema(typ string, data schema) (schema, error) {
	return d.hoist(schema{"type": "object", "required": []string{"success", "type", "id", "webhookId", "data", "metadata"}, "properties": schema{
		"success":   schema{"type": "boolean"},
		"type":      schema{"const": typ},
		"id":        schema{"type": "string", "format": "uuid"},
		"webhookId": schema{"type": "string", "format": "uuid"},
		"data":      data,
		"metadata":  schema{"type": "object", "additionalProperties": schema{"type": "string"}},
		"error":     schema{"type": "string"},
	}}, "WebhookPayload")
}

// addWebhooks describes what is sent to the webhooks of jobs.
func (d *description) addWebhooks() error {
	for _, k := range hookKinds {
		for _, event := range k.events {
			takes, err := d.hookSchema(k.kind+"."+event, d.hookData(event))
			if err != nil {
				return err
			}
			op := openapi31.Operation{Tags: []string{k.tag}, Description: new(hookEvents[event]), Parameters: hookHeaders(), RequestBody: &openapi31.RequestBodyOrReference{
				RequestBody: &openapi31.RequestBody{Content: map[string]openapi31.MediaType{"application/json": {Schema: takes}}, Required: new(true)},
			}}
			op.Responses = &openapi31.Responses{MapOfResponseOrReferenceValues: map[string]openapi31.ResponseOrReference{
				"2XX": {Response: &openapi31.Response{Description: "Received. After any other answer, or none in 10 seconds, it is sent again: three times, later each time."}},
			}}
			if err := d.spec.AddWebhook("POST", k.kind+"."+event, op); err != nil {
				return err
			}
		}
	}
	return nil
}

// hookData is the list that goes with an event.
func (d *description) hookData(event string) schema {
	switch event {
	case "page":
		return schema{"type": "array", "maxItems": 1, "items": schema{"$ref": schemaPrefix + "Document"}}
	case "action":
		return schema{"type": "array", "items": schema{"type": "object"}}
	}
	return schema{"type": "array", "maxItems": 0}
}

func hookHeaders() []openapi31.ParameterOrReference {
	return []openapi31.ParameterOrReference{{Parameter: &openapi31.Parameter{
		Name: signatureHeader, In: openapi31.ParameterInHeader, Required: new(false), Schema: schema{"type": "string", "pattern": "^sha256=[0-9a-f]{64}$"},
		Description: new("The HMAC-SHA256 of the body in hex, where the webhook has a secret."),
	}}}
}
