package page

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestDesk(t *testing.T) {
	desk := &Desk{make(chan struct{}, 1), time.Hour}
	first, second := desk.Place(), desk.Place()
	for range 2 { // a place that is taken is taken
		if err := first.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := second.Take(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want that the desk is full", err)
	}
	taken := make(chan error)
	go func() { taken <- second.Take(t.Context()) }()
	first.Leave()
	first.Leave()
	if err := <-taken; err != nil {
		t.Fatal(err)
	}
	second.Leave()
	if err := first.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	var none *Desk
	if err := none.Place().Take(ctx); err != nil {
		t.Error(err)
	}
	none.Place().Leave()
}

// A page that takes long gives its place to others, once.
func TestDesk_aSlowPageKeepsNobodyAway(t *testing.T) {
	desk := &Desk{make(chan struct{}, 1), time.Millisecond}
	slow := desk.Place()
	for range 3 {
		if err := slow.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		other := desk.Place()
		if err := other.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		other.Leave()
		slow.Leave()
		if len(desk.places) > 0 {
			t.Fatal("a place stays taken")
		}
	}
}
