package walk

import (
	"context"
	"errors"
	"testing"
)

// dying ends after a number of looks at it.
type dying struct {
	context.Context
	looks int
}

func (d *dying) Err() error {
	if d.looks--; d.looks < 0 {
		return context.Canceled
	}
	return nil
}

func visit(ctx context.Context, nodes int) (visited int64, err error) {
	s := New(ctx)
	defer func() { visited = s.Visited() }()
	defer s.Catch(&err)
	for range nodes {
		s.Visit()
	}
	return 0, nil
}

func TestSteps_endWithTheirContext(t *testing.T) {
	visited, err := visit(&dying{context.Background(), 3}, 1_000_000)
	if !errors.Is(err, context.Canceled) || visited > 4*(interval+1) {
		t.Errorf("got %v after %d nodes", err, visited)
	}
}

func TestSteps_countAllNodes(t *testing.T) {
	if visited, err := visit(context.Background(), 5000); err != nil || visited != 5000 {
		t.Errorf("got %d, %v", visited, err)
	}
	s := New(context.Background())
	s.Add(7)
	if got, err := visit(s, 5); got != 12 || err != nil {
		t.Errorf("Steps of Steps: got %d, %v", got, err)
	}
	var none *Steps
	none.Visit()
}

func TestCatch_letsOtherPanicsPass(t *testing.T) {
	defer func() {
		if r := recover(); r != "other" {
			t.Errorf("got %v", r)
		}
	}()
	var err error
	defer New(context.Background()).Catch(&err)
	panic("other")
}
