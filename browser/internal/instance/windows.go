package instance

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// maxOpeners is how many tabs are passed on the way from a tab to the page that is behind it.
const maxOpeners = 16

// Windows are the tabs that judged pages open. Such a tab requests its first document before the driver has it, so no session of its own
// can hold that: the browser's own session does, once there is a page that is judged, and then holds every document of the browser, at
// about a millisecond of CPU. Those of other pages go on at once. Of the frames of such a tab a session hears that is opened beside the
// driver's, once its first document is allowed.
type Windows struct {
	of *Instance

	enabling sync.Mutex // while the browser is made to hold documents
	on       bool

	mu       sync.Mutex
	judges   map[string]WindowJudge // by the main frame of the page
	behind   map[string]string      // tabs that were opened → the main frame of the page behind them
	sessions map[string]string      // with such tabs → the tab
}

var heldDocuments = map[string]any{"urlPattern": "http*", "resourceType": "Document"}

// WindowJudge reports whether a document isn't requested, of a tab or of a frame of it.
type WindowJudge func(to string, framed bool) (refused bool)

// Judge calls refuses with each document that a tab requests which the page with a main frame has opened, or a tab of it, before it
// is requested. It may be called from several goroutines, and may last. The call that begins waits for the browser.
func (w *Windows) Judge(main string, refuses WindowJudge) error {
	w.mu.Lock()
	if w.judges == nil {
		w.judges, w.behind, w.sessions = map[string]WindowJudge{}, map[string]string{}, map[string]string{}
	}
	w.judges[main] = refuses
	w.mu.Unlock()
	w.enabling.Lock()
	defer w.enabling.Unlock()
	if w.on {
		return nil
	}
	w.of.heart.On("Fetch.requestPaused", w.paused)
	w.of.heart.On("Target.receivedMessageFromTarget", w.framePaused)
	w.of.heart.On("Target.detachedFromTarget", w.gone)
	_, err := w.of.heart.Send("Fetch.enable", map[string]any{"patterns": []any{heldDocuments}})
	w.on = err == nil
	return err
}

// Leave ends what Judge began for a page.
func (w *Windows) Leave(main string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.judges, main)
	maps.DeleteFunc(w.sessions, func(_, tab string) bool { return w.behind[tab] == main })
	maps.DeleteFunc(w.behind, func(_, page string) bool { return page == main })
}

// paused answers for a document that the browser holds. It runs on the library's dispatch goroutine.
func (w *Windows) paused(params map[string]any) {
	request, _ := params["request"].(map[string]any)
	to, _ := request["url"].(string)
	frame, _ := params["frameId"].(string)
	w.of.Spawn(func() {
		judge := w.judgeOf(frame)
		refused := judge != nil && judge(to, false)
		if judge != nil && !refused {
			w.hear(frame)
		}
		_, _ = w.of.heart.Send(answerTo(params["requestId"], refused)) // it fails for a request that has ended meanwhile
	})
}

func answerTo(request any, refused bool) (method string, params map[string]any) {
	if refused {
		return "Fetch.failRequest", map[string]any{"requestId": request, "errorReason": "Aborted"}
	}
	return "Fetch.continueRequest", map[string]any{"requestId": request}
}

// hear has the documents of a tab's frames held, from its first document on.
func (w *Windows) hear(tab string) {
	w.mu.Lock()
	heard := slices.Contains(slices.Collect(maps.Values(w.sessions)), tab)
	w.mu.Unlock()
	if heard {
		return
	}
	answer, err := w.of.heart.Send("Target.attachToTarget", map[string]any{"targetId": tab, "flatten": false})
	all, _ := answer.(map[string]any)
	session, _ := all["sessionId"].(string)
	if err != nil || session == "" {
		return // the tab has ended
	}
	w.mu.Lock()
	w.sessions[session] = tab
	w.mu.Unlock()
	w.send(session, "Fetch.enable", map[string]any{"patterns": []any{heldDocuments}})
}

func (w *Windows) send(session, method string, params map[string]any) {
	message, err := json.Marshal(map[string]any{"id": 1, "method": method, "params": params})
	if err != nil {
		return
	}
	_, _ = w.of.heart.Send("Target.sendMessageToTarget", map[string]any{"sessionId": session, "message": string(message)})
}

// framePaused answers for a document that the browser holds for a tab that was opened. It runs on the library's dispatch goroutine.
func (w *Windows) framePaused(params map[string]any) {
	session, _ := params["sessionId"].(string)
	text, _ := params["message"].(string)
	var event struct {
		Method string
		Params struct {
			RequestID, FrameID string
			Request            struct{ URL string }
		}
	}
	if json.Unmarshal([]byte(text), &event) != nil || event.Method != "Fetch.requestPaused" {
		return
	}
	p := event.Params
	w.mu.Lock()
	tab, judge := w.sessions[session], w.judges[w.behind[w.sessions[session]]]
	w.mu.Unlock()
	w.of.Spawn(func() {
		method, answer := answerTo(p.RequestID, judge != nil && p.FrameID != tab && judge(p.Request.URL, true))
		w.send(session, method, answer)
	})
}

func (w *Windows) gone(params map[string]any) {
	session, _ := params["sessionId"].(string)
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.sessions, session)
}

// judgeOf is the judge of a tab that a page has opened; nil for pages themselves, for frames, and where there is none.
func (w *Windows) judgeOf(frame string) WindowJudge {
	at := frame
	for range maxOpeners {
		judge, own, known := w.lookUp(frame, at)
		if known {
			if own {
				return nil
			}
			return judge
		}
		info, err := w.of.heart.Send("Target.getTargetInfo", map[string]any{"targetId": at})
		if at = openerOf(info); err != nil || at == "" {
			return nil
		}
	}
	return nil
}

// lookUp finds the judge by a tab on the way from the one whose main frame is frame, and remembers it; own: that is a page itself.
func (w *Windows) lookUp(frame, at string) (judge WindowJudge, own, known bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.judges) == 0 {
		return nil, false, true
	}
	main := at
	if page, ok := w.behind[at]; ok {
		main = page
	}
	judge, known = w.judges[main]
	if known && main != frame {
		w.behind[frame] = main
	}
	return judge, main == frame, known
}

// openerOf is the tab that has opened a target; "" for other targets.
func openerOf(answer any) string {
	all, _ := answer.(map[string]any)
	info, _ := all["targetInfo"].(map[string]any)
	opener, _ := info["openerId"].(string)
	if kind, _ := info["type"].(string); kind != "page" {
		return ""
	}
	return opener
}
