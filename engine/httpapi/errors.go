package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/decode"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
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

// hiddenTexts are the texts in place of causes that describe this machine: those go to the log.
var hiddenTexts = map[engine.Code]string{
	engine.CodeUnknown:          "internal error; see the log under this id",
	engine.CodeProfileDamaged:   "the stored state of the profile cannot be read",
	engine.CodeAllEnginesFailed: "the page could not be fetched: neither by plain HTTP nor in a browser",
}

// serverWords are pairs: words of the engine's messages that name fields and methods of the program, and those for clients over HTTP,
// which name the request's field or the server's flag.
var serverWords = []string{
	"set Options.Model", "the server's flag -model-url sets one",
	"declared local", "declared local by the server's flag -model-local",
	"set Options.Search to search.NewSearXNG (a SearXNG server), search.NewJSONAPI (any service that answers in JSON) or local.New " +
		"(full text of what the cache holds)", "the server's flag -searxng sets one",
	"Options.Search has none", "the server has none",
	" (Options.AllowZeroDataRetention)", "",
	", or raise Options.MaxSessions", "",
	"Options.Dir keeps them", "the server's flag -cache keeps them",
	"Options.Browser.ConnectURL is set", "the server uses a browser of another machine",
	"Options.Proxies has", "the server has",
	"CrawlEntireDomain follows", "crawlEntireDomain follows",
	"the crawl found; Errors lists them", "the crawl found; GET /v2/crawl/{id}/errors lists them",
	"could not be read; Errors lists them", "could not be read",
}

// serverNames puts a message into the words of HTTP.
var serverNames = strings.NewReplacer(serverWords...)

// shown is the text of a cause as clients read it.
func shown(code engine.Code, text string) string {
	if hidden, ok := hiddenTexts[code]; ok {
		return hidden
	}
	return serverNames.Replace(text)
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
	errTooLarge     = refusal(codeTooLarge, "the body is too large")
	errNoRoute      = notFound("no such route")
	errSlowBody     = refusal(codeSlowBody, "the body took too long to arrive")
	errClosed       = &problem{status: http.StatusServiceUnavailable, code: engine.CodeCancelled, text: "the service is stopping"}
)

// refusal makes the answer of a code, with its status of the table.
func refusal(code engine.Code, text string, details ...decode.Issue) *problem {
	return &problem{status: statuses[code], code: code, text: text, details: details}
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
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge
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
		return refusal(codeInvalidJSON, err.Error())
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
