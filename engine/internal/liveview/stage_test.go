package liveview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestViewer_getsStateAndPictures(t *testing.T) {
	t.Parallel()
	s, base := newServer(t, Options{})
	screen := newFakeScreen()
	urls := add(t, s, "a", screen)
	w := dial(t, base+urls.View)
	if hello := w.hears("hello"); hello["control"] != false || hello["steer"] != false {
		t.Errorf("got %v", hello)
	}
	if state := w.hears("state"); state["phase"] != connecting {
		t.Errorf("before a picture: %v", state)
	}
	screen.show <- show1(7)
	_, frame := w.next()
	for ; frame == nil; _, frame = w.next() {
	}
	if want := []byte{2, 128, 1, 224, 7}; !bytes.Equal(frame, want) {
		t.Errorf("frame %v, want %v", frame, want)
	}
	screen.mu.Lock()
	screen.state = State{URL: "https://b.example/", Title: "\xff<b>" + strings.Repeat("ä", maxTitle)}
	screen.mu.Unlock()
	for {
		state := w.hears("state")
		if state["url"] == "https://b.example/" && state["phase"] == live {
			if title := state["title"].(string); len(title) > maxTitle || !strings.HasPrefix(title, "\uFFFD<b>ää") {
				t.Errorf("title of %d bytes: %.20q", len(title), title)
			}
			return
		}
	}
}

func TestStage_oneScreencastForAll(t *testing.T) {
	s, base := newServer(t, Options{MaxViewers: 20, FrameEvery: time.Millisecond})
	screen := newFakeScreen()
	urls := add(t, s, "a", screen)
	for range 3 {
		watchAll(t, s, base, urls, screen)
		eventually(t, "nobody watches", func() bool { n, _, _ := screen.look(); return n == 0 && s.Viewers("a") == 0 })
	}
	if _, watched, _ := screen.look(); watched != 3 {
		t.Errorf("%d screencasts, want one for each time that there were viewers", watched)
	}
}

// watchAll has twenty viewers come, see and go.
func watchAll(t *testing.T, s *Server, base string, urls URLs, screen *fakeScreen) {
	t.Helper()
	first := dial(t, base+urls.View)
	screen.show <- show1(1)
	first.sees(1)
	all := []*watcher{first}
	for i := range 19 {
		w := dial(t, base+[]string{urls.View, urls.Control}[i%2])
		w.sees(1) // the last picture, though nothing has changed
		all = append(all, w)
	}
	refused := dial(t, base+urls.View)
	if got := refused.hears("ended")["reason"]; got != errCrowded.Error() {
		t.Errorf("got %q", got)
	}
	if n, _, _ := screen.look(); n != 1 || s.Viewers("a") != 20 {
		t.Errorf("%d screencasts for %d viewers", n, s.Viewers("a"))
	}
	screen.show <- show1(2)
	for _, w := range all {
		w.sees(2)
		_ = w.conn.CloseNow()
	}
}

func TestStage_slowViewerSkipsPictures(t *testing.T) {
	s, base := newServer(t, Options{FrameEvery: time.Nanosecond})
	screen := newFakeScreen()
	urls := add(t, s, "a", screen)
	slow, quick := dial(t, base+urls.View), dial(t, base+urls.View)
	big := func(b byte) Frame { return Frame{Data: append(make([]byte, 100_000), b), Width: 1, Height: 1} }
	for i := range 100 {
		screen.show <- big(byte(i + 1))
		if n := quick.sees(byte(i + 1)); n != 1 {
			t.Fatalf("the quick viewer got %d pictures for one", n)
		}
	}
	if n := slow.sees(100); n > maxUnseen+1 {
		t.Errorf("a viewer that has seen nothing yet was sent %d pictures, want the first %d and the newest", n, maxUnseen)
	}
}

func TestStage_screenThatFailsIsTriedAgainUntilItEnds(t *testing.T) {
	t.Parallel()
	s, base := newServer(t, Options{})
	screen := newFakeScreen()
	urls := add(t, s, "a", screen)
	w := dial(t, base+urls.View)
	screen.show <- show1(1)
	w.sees(1)
	screen.fail <- errors.New("the tab is gone")
	for w.hears("state")["phase"] != connecting {
	}
	screen.show <- show1(2)
	w.sees(2)
	screen.fail <- fmt.Errorf("%w: out of memory", ErrEnded)
	if got := w.hears("ended")["reason"]; got != "out of memory" {
		t.Errorf("reason %q", got)
	}
	if resp, _ := get(t, "GET", base+urls.View, nil); resp.StatusCode != 404 {
		t.Errorf("an ended screen: %d", resp.StatusCode)
	}
	s.Remove("a", "closed")
}

// Screens come and go while viewers do; nothing is left, and no screen is asked after its end.
func TestServer_comingAndGoing(t *testing.T) {
	s, base := newServer(t, Options{FrameEvery: time.Millisecond, StateEvery: time.Millisecond})
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 8 {
				comeAndGo(t, s, base, fmt.Sprint(n, i))
			}
		})
	}
	all.Wait()
}

func comeAndGo(t *testing.T, s *Server, base, id string) {
	screen := steeredScreen{newFakeScreen()}
	urls, err := s.Add(id, screen)
	if err != nil {
		t.Error(err)
		return
	}
	var viewers sync.WaitGroup
	for range 3 {
		viewers.Go(func() {
			w := dial(t, base+urls.Control)
			defer w.conn.CloseNow()
			for range 20 {
				if w.conn.Write(t.Context(), 1, []byte(`{"type":"input","input":{"kind":"down"}}`)) != nil {
					return
				}
			}
		})
	}
	viewers.Wait()
	s.Remove(id, "gone")
	if n, _, _ := screen.look(); n != 0 {
		t.Error("watched after Remove")
	}
}

func TestViewer_thatAnswersNothingHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	s := New(Options{FrameEvery: time.Nanosecond})
	addr, err := s.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	screen := newFakeScreen()
	urls := add(t, s, "a", screen)
	w := dial(t, "http://"+addr.String()+urls.Control) // and reads nothing
	for range 50 {
		select {
		case screen.show <- Frame{Data: make([]byte, 8<<20)}:
		case <-time.After(10 * time.Millisecond):
		}
	}
	eventually(t, "it watches", func() bool { return s.Viewers("a") == 1 })
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Close()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Fatal("Close waits for a viewer that doesn't answer")
	}
	_, _, _ = w.conn.Read(context.Background())
}
