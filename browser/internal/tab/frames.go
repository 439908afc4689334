package tab

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
)

// frames gives frames that have processes of their own, and workers, the identity of their page. The driver gives such processes an agent
// and a language, but no brands and versions: they would name the browser that runs. Workers would have the browser's languages; the driver
// lets each run at once, so that one whose first statement looks may see them still.
//
// The browser holds each such frame until it knows. A frame is a session within its parent's, so a message to it is packed once for each
// frame around it.
type frames struct {
	tab      *Tab
	identity map[string]any
}

// framePath names a frame by the sessions that lead to it from the page.
type framePath []string

// attachFrames are the parameters of Target.setAutoAttach.
var attachFrames = map[string]any{
	"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": false, "filter": []any{map[string]any{"type": "iframe"}, map[string]any{"type": "worker"}},
}

// Identify gives the tab and all its frames the identity, parameters of Emulation.setUserAgentOverride. It needs CDP.
func (t *Tab) Identify(ctx context.Context, identity map[string]any) error {
	if err := t.Send(ctx, "Emulation.setUserAgentOverride", identity); err != nil {
		return err
	}
	f := frames{t, identity}
	t.CDP.On("Target.attachedToTarget", func(params map[string]any) { f.heard(nil, "Target.attachedToTarget", params) })
	t.CDP.On("Target.receivedMessageFromTarget", func(params map[string]any) { f.heard(nil, "Target.receivedMessageFromTarget", params) })
	return t.Send(ctx, "Target.setAutoAttach", attachFrames)
}

// heard takes an event of the page or of one of its frames. It runs on the library's dispatch goroutine and must not block.
func (f frames) heard(at framePath, method string, params map[string]any) {
	if method == "Fetch.requestPaused" {
		f.tab.intercepted.Load().paused(pausedOf(params, at)) // it was set before a frame could be told to hold anything
		return
	}
	session, ok := params["sessionId"].(string)
	if !ok {
		return
	}
	inner := append(slices.Clone(at), session)
	switch method {
	case "Target.attachedToTarget":
		kind, _ := Field(params, "targetInfo", "type").(string)
		Start(f.tab, func() (struct{}, error) { return struct{}{}, f.identify(inner, kind == "worker") })
	case "Target.receivedMessageFromTarget":
		var event struct {
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		text, _ := params["message"].(string)
		if json.Unmarshal([]byte(text), &event) == nil {
			f.heard(inner, event.Method, event.Params)
		}
	}
}

// identify gives a frame the identity, and has it run.
func (f frames) identify(at framePath, worker bool) error {
	if err := f.tab.sendWithin(at, "Emulation.setUserAgentOverride", f.identity); err != nil {
		return err
	}
	if err := f.tab.sendWithin(at, "Target.setAutoAttach", attachFrames); err != nil {
		return err
	}
	if i := f.tab.intercepted.Load(); !worker && i != nil && len(i.foreign) > 0 {
		if err := f.tab.sendWithin(at, "Fetch.enable", map[string]any{"patterns": i.foreign}); err != nil {
			return err
		}
	}
	return f.tab.sendWithin(at, "Runtime.runIfWaitingForDebugger", map[string]any{})
}

// inward are the sessions of a path, the innermost first.
func (at framePath) inward() iter.Seq2[int, string] { return slices.Backward(at) }
