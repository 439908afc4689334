package liveview

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Bounds of one viewer's connection.
const (
	maxUnseen = 2 // pictures under way: more would only be late
	writeTime = 10 * time.Second
	pingEvery = 15 * time.Second
	pingTime  = 10 * time.Second
	byeTime   = time.Second
)

// viewer is one connection.
type viewer struct {
	stage   *stage
	conn    *websocket.Conn
	control bool
	fresh   chan struct{} // one token when there is something to send
	inputs  *queue        // nil when it only watches

	mu     sync.Mutex
	unseen int    // pictures that were sent and not acknowledged
	notice string // for this viewer, not sent yet
	refuse string // why it is shown the door
}

func newViewer(s *stage, conn *websocket.Conn, control bool) *viewer {
	v := &viewer{stage: s, conn: conn, control: control, fresh: make(chan struct{}, 1)}
	if control {
		v.inputs = newQueue()
	}
	return v
}

// wake has the viewer look for news.
func (v *viewer) wake() {
	select {
	case v.fresh <- struct{}{}:
	default:
	}
}

// notify leaves a notice; an older one that wasn't sent is forgotten.
func (v *viewer) notify(notice string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.notice = cut(notice, maxNotice)
	v.wake()
}

// dismiss ends the connection, with a reason for the viewer.
func (v *viewer) dismiss(reason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.refuse == "" {
		v.refuse = reason
	}
	v.wake()
}

// serve shows the screen until the viewer or the screen is gone, or ctx ends.
func (v *viewer) serve(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := v.stage.join(ctx, v); err != nil {
		v.bye(ctx, err.Error())
		return
	}
	defer v.stage.leave(v)
	left := make(chan struct{})
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	work.Go(func() {
		defer close(left)
		defer cancel()
		v.read(ctx)
	})
	work.Go(func() { v.ping(ctx, cancel) })
	if v.write(ctx) == nil {
		closes(left, byeTime) // the viewer hangs up when it has read the reason
	}
}

// closes waits until c is closed, at most d.
func closes(c <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
	case <-t.C:
	}
}

// write sends the viewer all that is new, until there is nothing more to come, which is nil, or an error.
func (v *viewer) write(ctx context.Context) error {
	_, steers := v.stage.screen.(Steerer)
	if err := v.send(ctx, hello{Type: "hello", Control: v.control, Steer: v.control && steers}); err != nil {
		return err
	}
	var sent news
	for {
		over, err := v.writeNews(ctx, &sent)
		if over || err != nil {
			return err
		}
		select {
		case <-v.fresh:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// writeNews sends what differs from what was sent.
func (v *viewer) writeNews(ctx context.Context, sent *news) (over bool, err error) {
	now := v.stage.news()
	notice, refuse := v.own()
	if now.over || refuse != "" {
		if refuse == "" {
			refuse = now.reason
		}
		return true, v.send(ctx, farewell{Type: "ended", Reason: cut(refuse, maxNotice)})
	}
	if now.status != sent.status {
		err = v.send(ctx, now.status)
		sent.status = now.status
	}
	if err == nil && notice != "" {
		err = v.send(ctx, remark{Type: "notice", Text: notice})
	}
	if err == nil && now.frames > 0 && now.frames != sent.frames && v.mayShow() {
		err = v.transmit(ctx, websocket.MessageBinary, packFrame(now.frame))
		sent.frames = now.frames
	}
	return false, err
}

// own takes what there is for this viewer alone.
func (v *viewer) own() (notice, refuse string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	notice, v.notice = v.notice, ""
	return notice, v.refuse
}

// mayShow counts a picture in; false while the viewer hasn't seen those before.
func (v *viewer) mayShow() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.unseen >= maxUnseen {
		return false
	}
	v.unseen++
	return true
}

// seen counts a picture out.
func (v *viewer) seen() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unseen = max(0, v.unseen-1)
	v.wake()
}

func (v *viewer) send(ctx context.Context, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return v.transmit(ctx, websocket.MessageText, data)
}

func (v *viewer) transmit(ctx context.Context, kind websocket.MessageType, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return v.conn.Write(ctx, kind, data)
}

// bye says why nothing is shown, to a viewer that hasn't joined.
func (v *viewer) bye(ctx context.Context, reason string) {
	if v.send(ctx, farewell{Type: "ended", Reason: reason}) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, byeTime)
	defer cancel()
	_, _, _ = v.conn.Read(ctx) // it hangs up
}

// ping ends a connection whose other end doesn't answer.
func (v *viewer) ping(ctx context.Context, cancel context.CancelFunc) {
	for pause(ctx, pingEvery); ctx.Err() == nil; pause(ctx, pingEvery) {
		waiting, done := context.WithTimeout(ctx, pingTime)
		err := v.conn.Ping(waiting)
		done()
		if err != nil {
			cancel()
		}
	}
}
