package llmtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/winnow-go/winnow/llm"
)

// Step is one line of the script: a reply, and when it is given.
type Step struct {
	// When reports whether the step is for a request. Nil: for any.
	When func(Request) bool
	// Reply to give.
	Reply Reply
	// Func makes the reply from the request, in place of Reply. Calls of it can run at once.
	Func func(Request) Reply
	// Times that the step is used; 0: once; below 0: without end.
	Times int
}

// Reply is what the server does with one request. The zero value is an empty answer.
type Reply struct {
	// Text and Calls of the answer. Calls without ID get one.
	Text  string
	Calls []llm.Call
	// Cut marks the answer as cut at its token limit.
	Cut bool
	// FinishReason replaces the one that follows from Calls and Cut.
	FinishReason string
	// InputTokens and OutputTokens of the usage. 0: estimated. NoUsage leaves the usage out.
	InputTokens, OutputTokens int
	NoUsage                   bool

	// Status other than 0 and 200 makes the reply an error, with Code, Param and Message.
	Status               int
	Code, Param, Message string
	// RetryAfter is sent as the header of that name, if not empty.
	RetryAfter string

	// Raw is sent as the whole body, with ContentType (empty: that of an answer).
	Raw, ContentType string
	// Whole answers in one piece even if streaming was requested, as servers do that don't support it.
	Whole bool
	// BreakAfter cuts the connection after so many bytes of Text, if above 0; below 0: at once.
	BreakAfter int
	// StallAfter stops after so many bytes of Text, until the client has disconnected, if
	// above 0; below 0: from the beginning.
	StallAfter int
}

// Text is a step that answers with text, once.
func Text(text string) Step { return Step{Reply: Reply{Text: text}} }

// JSON is a step that answers with a value as JSON, once. It panics when v can't be marshaled.
func JSON(v any) Step {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return Text(string(raw))
}

// CallTool is a step that calls a tool, once. Arguments are JSON.
func CallTool(name, arguments string) Step {
	return Step{Reply: Reply{Calls: []llm.Call{{Name: name, Arguments: json.RawMessage(arguments)}}}}
}

// Func is a step that answers all requests by f.
func Func(f func(Request) Reply) Step { return Step{Func: f, Times: -1} }

// Fail is a step that answers one request with an error.
func Fail(status int, code, message string) Step {
	return Step{Reply: Reply{Status: status, Code: code, Message: message}}
}

// RateLimited is a step that refuses one request for now. A negative retryAfter sends no time.
func RateLimited(retryAfter int) Step {
	reply := Reply{Status: http.StatusTooManyRequests, Code: "rate_limit_exceeded", Message: "Rate limit reached."}
	if retryAfter >= 0 {
		reply.RetryAfter = strconv.Itoa(retryAfter)
	}
	return Step{Reply: reply}
}

// TooLong is a step that refuses one request as longer than the context.
func TooLong() Step {
	return Fail(http.StatusBadRequest, "context_length_exceeded", "This model's maximum context length is exceeded by your messages.")
}

// RefuseFormats is a step that refuses all requests with a response format of these types, as
// servers do that don't know them.
func RefuseFormats(types ...string) Step {
	return Step{
		When:  func(r Request) bool { return slices.Contains(types, r.Format) },
		Reply: Reply{Status: http.StatusBadRequest, Code: "invalid_value", Param: "response_format", Message: "response_format of this type is not supported."},
		Times: -1,
	}
}
