package monitoring

import "github.com/winnow-go/winnow/engine/internal/jobs"

// notes implements [Notes].
type notes struct {
	run    *run
	target string
}

// Get implements [Notes].
func (n notes) Get(name string, v any) (found bool, err error) {
	err = n.run.o.DB.View(func(tx jobs.Tx) error {
		found, err = get(tx, bucketNotes, key(n.run.check, n.target, name), v)
		return err
	})
	return found, err
}

// Put implements [Notes]. The error is errGone where the monitor was deleted: what is kept of it is deleted once.
func (n notes) Put(name string, v any) error {
	return n.run.o.DB.Update(func(tx jobs.Tx) error {
		if _, err := n.run.current(tx); err != nil {
			return err
		}
		return put(tx, bucketNotes, key(n.run.check, n.target, name), v)
	})
}
