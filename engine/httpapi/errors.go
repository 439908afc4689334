package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// Codes that this package adds to the engine's.
const (
	codeInvalidJSON  engine.Code = "BAD_REQUEST_INVALID_JSON"
	codeUnauthorized engine.Code = "UNAUTHORIZED"
	codeForbidden    engine.Code = "FORBIDDEN"
	codeNoCredits    engine.Code = "INSUFFICIENT_CREDITS"
	codeRateLimit    engine.Code = "RATE_LIMIT_EXCEEDED"
	codeTooLarge     engine.Code = "REQUEST_TOO_LARGE"
	codeMethod       engine.Code = "METHOD_NOT_ALLOWED"
	codeSlowBody     engine.Code = "REQUEST_TIMEOUT"
	codeContentType  engine.Code = "UNSUPPORTED_CONTENT_TYPE"
	codeUnparsed     engine.Code = "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED"
)

// statuses is the one table of codes and HTTP statuses.
var statuses = map[engine.Code]int{
	codeInvalidJSON:                 http.StatusBadRequest,
	codeUnauthorized:                http.StatusUnauthorized,
	codeNoCredits:                   http.StatusPaymentRequired,
	codeForbidden:                   http.StatusForbidden,
	codeTooLarge:                    http.StatusRequestEntityTooLarge,
	codeMethod:                      http.StatusMethodNotAllowed,
	codeSlowBody:                    http.StatusRequestTimeout,
	codeContentType:                 http.StatusUnsupportedMediaType,
	codeRateLimit:                   http.StatusTooManyRequests,
	codeUnparsed:                    http.StatusTooManyRequests,
	engine.CodeBadRequest:           http.StatusBadRequest,
	engine.CodeParseOptions:         http.StatusBadRequest,
	engine.CodeFileType:             http.StatusBadRequest,
	engine.CodeActionsNotSupported:  http.StatusBadRequest,
	engine.CodeModelNotLocal:        http.StatusBadRequest,
	engine.CodeSearchNotLocal:       http.StatusBadRequest,
	engine.CodeBlocked:              http.StatusForbidden,
	engine.CodeRobots:               http.StatusForbidden,
	engine.CodeNotFound:             http.StatusNotFound,
	engine.CodeNoCachedData:         http.StatusNotFound,
	engine.CodeLockdownMiss:         http.StatusNotFound,
	engine.CodeTimeout:              http.StatusRequestTimeout,
	engine.CodeMapTimeout:           http.StatusRequestTimeout,
	engine.CodeSearchTimeout:        http.StatusRequestTimeout,
	engine.CodeProfileBusy:          http.StatusConflict,
	engine.CodeReplay:               http.StatusConflict,
	engine.CodeFinished:             http.StatusConflict,
	engine.CodeIdempotency:          http.StatusConflict,
	engine.CodeMonitorBusy:          http.StatusConflict,
	engine.CodeSessionDestroyed:     http.StatusGone,
	engine.CodeSessionLimit:         http.StatusTooManyRequests,
	engine.CodeUnknown:              http.StatusInternalServerError,
	engine.CodeCancelled:            http.StatusInternalServerError,
	engine.CodeDNS:                  http.StatusInternalServerError,
	engine.CodeSSL:                  http.StatusInternalServerError,
	engine.CodeSite:                 http.StatusInternalServerError,
	engine.CodeProxy:                http.StatusInternalServerError,
	engine.CodeUnsupportedFile:      http.StatusInternalServerError,
	engine.CodePDFNeedsOCR:          http.StatusInternalServerError,
	engine.CodePDFTime:              http.StatusInternalServerError,
	engine.CodeAudioUnsupported:     http.StatusInternalServerError,
	engine.CodeVideoUnsupported:     http.StatusInternalServerError,
	engine.CodeAction:               http.StatusInternalServerError,
	engine.CodeProfileDamaged:       http.StatusInternalServerError,
	engine.CodeBrandingNotSupported: http.StatusInternalServerError,
	engine.CodeRobotsUnreachable:    http.StatusInternalServerError,
	engine.CodeModelBudget:          http.StatusInternalServerError,
	engine.CodeInjection:            http.StatusInternalServerError,
	engine.CodeRetryLimit:           http.StatusInternalServerError,
	engine.CodeAllEnginesFailed:     http.StatusInternalServerError,
	engine.CodeModelFailed:          http.StatusBadGateway,
	engine.CodeSearchFailed:         http.StatusBadGateway,
	engine.CodeAgentFailed:          http.StatusBadGateway,
	engine.CodeSessionFailed:        http.StatusBadGateway,
	engine.CodeModelNotConfigured:   http.StatusServiceUnavailable,
	engine.CodeStorage:              http.StatusServiceUnavailable,
	engine.CodeSearchNotConfigured:  http.StatusServiceUnavailable,
	engine.CodeNotConfigured:        http.StatusServiceUnavailable,
}

// ofParse are the statuses of codes that blame a site elsewhere: the file that is parsed comes from the caller.
var ofParse = map[engine.Code]int{engine.CodeUnsupportedFile: http.StatusBadRequest}

// statusIn gives the status of a code as the error of an operation ("scrape", "parse", …).
func statusIn(code engine.Code, op string) int {
	status := statuses[code]
	if own := ofParse[code]; op == "parse" && own != 0 {
		status = own
	}
	return cmp.Or(status, http.StatusInternalServerError)
}

// problem is an answer that is an error.
type problem struct {
	status  int
	code    engine.Code
	text    string
	details []decode.Issue
	wait    time.Duration // until a retry makes sense; 0: unknown
	id      string        // of an internal error, in the log too
}

func (p *problem) Error() string { return string(p.code) + ": " + p.text }

var (
	errUnauthorized = refusal(codeUnauthorized, "a valid API key is needed: Authorization: Bearer <key>")
	errOtherTeam    = refusal(codeForbidden, "this belongs to another team")
	errNoCredits    = refusal(codeNoCredits, quota.ErrNoCredits.Error())
	errNoRoute      = notFound("no such route")
	errSlowBody     = refusal(codeSlowBody, "the body took too long to arrive")
	errClosed       = &problem{status: http.StatusServiceUnavailable, code: engine.CodeCancelled, text: "the service is stopping"}
)

// refusal makes the answer of a code, with its status of the table.
func refusal(code engine.Code, text string, details ...decode.Issue) *problem {
	return &problem{status: statuses[code], code: code, text: text, details: details}
}

// tooLarge refuses a body, or a file, of more bytes than limit.
func tooLarge(what string, limit int64) *problem {
	return refusal(codeTooLarge, fmt.Sprintf("the %s is too large: want at most %d bytes", what, limit))
}

func notFound(text string) *problem {
	return refusal(engine.CodeNotFound, text)
}

// problemOf makes the answer of any error.
func (a *api) problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if p := bodyProblem(err); p != nil {
		return p
	}
	switch {
	case errors.Is(err, engine.ErrClosed):
		return errClosed
	case errors.Is(err, quota.ErrNoCredits):
		return errNoCredits
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge("body", large.Limit)
	}
	code := engine.CodeOf(err)
	p := &problem{status: statusIn(code, opOf(err)), code: code}
	p.text = shown(code, causeOf(err))
	if hiddenTexts[code] != "" {
		p.id = uuid.NewString()
		a.internalError(p, err)
		return p
	}
	if opt, ok := errors.AsType[*engine.OptionError](err); ok {
		p.details = []decode.Issue{{Code: "custom", Path: decode.PathOf(opt.Field), Message: serverNames.Replace(opt.Error())}}
		if code != engine.CodeUnknown && p.status >= http.StatusInternalServerError && p.status != http.StatusServiceUnavailable {
			p.status = http.StatusBadRequest // whatever the code, what the request asks for is the caller's
		}
	}
	return p
}

// bodyProblem makes the answer of an error of package decode; nil: it is another one.
func bodyProblem(err error) *problem {
	if e, ok := errors.AsType[*decode.Error](err); ok {
		return &problem{status: http.StatusBadRequest, code: engine.CodeBadRequest, text: e.Error(), details: e.Issues}
	}
	switch {
	case errors.Is(err, decode.ErrNotJSON):
		return refusal(codeInvalidJSON, "the body is "+err.Error())
	case errors.Is(err, decode.ErrTooManyValues):
		return refusal(codeTooLarge, err.Error())
	}
	return nil
}

// opOf is the operation that an error is of, "" for none.
func opOf(err error) string {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Op
	}
	return ""
}

// causeOf is an error's text without operation and code, which stand in the body already.
func causeOf(err error) string {
	e, ok := errors.AsType[*engine.Error](err)
	for ok && e.Err != nil {
		var deeper *engine.Error
		if deeper, ok = e.Err.(*engine.Error); !ok {
			return e.Err.Error()
		}
		e = deeper
	}
	if e == nil {
		return err.Error()
	}
	return string(e.Code)
}

type errorBody struct {
	Success bool           `json:"success"`
	Code    engine.Code    `json:"code,omitempty"`
	Error   string         `json:"error"`
	Details []decode.Issue `json:"details,omitempty"`
	ID      string         `json:"id,omitempty"`
}

// waits are how long a client best waits where others must end something first, and when is unknown.
var waits = map[engine.Code]time.Duration{engine.CodeSessionLimit: 10 * time.Second, codeRateLimit: 10 * time.Second}

func (p *problem) write(w http.ResponseWriter) {
	if wait := cmp.Or(p.wait, waits[p.code]); wait > 0 { // p may be shared
		w.Header().Set("Retry-After", strconv.FormatInt(int64((wait+time.Second-1)/time.Second), 10))
	}
	if p.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	body, _ := json.Marshal(errorBody{Code: p.code, Error: p.text, Details: p.details, ID: p.id}) // plain fields: can't fail
	w.WriteHeader(p.status)
	_, _ = w.Write(append(body, '\n')) // a client that is gone needs no answer
}
