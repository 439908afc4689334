package reading

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// frameAt is a frame by its id in the browser's protocol, and the session that reaches its process.
type frameAt struct {
	session playwright.CDPSession
	id      string
}

// world is a place in a frame's document for scripts of this package.
type world struct {
	session playwright.CDPSession
	context any
}

// world returns the frame's world of that name, apart from the page's own scripts: a new one, or the one that the document has already.
func (f frameAt) world(name string) (world, error) {
	made, err := f.session.Send("Page.createIsolatedWorld", map[string]any{"frameId": f.id, "worldName": name})
	return world{f.session, tab.Field(made, "executionContextId")}, err
}

// evaluate returns the value of an expression. What runs longer than limit is ended.
func (w world) evaluate(expression string, limit time.Duration) (any, error) {
	return w.value(map[string]any{"expression": expression, "timeout": limit.Milliseconds()})
}

// await returns what the promise of an expression comes to.
func (w world) await(expression string) (any, error) {
	return w.value(map[string]any{"expression": expression, "awaitPromise": true})
}

func (w world) value(params map[string]any) (any, error) {
	params["contextId"], params["returnByValue"] = w.context, true
	answer, err := w.session.Send("Runtime.evaluate", params)
	if err != nil {
		return nil, err
	}
	if thrown := tab.Field(answer, "exceptionDetails"); thrown != nil {
		return nil, fmt.Errorf("script: %v", tab.Field(thrown, "exception", "description"))
	}
	return tab.Field(answer, "result", "value"), nil
}

// frameOf returns the id of the frame in an element that the expression names.
func (w world) frameOf(expression string) (string, error) {
	answer, err := w.session.Send("Runtime.evaluate", map[string]any{"expression": expression, "contextId": w.context})
	if err != nil {
		return "", err
	}
	node, err := w.session.Send("DOM.describeNode", map[string]any{"objectId": tab.Field(answer, "result", "objectId")})
	id, _ := tab.Field(node, "node", "frameId").(string)
	return id, err
}

// frameHomes knows which session reaches a frame: frames of other sites have processes of their own.
type frameHomes struct {
	sessions map[string]playwright.CDPSession
	failed   map[string]string       // frame → the address that it could not load
	remote   []playwright.CDPSession // opened for the reading
	visited  bool
}

// add notes the frames of a session's process and returns the id of the first.
func (h *frameHomes) add(session playwright.CDPSession) (string, error) {
	tree, err := session.Send("Page.getFrameTree", map[string]any{})
	if err != nil {
		return "", err
	}
	if h.sessions == nil {
		h.sessions, h.failed = make(map[string]playwright.CDPSession), make(map[string]string)
	}
	h.note(session, tab.Field(tree, "frameTree"))
	root, _ := tab.Field(tree, "frameTree", "frame", "id").(string)
	return root, nil
}

func (h *frameHomes) note(session playwright.CDPSession, tree any) {
	if id, ok := tab.Field(tree, "frame", "id").(string); ok {
		h.sessions[id] = session
		if address, _ := tab.Field(tree, "frame", "unreachableUrl").(string); address != "" {
			h.failed[id] = address
		}
	}
	children, _ := tab.Field(tree, "childFrames").([]any)
	for _, c := range children {
		h.note(session, c)
	}
}

// visitRemote opens sessions for the frames that have processes of their own; there are none for the others.
func (r *reading) visitRemote(ctx context.Context) {
	if r.homes.visited {
		return
	}
	r.homes.visited = true
	for _, f := range r.reader.Frames.All() {
		if r.left() == 0 || len(r.homes.remote) >= MaxFrames {
			return
		}
		page := r.reader.tab.Page
		session, err, answered := tab.Try(ctx, r.reader.tab, r.left(), func() (playwright.CDPSession, error) {
			return page.Context().NewCDPSession(f)
		})
		if !answered || err != nil {
			continue
		}
		r.homes.remote = append(r.homes.remote, session)
		found, err, answered := tab.Try(ctx, r.reader.tab, r.left(), func() (frameHomes, error) {
			var h frameHomes
			_, err := h.add(session)
			return h, err
		})
		if answered && err == nil {
			maps.Copy(r.homes.sessions, found.sessions)
			maps.Copy(r.homes.failed, found.failed)
		}
	}
}

// leave closes the sessions that the reading has opened.
func (r *reading) leave(ctx context.Context) {
	for _, session := range r.homes.remote {
		_, _, _ = tab.Try(ctx, r.reader.tab, frameWait, func() (struct{}, error) { return struct{}{}, session.Detach() })
	}
}
