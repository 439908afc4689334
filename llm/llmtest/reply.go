package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/winnow-go/winnow/llm"
)

// bench writes one reply.
type bench struct {
	w           http.ResponseWriter
	request     Request
	usage       bool // requested in the stream
	gone, ended <-chan struct{}
}

func (b *bench) serve(r Reply) {
	if r.RetryAfter != "" {
		b.w.Header().Set("Retry-After", r.RetryAfter)
	}
	switch {
	case r.StallAfter < 0:
		b.stall()
	case r.BreakAfter < 0:
		panic(http.ErrAbortHandler)
	case r.Raw != "":
		b.raw(r)
	case r.Status != 0 && r.Status != http.StatusOK:
		refuse(b.w, r)
	case b.request.Stream && !r.Whole:
		b.stream(r)
	default:
		b.whole(r)
	}
}

// stall sends nothing until the client has gone or the server ends.
func (b *bench) stall() {
	select {
	case <-b.gone:
	case <-b.ended:
	}
}

func (b *bench) raw(r Reply) {
	kind := r.ContentType
	if kind == "" {
		kind = "application/json"
		if b.request.Stream {
			kind = "text/event-stream"
		}
	}
	b.w.Header().Set("Content-Type", kind)
	if r.Status != 0 {
		b.w.WriteHeader(r.Status)
	}
	io.WriteString(b.w, r.Raw)
}

// refuse writes an error of the protocol.
func refuse(w http.ResponseWriter, r Reply) {
	body := map[string]any{"message": r.Message, "type": "invalid_request_error", "code": r.Code, "param": nil}
	if r.Param != "" {
		body["param"] = r.Param
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.Status)
	writeJSON(w, map[string]any{"error": body})
}

func (b *bench) whole(r Reply) {
	message := map[string]any{"role": "assistant", "content": r.Text}
	if calls := wireCalls(r.Calls, false); len(calls) > 0 {
		message["tool_calls"] = calls
	}
	body := map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": b.request.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": r.finish()}}}
	if !r.NoUsage {
		body["usage"] = b.usageOf(r)
	}
	b.w.Header().Set("Content-Type", "application/json")
	writeJSON(b.w, body)
}

// stream writes the answer as events, text in pieces and calls in two.
func (b *bench) stream(r Reply) {
	b.w.Header().Set("Content-Type", "text/event-stream")
	b.event(delta(map[string]any{"role": "assistant", "content": ""}, nil))
	sent := 0
	for piece := range piecesOf(r.Text, r.BreakAfter, r.StallAfter) {
		b.event(delta(map[string]any{"content": piece}, nil))
		sent += len(piece)
		if r.BreakAfter > 0 && sent >= r.BreakAfter {
			panic(http.ErrAbortHandler)
		}
		if r.StallAfter > 0 && sent >= r.StallAfter {
			b.stall()
			return
		}
	}
	for _, call := range wireCalls(r.Calls, true) {
		first, second := halves(call)
		b.event(delta(map[string]any{"tool_calls": []wireCall{first}}, nil))
		b.event(delta(map[string]any{"tool_calls": []wireCall{second}}, nil))
	}
	b.event(delta(map[string]any{}, r.finish()))
	if b.usage && !r.NoUsage {
		b.event(map[string]any{"choices": []any{}, "usage": b.usageOf(r)})
	}
	fmt.Fprint(b.w, "data: [DONE]\n\n")
}

func delta(d map[string]any, finish any) map[string]any {
	return map[string]any{"choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": finish}}}
}

func (b *bench) event(body map[string]any) {
	body["id"], body["object"], body["created"], body["model"] = "chatcmpl-1", "chat.completion.chunk", 1, b.request.Model
	fmt.Fprint(b.w, "data: ")
	writeJSON(b.w, body)
	fmt.Fprint(b.w, "\n")
	http.NewResponseController(b.w).Flush()
}

// writeJSON writes one line.
func writeJSON(w io.Writer, v any) {
	json.NewEncoder(w).Encode(v) // a client that has gone is no error
}

// piecesOf cuts a text at runes, and at the given places.
func piecesOf(text string, places ...int) func(yield func(string) bool) {
	const size = 24
	return func(yield func(string) bool) {
		for at := 0; at < len(text); {
			end := min(at+size, len(text))
			for _, place := range places {
				if place > at && place < end {
					end = place
				}
			}
			for end < len(text) && !utf8.RuneStart(text[end]) {
				end++
			}
			if !yield(text[at:end]) {
				return
			}
			at = end
		}
	}
}

func wireCalls(calls []llm.Call, streamed bool) []wireCall {
	var all []wireCall
	for i, c := range calls {
		w := wireCall{ID: c.ID, Type: "function", Function: wireFunction{Name: c.Name, Arguments: string(c.Arguments)}}
		if w.ID == "" {
			w.ID = fmt.Sprintf("call_%d", i+1)
		}
		if streamed {
			w.Index = &i
		}
		all = append(all, w)
	}
	return all
}

// halves of a call as servers stream it: the first with name and id, the second with the rest.
func halves(c wireCall) (first, second wireCall) {
	arguments := c.Function.Arguments
	half := len(arguments) / 2
	for half < len(arguments) && !utf8.RuneStart(arguments[half]) {
		half++
	}
	first = c
	first.Function.Arguments = arguments[:half]
	return first, wireCall{Index: c.Index, Function: wireFunction{Arguments: arguments[half:]}}
}

func (r Reply) finish() string {
	switch {
	case r.FinishReason != "":
		return r.FinishReason
	case r.Cut:
		return "length"
	case len(r.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (b *bench) usageOf(r Reply) map[string]any {
	input, output := r.InputTokens, r.OutputTokens
	if input == 0 {
		input = max(llm.Tokens(b.request.Text()), 1)
	}
	if output == 0 {
		output = llm.Tokens(r.Text)
		for _, c := range r.Calls {
			output += llm.Tokens(c.Name) + llm.Tokens(string(c.Arguments))
		}
		output = max(output, 1)
	}
	return map[string]any{"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output}
}
