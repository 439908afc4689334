package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// ServerError is a server's error response, or how the connection to
// it broke. It is one of [ErrUnavailable], [ErrRefused] and [ErrTooLong], by errors.Is.
type ServerError struct {
	// Status of HTTP; 0 when the connection broke or the error came amid an answer.
	Status int
	// Code and Param as the server named them, and its Message, on one line of bounded
	// length, without the key.
	Code, Param, Message string
	// Kind is the sentinel.
	Kind error
	// Cause is what broke the connection, if it broke.
	Cause error

	retry bool
}

// Error returns kind, status and the server's message.
func (e *ServerError) Error() string {
	text := e.Kind.Error()
	if e.Status != 0 {
		text += fmt.Sprintf(": status %d", e.Status)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns kind and cause.
func (e *ServerError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// serverError sorts the errors of the client library. Errors of ctx stay as they are.
func (o *OpenAI) serverError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e, ok := errors.AsType[*ServerError](err)
	if !ok {
		e = cmp.Or(answered(err), broken(err))
	}
	e.Code, e.Param, e.Message = o.clean(e.Code), o.clean(e.Param), o.clean(e.Message)
	return e
}

// answered reads an error that the server wrote; nil if err is none.
func answered(err error) *ServerError {
	e := &ServerError{}
	if request, ok := errors.AsType[*openai.RequestError](err); ok { // may hold the next, half read
		e.Status, e.Message = request.HTTPStatusCode, bodyMessage(request.Body)
	} else if api, ok := errors.AsType[*openai.APIError](err); ok {
		e.Status, e.Message, e.Code = api.HTTPStatusCode, api.Message, api.Type
		if api.Code != nil {
			e.Code = fmt.Sprint(api.Code)
		}
		if api.Param != nil {
			e.Param = *api.Param
		}
	} else {
		return nil
	}
	e.Kind, e.retry = kindOfError(e)
	return e
}

// bodyMessage finds the words in an error body that isn't of the usual form.
func bodyMessage(body []byte) string {
	var known struct{ Error, Message, Detail any }
	if json.Unmarshal(body, &known) == nil {
		for _, v := range []any{known.Error, known.Message, known.Detail} {
			if text, ok := v.(string); ok && text != "" {
				return text
			}
		}
	}
	return string(body[:min(len(body), 1<<10)])
}

// passing are the statuses besides 5xx after which a retry is worthwhile.
var passing = []int{0, http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly}

func kindOfError(e *ServerError) (kind error, retry bool) {
	words := strings.ToLower(e.Code + " " + e.Message)
	switch {
	case e.Status == http.StatusRequestEntityTooLarge, containsAny(words, tooLongWords):
		return ErrTooLong, false
	case e.Status == http.StatusTooManyRequests && strings.Contains(words, "insufficient_quota"):
		return ErrRefused, false
	case slices.Contains(passing, e.Status), e.Status >= 500 && e.Status != http.StatusNotImplemented:
		return ErrUnavailable, true
	}
	return ErrRefused, false
}

// tooLongWords are those by which servers say that a request exceeds the context.
var tooLongWords = []string{"context_length", "context length", "context window", "context size", "maximum context",
	"exceed_context", "prompt is too long", "too many tokens", "input is too long"}

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// notSent are the client library's own refusals.
var notSent = []error{openai.ErrReasoningToolsRequireResponses, openai.ErrChatCompletionInvalidModel,
	openai.ErrReasoningModelLimitationsOther, openai.ErrReasoningSamplingUnsupported, openai.ErrReasoningModelMaxTokensDeprecated}

// broken is any other error: the connection, or an answer that isn't one. Addresses are left
// out of its words.
func broken(err error) *ServerError {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if slices.ContainsFunc(notSent, func(known error) bool { return errors.Is(err, known) }) {
		return &ServerError{Message: err.Error(), Kind: ErrRefused, Cause: err}
	}
	return &ServerError{Message: err.Error(), Kind: ErrUnavailable, Cause: err, retry: !errors.Is(err, errTooLarge)}
}

// clean makes foreign words fit for errors and logs.
func (o *OpenAI) clean(words string) string {
	if o.options.Key != "" {
		words = strings.ReplaceAll(words, o.options.Key, "[key]")
	}
	return oneLine(words)
}
