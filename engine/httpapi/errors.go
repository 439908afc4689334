package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine"
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

// inner are the texts in place of causes that tell of this machine: those go to the log.
var inner = map[engine.Code]string{
	engine.CodeUnknown:          "an inner fault; the log of the service tells more under this id",
	engine.CodeProfileDamaged:   "the profile's stored state can't be read",
	engine.CodeAllEnginesFailed: "the page could not be got: neither by plain HTTP nor in a browser",
}

// problem is an answer that is an error.
type problem struct {
	status  int
	code    engine.Code
	text    string
	details []issue
	wait    time.Duration // until it makes sense to ask again; 0: not told
	id      string        // of an inner fault, in the log too
}

func (p *problem) Error() string { return string(p.code) + ": " + p.text }

var (
	errUnauthorized = &problem{status: http.StatusUnauthorized, code: codeUnauthorized, text: "a valid API key is needed: Authorization: Bearer <key>"}
	errOtherTeam    = &problem{status: http.StatusForbidden, code: codeForbidden, text: "this belongs to another team"}
	errNoCredits    = &problem{status: http.StatusPaymentRequired, code: codeNoCredits, text: "the credits of the team do not suffice"}
	errTooLarge     = &problem{status: http.StatusRequestEntityTooLarge, code: codeTooLarge, text: "the body is too large"}
	errNoRoute      = notFound("no such route")
	errSlowBody     = &problem{status: http.StatusRequestTimeout, code: codeSlowBody, text: "the body took too long to come in"}
	errClosed       = &problem{status: http.StatusServiceUnavailable, code: engine.CodeCancelled, text: "the service is stopping"}
)

func notFound(text string) *problem {
	return &problem{status: http.StatusNotFound, code: engine.CodeNotFound, text: text}
}

// problemOf makes the answer of any error.
func (a *api) problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if errors.Is(err, engine.ErrClosed) {
		return errClosed
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge
	}
	code := engine.CodeOf(err)
	p := &problem{status: statusIn(code, opOf(err)), code: code}
	if text, ok := inner[code]; ok {
		p.text, p.id = text, uuid.NewString()
		a.innerFault(p, err)
		return p
	}
	p.text = causeOf(err)
	if opt, ok := errors.AsType[*engine.OptionError](err); ok {
		p.details = []issue{{Code: "custom", Path: pathOf(opt.Field), Message: opt.Error()}}
	}
	return p
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
	Success bool        `json:"success"`
	Code    engine.Code `json:"code,omitempty"`
	Error   string      `json:"error"`
	Details []issue     `json:"details,omitempty"`
	ID      string      `json:"id,omitempty"`
}

func (p *problem) write(w http.ResponseWriter) {
	if p.wait > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(int64((p.wait+time.Second-1)/time.Second), 10))
	}
	if p.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	body, _ := json.Marshal(errorBody{Code: p.code, Error: p.text, Details: p.details, ID: p.id}) // plain fields: can't fail
	w.WriteHeader(p.status)
	_, _ = w.Write(append(body, '\n')) // a client that is gone needs no answer
}
