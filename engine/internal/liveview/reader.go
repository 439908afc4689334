package liveview

import (
	"context"
	"time"
)

// actTime bounds one input, address or step of the history: somewhat more than a page has for an input.
const actTime = 15 * time.Second

// read takes what the viewer sends until it is gone. It never waits for the screen.
func (v *viewer) read(ctx context.Context) {
	for {
		_, data, err := v.conn.Read(ctx)
		if err != nil {
			return
		}
		m, err := decode(data)
		switch {
		case err != nil:
			v.dismiss("what was sent makes no sense: " + err.Error())
		case m.Type == seenType:
			v.seen()
		case !v.control:
			v.dismiss("this address is for watching only")
		case !v.inputs.add(m):
			v.notify(notAnswering)
		}
	}
}

// notAnswering is the notice when input was lost.
const notAnswering = "The page does not answer; what was done meanwhile is lost."

// act does what the viewer asks for, one after the other, until ctx or the screen ends.
func (v *viewer) act(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(v.stage.ctx, cancel)()
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.inputs.ready:
		}
		for m, ok := v.inputs.take(); ok && ctx.Err() == nil; m, ok = v.inputs.take() {
			if err := v.stage.do(ctx, m); err != nil && ctx.Err() == nil {
				v.inputs.clear()
				v.notify(err.Error())
			}
		}
	}
}

// do does one thing that a viewer asks for. Those of several take turns.
func (s *stage) do(ctx context.Context, m message) error {
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	s.serial.Lock()
	defer s.serial.Unlock()
	steerer, steers := s.screen.(Steerer)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case m.Type == inputType:
		return s.screen.Input(ctx, m.Input)
	case steers && m.Type == gotoType:
		return steerer.Goto(ctx, m.Address)
	case steers && m.Type == travelType:
		return steerer.Travel(ctx, m.Steps)
	}
	return nil
}
