package worktest

import (
	"sync"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Corrections are kept in memory, and handed out when all else is done. Safe for concurrent use.
type Corrections struct {
	mu      sync.Mutex
	waiting []work.Correction
	inHand  int
	kept    []string
	begun   bool
}

// Again makes corrections of pages.
func Again(list ...work.Correction) *Corrections { return &Corrections{waiting: list} }

// Kept are the reasons for which pages could not be got again.
func (c *Corrections) Kept() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept
}

// Next implements [work.Corrections].
func (c *Corrections) Next() (next work.Correction, ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begun || len(c.waiting) == 0 {
		return next, false, nil
	}
	next, c.waiting = c.waiting[0], c.waiting[1:]
	c.inHand++
	return next, true, nil
}

// Done implements [work.Corrections].
func (c *Corrections) Done(work.Correction) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inHand--
}

// InHand implements [work.Corrections].
func (c *Corrections) InHand() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.inHand
}

// Keep implements [work.Corrections].
func (c *Corrections) Keep(_ work.Correction, why error) func(jobs.Tx) error {
	return func(jobs.Tx) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.kept = append(c.kept, why.Error())
		return nil
	}
}

// Last implements [work.Corrections].
func (c *Corrections) Last() (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.begun
	c.begun = true
	return first && len(c.waiting) > 0, nil
}
