package openapi

import (
	"strings"

	"github.com/swaggest/openapi-go/openapi31"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// hookKinds are the kinds of jobs with the events that are sent to their webhooks.
var hookKinds = []struct {
	kind, tag string
	events    []string
}{
	{engine.KindCrawl, "Crawl", []string{"started", "page", "page.corrected", "change", "completed", "failed"}},
	{engine.KindBatch, "Batch", []string{"started", "page", "page.corrected", "completed", "failed"}},
	{engine.KindExtract, "Extract", []string{"started", "completed", "failed"}},
	{engine.KindMonitor, "Monitor", []string{"page", "check.completed"}},
	{engine.KindAgent, "Agent", []string{"started", "action", "completed", "failed", "cancelled"}},
}

// hookEvents say what each event is.
var hookEvents = map[string]string{
	"started": "The job has begun.",
	"page":    "A page is done: data has its document. Of a page that failed it has the metadata alone, success is false, and error says why.",
	"page.corrected": "A page was got again, since a browser shows more of it than plain HTTP gave: data has the document that has taken its " +
		"place. Sent where the webhook names the event.",
	"change":          "A page is another than in the earlier crawl that the job goes on from: data has the change, without its diff.",
	"action":          "The agent has done something: data has the step.",
	"completed":       "The job has come to its end.",
	"check.completed": "A monitor's check has ended: data has its summary; success is false where pages could not be compared.",
	"failed":          "The job has failed; error says why.",
	"cancelled":       "The job was cancelled.",
}

// SignatureHeader is the one with which the engine signs.
const SignatureHeader = "X-Winnow-Signature"

// hookSchema is what the engine sends, for one type of event.
func (d *description) hookSchema(typ string, data decode.Schema) (decode.Schema, error) {
	needed := []string{"success", "type", "id", "webhookId", "data", "metadata"}
	return d.hoist(decode.Schema{"type": "object", "required": needed, "properties": decode.Schema{
		"success":   decode.Schema{"type": "boolean"},
		"type":      decode.Schema{"const": typ},
		"id":        decode.Schema{"type": "string", "format": "uuid"},
		"webhookId": decode.Schema{"type": "string", "format": "uuid"},
		"data":      data,
		"metadata":  decode.Schema{"type": "object", "additionalProperties": decode.Schema{"type": "string"}},
		"error":     decode.Schema{"type": "string"},
	}}, "WebhookPayload")
}

// addWebhooks describes what is sent to the webhooks of jobs.
func (d *description) addWebhooks() error {
	for _, k := range hookKinds {
		for _, event := range k.events {
			takes, err := d.hookSchema(k.kind+"."+event, d.hookData(k.kind, event))
			if err != nil {
				return err
			}
			body := &openapi31.RequestBody{Content: map[string]openapi31.MediaType{"application/json": {Schema: takes}}, Required: new(true)}
			summary, id := hookNames(k.tag, event)
			op := openapi31.Operation{
				Tags: []string{k.tag}, Summary: &summary, ID: &id, Description: new(hookEvents[event]), Parameters: hookHeaders(),
				RequestBody: &openapi31.RequestBodyOrReference{RequestBody: body},
			}
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

// hookNames are what people and generators of clients call an event: "Batch: page corrected" and batchPageCorrectedEvent.
func hookNames(tag, event string) (summary, id string) {
	id = strings.ToLower(tag)
	for word := range strings.SplitSeq(event, ".") {
		id += decode.Capital(word)
	}
	return tag + ": " + strings.ReplaceAll(event, ".", " "), id + "Event"
}

// hookData is the list that goes with an event.
func (d *description) hookData(kind, event string) decode.Schema {
	switch {
	case kind == engine.KindMonitor || event == "action":
		return decode.Schema{"type": "array", "items": decode.Schema{"type": "object"}}
	case event == "page" || event == "page.corrected":
		return decode.Schema{"type": "array", "maxItems": 1, "items": decode.Schema{"$ref": SchemaPrefix + "Document"}}
	case event == "change":
		return decode.Schema{"type": "array", "maxItems": 1, "items": decode.Schema{"$ref": SchemaPrefix + "Change"}}
	}
	return decode.Schema{"type": "array", "maxItems": 0}
}

func hookHeaders() []openapi31.ParameterOrReference {
	return []openapi31.ParameterOrReference{{Parameter: &openapi31.Parameter{
		Name: SignatureHeader, In: openapi31.ParameterInHeader, Required: new(false),
		Schema:      decode.Schema{"type": "string", "pattern": "^sha256=[0-9a-f]{64}$"},
		Description: new("The HMAC-SHA256 of the body in hex, where the webhook has a secret."),
	}}}
}
