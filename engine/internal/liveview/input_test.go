package liveview

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestInput_reachesTheScreenInOrder(t *testing.T) {
	s, base := newServer(t, Options{})
	screen := steeredScreen{newFakeScreen()}
	w := dial(t, base+add(t, s, "a", screen).Control)
	if hello := w.hears("hello"); hello["control"] != true || hello["steer"] != true {
		t.Errorf("got %v", hello)
	}
	want := []Input{
		{Kind: Down, X: 1.5, Y: 2, Button: "left", Buttons: 1, Clicks: 1, Modifiers: 8}, {Kind: Up, X: 1.5, Y: 2},
		{Kind: Press, Key: "a", Code: "KeyA", Text: "a", Repeat: true}, {Kind: Lift, Key: "a", Code: "KeyA"},
		{Kind: Text, Text: "<b>日本\n"}, {Kind: Wheel, DeltaY: -3},
	}
	for _, in := range want {
		data, err := json.Marshal(message{Type: inputType, Input: in})
		if err != nil {
			t.Fatal(err)
		}
		w.sends(string(data))
	}
	w.sends(`{"type":"goto","address":" https://b.example/ "}`)
	w.sends(`{"type":"travel","steps":-2}`)
	w.sends(`{"type":"travel"}`)
	eventually(t, "all is done", func() bool { screen.mu.Lock(); defer screen.mu.Unlock(); return len(screen.steered) == 3 })
	if _, _, got := screen.look(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if want := []string{"https://b.example/", "<<", ""}; !slices.Equal(screen.steered, want) {
		t.Errorf("got %q, want %q", screen.steered, want)
	}
}

func TestInput_ofThoseWhoMayOnlyWatchIsRefused(t *testing.T) {
	for _, sent := range []string{
		`{"type":"input","input":{"kind":"down"}}`, `{"type":"goto","address":"https://b.example/"}`, `{"type":"travel"}`, `{"type":"hello"}`, `{}`, `[]`, `no`,
	} {
		s, base := newServer(t, Options{})
		screen := steeredScreen{newFakeScreen()}
		w := dial(t, base+add(t, s, "a", screen).View)
		w.sends(`{"type":"seen"}`)
		w.sends(sent)
		if reason := w.hears("ended")["reason"]; reason == "" {
			t.Errorf("%s: no reason", sent)
		}
		if _, _, inputs := screen.look(); len(inputs)+len(screen.steered) > 0 {
			t.Errorf("%s: reached the screen: %v %v", sent, inputs, screen.steered)
		}
	}
}

// A screen without an address field isn't steered, and what fails is reported.
func TestInput_failures(t *testing.T) {
	s, base := newServer(t, Options{})
	screen := newFakeScreen()
	screen.err = errors.New("the page <b>does not</b> answer")
	w := dial(t, base+add(t, s, "a", screen).Control)
	w.sends(`{"type":"goto","address":"https://b.example/"}`)
	w.sends(`{"type":"input","input":{"kind":"down"}}`)
	if got := w.hears("notice")["text"]; got != screen.err.Error() {
		t.Errorf("got %q", got)
	}
	w.sends(`{"type":"input","input":{"kind":"sideways"}}`)
	if got := w.hears("ended")["reason"].(string); !strings.Contains(got, "kind") {
		t.Errorf("got %q", got)
	}
}

// What a busy screen can't take is bounded, and lost input is reported.
func TestInput_waitsInABoundedQueue(t *testing.T) {
	s, base := newServer(t, Options{})
	screen := newFakeScreen()
	screen.hold = make(chan struct{})
	w := dial(t, base+add(t, s, "a", screen).Control)
	for i := range maxQueue + 50 {
		w.sends(fmt.Sprintf(`{"type":"input","input":{"kind":"press","key":"a","code":"%d"}}`, i))
	}
	if got := w.hears("notice")["text"]; got != notAnswering {
		t.Errorf("got %q", got)
	}
	close(screen.hold)
	eventually(t, "what was kept is done", func() bool { _, _, in := screen.look(); return len(in) >= maxQueue })
	if _, _, in := screen.look(); len(in) >= maxQueue+50 {
		t.Errorf("all %d inputs were done, and yet some lost", len(in))
	}
}

func TestQueue_hasABound(t *testing.T) {
	q := newQueue()
	for i := range maxQueue + 10 {
		if kept := q.add(message{Type: travelType, Steps: i}); kept != (i < maxQueue) {
			t.Fatalf("message %d: kept %v", i, kept)
		}
	}
	if m, ok := q.take(); !ok || m.Steps != 0 {
		t.Errorf("got %+v, want the oldest", m)
	}
}

func TestQueue_mergesWhatMayBeMerged(t *testing.T) {
	input := func(in Input) message { return message{Type: inputType, Input: in} }
	q := newQueue()
	for _, m := range []message{
		input(Input{Kind: Move, X: 1}), input(Input{Kind: Move, X: 2}), input(Input{Kind: Move, X: 3, Buttons: 1}), input(Input{Kind: Move, X: 4, Buttons: 1}),
		input(Input{Kind: Wheel, DeltaY: 5}), input(Input{Kind: Wheel, DeltaY: 6, DeltaX: -1}), input(Input{Kind: Wheel, DeltaY: 1, Modifiers: 2}),
		input(Input{Kind: Press, Key: "a"}), input(Input{Kind: Press, Key: "a"}), {Type: travelType}, {Type: travelType},
	} {
		if !q.add(m) {
			t.Fatal("full")
		}
	}
	want := []message{
		input(Input{Kind: Move, X: 2}), input(Input{Kind: Move, X: 4, Buttons: 1}), input(Input{Kind: Wheel, DeltaY: 11, DeltaX: -1}),
		input(Input{Kind: Wheel, DeltaY: 1, Modifiers: 2}), input(Input{Kind: Press, Key: "a"}), input(Input{Kind: Press, Key: "a"}), {Type: travelType}, {Type: travelType},
	}
	if !reflect.DeepEqual(q.list, want) {
		t.Errorf("got %+v", q.list)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"seen"}`, `{"type":"input","input":{"kind":"move","x":1e400}}`, `{"type":"input","input":{"kind":"press","key":"a","text":"\ud800"}}`,
		`{"type":"goto","address":"javascript:alert(1)"}`, `{"type":"travel","steps":-9223372036854775808}`, `{"type":"input","input":{"kind":"text","text":"x"}}`,
		`{"type":"input","input":{"kind":"wheel","deltaX":-1000000,"modifiers":15,"buttons":31,"clicks":3}}`, `[[[[`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	q := newQueue()
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decode(data)
		if err != nil {
			return
		}
		in := m.Input
		for _, v := range []float64{in.X, in.Y, in.DeltaX, in.DeltaY} {
			if math.IsNaN(v) || math.Abs(v) > maxPlace {
				t.Errorf("place %v", v)
			}
		}
		if len(in.Key) > maxKey || len(in.Code) > maxKey || len(m.Address) > maxAddress || max(m.Steps, -m.Steps) > maxSteps || len(in.Text) > 4*maxText ||
			in.Buttons>>5 != 0 || in.Modifiers>>4 != 0 || in.Clicks>>2 != 0 {
			t.Errorf("out of bounds: %+v", m)
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := decode(again); err != nil || back != m {
			t.Errorf("%+v came back as %+v, %v", m, back, err)
		}
		q.add(m)
		if len(q.list) > maxQueue {
			t.Error("the queue has no bound")
		}
	})
}
