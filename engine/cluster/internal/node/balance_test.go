package node

import (
	"context"
	"testing"
)

// files are the stores of one member, each of which can be open once.
type files struct {
	open map[int]int
	last *file
}

type file struct {
	DB
	files   *files
	number  int
	closing func() // is called while it is closed
}

func (f *file) Close() error {
	if f.closing != nil {
		f.closing()
	}
	f.files.open[f.number]--
	return f.DB.Close()
}

// inFiles has a member open its shards as files. during is called while one is opened.
func inFiles(t *testing.T, m *member, during func()) *files {
	all, before := &files{open: map[int]int{}}, m.node.o.Open
	m.node.o.Open = func(ctx context.Context, number int) (DB, error) {
		if all.open[number]++; all.open[number] > 1 {
			t.Errorf("shard %d is opened while it is open", number)
		}
		during()
		db, err := before(ctx, number)
		all.last = &file{DB: db, files: all, number: number}
		return all.last, err
	}
	return all
}

func openAll(t *testing.T, m *member) {
	t.Helper()
	if _, err := m.node.Balance(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := 0; n >= 0; {
		var err error
		if n, err = m.node.OpenNext(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// alone is a member of a simulation in which nothing fails, and that has no shard yet.
func alone() (*simulation, *member) {
	s := newSimulation(1)
	s.calm, s.members = true, nil
	s.join()
	return s, s.members[0]
}

// A shard that is being opened when the lease is renewed isn't opened once more.
func TestOpenNext_onceWhereItTakesLong(t *testing.T) {
	s, m := alone()
	inFiles(t, m, func() { _, _ = m.node.Balance(t.Context()) })
	openAll(t, m)
	if len(m.node.Open()) != s.shards {
		t.Errorf("%v are open of %d", m.node.Open(), s.shards)
	}
}

// A shard that was lost is opened again when what this member had of it is closed, and not before.
func TestOpenNext_whenTheFormerIsClosed(t *testing.T) {
	s, m := alone()
	all := inFiles(t, m, func() {})
	openAll(t, m)
	last := all.last
	sh, err := m.node.shard(last.number)
	if err != nil {
		t.Fatal(err)
	}
	last.closing = func() { openAll(t, m) }
	_ = m.node.note(sh, errGone)
	if err := m.node.note(sh, errGone); err != errGone {
		t.Errorf("an error of a shard that is closed: %v", err)
	}
	if len(m.node.Open()) != s.shards-1 {
		t.Errorf("%v are open of %d, while one was being closed", m.node.Open(), s.shards)
	}
	openAll(t, m)
	if len(m.node.Open()) != s.shards {
		t.Errorf("%v are open of %d", m.node.Open(), s.shards)
	}
}
