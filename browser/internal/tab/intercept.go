package tab

import (
	"context"
	"encoding/json"
)

// Paused is a request that the browser holds until Answer.
type Paused struct {
	ID      string
	URL     string
	Type    string // of the resource, as the browser names it
	Frame   string // the frame that it is for
	Headers map[string]any
	Foreign bool // of a frame that has a process of its own

	at framePath
}

// interception says which requests of a tab are held, and who hears of them.
type interception struct {
	own     []any // patterns for the page's own frames
	foreign []any // and for frames that have processes of their own
	paused  func(Paused)
}

// Intercept has the browser hold the requests whose address fits one of the patterns, of the page's own frames and of those that have
// processes of their own; without patterns none. It is called once, before the tab has shown a page. paused must not block.
func (t *Tab) Intercept(ctx context.Context, own, foreign []string, paused func(Paused)) error {
	i := &interception{own: fetchPatterns(own), foreign: fetchPatterns(foreign), paused: paused}
	t.intercepted.Store(i)
	t.CDP.On("Fetch.requestPaused", func(params map[string]any) { paused(pausedOf(params, nil)) })
	if len(own) == 0 {
		return nil
	}
	return t.Send(ctx, "Fetch.enable", map[string]any{"patterns": i.own})
}

// InterceptDocuments has the browser hold documents from now on, of the page and of all its frames, beside what Intercept has it hold. It
// is called once, while the tab loads nothing, with the same paused.
func (t *Tab) InterceptDocuments(ctx context.Context, paused func(Paused)) error {
	if t.intercepted.Load() == nil {
		if err := t.Intercept(ctx, nil, nil, paused); err != nil {
			return err
		}
	}
	i, documents := *t.intercepted.Load(), map[string]any{"urlPattern": "*", "resourceType": "Document"}
	i.own, i.foreign = append(i.own, documents), append(i.foreign, documents)
	t.intercepted.Store(&i)
	return t.Send(ctx, "Fetch.enable", map[string]any{"patterns": i.own})
}

func fetchPatterns(patterns []string) []any {
	list := make([]any, len(patterns))
	for i, p := range patterns {
		list[i] = map[string]any{"urlPattern": p}
	}
	return list
}

func pausedOf(params map[string]any, at framePath) Paused {
	p := Paused{Foreign: len(at) > 0, at: at}
	p.ID, _ = params["requestId"].(string)
	p.URL, _ = Field(params, "request", "url").(string)
	p.Type, _ = params["resourceType"].(string)
	p.Frame, _ = params["frameId"].(string)
	p.Headers, _ = Field(params, "request", "headers").(map[string]any)
	return p
}

// Answer sends the answer to a held request, Fetch.continueRequest or Fetch.failRequest.
func (t *Tab) Answer(p Paused, method string, params map[string]any) error {
	params["requestId"] = p.ID
	return t.sendWithin(p.at, method, params)
}

// sendWithin sends a message to a frame, the page itself without a path. Only the page's answer is awaited.
func (t *Tab) sendWithin(at framePath, method string, params map[string]any) error {
	for _, session := range at.inward() {
		message, err := json.Marshal(map[string]any{"id": 1, "method": method, "params": params})
		if err != nil {
			return err
		}
		method, params = "Target.sendMessageToTarget", map[string]any{"sessionId": session, "message": string(message)}
	}
	_, err := t.CDP.Send(method, params)
	return err
}

// MainFrame returns the browser's name of the page's main frame.
func (t *Tab) MainFrame(ctx context.Context) (string, error) {
	tree, err := Do(ctx, t, "look at the frames", func() (any, error) { return t.CDP.Send("Page.getFrameTree", map[string]any{}) })
	if err != nil {
		return "", err
	}
	id, _ := Field(tree, "frameTree", "frame", "id").(string)
	return id, nil
}
