package mcp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// errOther says of what belongs to another owner what is said of what isn't there.
var errOther = errors.New("nothing of that id is known, or no longer")

// nexts are what a model does next, by code.
var nexts = map[engine.Code]string{
	engine.CodeTimeout:             `call again with options {"timeout": 120000} (milliseconds), or use another source.`,
	engine.CodeMapTimeout:          `call again with options {"timeout": 100000} (milliseconds), or crawl with a small limit.`,
	engine.CodeSearchTimeout:       "call again, or map a site that you know.",
	engine.CodeCancelled:           "nothing: the call was cancelled.",
	engine.CodeDNS:                 "check how the host is spelled; find may know its address.",
	engine.CodeSSL:                 "use another source: the site's certificate is not valid.",
	engine.CodeSite:                "call again later, or use another source.",
	engine.CodeBlocked:             "use another source. The operator does not allow this address; another attempt will be refused too.",
	engine.CodeRobots:              "use another source: the site forbids this address to robots.",
	engine.CodeUnsupportedFile:     "use another source: this file cannot be read.",
	engine.CodeFileType:            "use another file: this type cannot be read.",
	engine.CodePDFNeedsOCR:         "use another source: the file has only pictures of text, and this machine recognises none.",
	engine.CodeAction:              `look at the page again (session with do "see"), choose another element or action, and try that.`,
	engine.CodeProfileBusy:         "call again when the other session or call with this profile has ended.",
	engine.CodeNoCachedData:        "call again without minAge.",
	engine.CodeLockdownMiss:        "call again without lockdown, which reads only what is stored.",
	engine.CodeNotFound:            "use an id of a result of the last 24 hours, or read the address again.",
	engine.CodeModelNotConfigured:  "this server has no model of its own: read the page with query, and take out yourself what you need.",
	engine.CodeModelNotLocal:       "call again without lockdown and zeroDataRetention, which need a local model.",
	engine.CodeModelFailed:         "call again, or read the page with query and take out yourself what you need.",
	engine.CodeModelBudget:         "narrow the request: fewer pages, or a smaller schema.",
	engine.CodeInjection:           "use another source: this page instructs models.",
	engine.CodeSearchNotConfigured: "this server has no search: map a site that you know (with search), or read an address.",
	engine.CodeSearchFailed:        "call again later, or map a site that you know.",
	engine.CodeSessionLimit:        `list the sessions (do "list") and close one (do "close"), or call again later.`,
	engine.CodeSessionDestroyed:    "start another: session with a url and without an id.",
	engine.CodeSessionFailed:       "start another: session with a url and without an id.",
	engine.CodeNotConfigured:       `read the page with options {"actions": [...]} instead: this machine lacks what sessions need.`,
	engine.CodeReplay:              "read the page again, and use the new id.",
	engine.CodeFinished:            "read what the job has: crawl with its id.",
	engine.CodeMonitorBusy:         `a check is running: look at it with do "get", then at do "changes".`,
	engine.CodeStorage:             "say to the user that the server's disk is full or read-only.",
	engine.CodeAllEnginesFailed:    "call again, or use another source.",
	engine.CodeUnknown:             "call again; if it fails again, use another source.",
}

// otherwise is what is next after any other error.
const otherwise = "call again later, or use another source."

// failed is the result of an error. What r has already stands after it.
func (c *call) failed(err error, r *result) *sdk.CallToolResult {
	out := &result{c: c, failed: true}
	code, text, next := c.explained(err)
	out.line("error %s: %s", code, text)
	out.line("Next: %s", next)
	if r != nil {
		out.text.WriteString(r.text.String())
		out.more = r.more
	}
	return out.content()
}

// explained is what an error says, and what to do next.
func (c *call) explained(err error) (code engine.Code, text, next string) {
	if e, ok := errors.AsType[*decode.Error](err); ok {
		return engine.CodeBadRequest, e.Error(), c.correction(e)
	}
	if errors.Is(err, decode.ErrNotJSON) || errors.Is(err, decode.ErrTooManyValues) {
		return engine.CodeBadRequest, err.Error(), "call again with one JSON object as arguments."
	}
	code = engine.CodeOf(err)
	if code == "" {
		code = engine.CodeUnknown
	}
	if opt, ok := errors.AsType[*engine.OptionError](err); ok {
		return code, quoted(opt.Error()), "correct what is named, and call again; what is no argument is a key of options."
	}
	if code == engine.CodeUnknown {
		c.o.Logger.Error("a call failed", "tool", c.tool, "error", err)
		return code, "internal error; see the log of the server.", nexts[code]
	}
	if next = nexts[code]; next == "" {
		next = otherwise
	}
	return code, quoted(cause(code, err)), next
}

// correction is what to do about arguments that are refused.
func (c *call) correction(e *decode.Error) string {
	first := e.Issues[0]
	if first.Code != "unrecognized_keys" {
		return "correct what is named, and call again."
	}
	for _, t := range table() {
		if t.name != c.tool {
			continue
		}
		if len(first.Path) == 1 {
			var names []string
			for _, p := range t.params(c.server) {
				names = append(names, p.name)
			}
			return "leave it out; the arguments are " + strings.Join(names, ", ") + "."
		}
		if t.options != nil && len(first.Path) == 2 && first.Path[0] == "options" {
			return "leave it out; the keys of options are " + strings.Join(supported(t.options()), ", ") + "."
		}
	}
	return "leave it out, and call again."
}

// supported are the names of the fields that take more than false, in order.
func supported(f decode.Fields) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if f[name].Shape()["const"] != false {
			names = append(names, name)
		}
	}
	return names
}

// cause is an error's text without operation, address and code.
func cause(code engine.Code, err error) string {
	text := err.Error()
	if _, cut, ok := strings.Cut(text, string(code)+": "); ok {
		return cut
	}
	return text
}

// quoted is a text that may repeat what a page says, in one line, as a string of Go.
func quoted(text string) string {
	return fmt.Sprintf("%q", clip.Bytes(text, 600))
}
