package jobs

import (
	"path/filepath"
	"testing"
)

// benchStores are the two that jobs are measured on.
func benchStores(b *testing.B, bench func(b *testing.B, db store)) {
	b.Run("memory", func(b *testing.B) { bench(b, memory()) })
	b.Run("file", func(b *testing.B) {
		db := openFile(b, filepath.Join(b.TempDir(), "state.db"))
		b.Cleanup(func() { _ = db.Close() })
		bench(b, db)
	})
}

// One durable event after the other, and many at once, which share their syncs.
func BenchmarkAppend(b *testing.B) {
	benchStores(b, func(b *testing.B, db store) {
		j := open(b, db, Options{})
		r := create(b, j, New{})
		for b.Loop() {
			if _, err := j.Append(b.Context(), r.ID, Event{Type: EventPage, Ref: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAppend_parallel(b *testing.B) {
	benchStores(b, func(b *testing.B, db store) {
		j := open(b, db, Options{})
		r := create(b, j, New{})
		b.SetParallelism(32)
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				if _, err := j.Append(b.Context(), r.ID, Event{Type: EventPage, Ref: 1}); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// All events of a job of 10 000 pages.
func BenchmarkEvents(b *testing.B) {
	benchStores(b, func(b *testing.B, db store) {
		j := open(b, db, Options{})
		r := create(b, j, New{})
		bulk(b, j, r.ID, 10_000)
		finish(b, j, r.ID, Completed)
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			for _, err := range j.Events(b.Context(), r.ID, 0) {
				if n++; err != nil {
					b.Fatal(err)
				}
			}
			if n != 10_002 {
				b.Fatal(n)
			}
		}
		b.ReportMetric(10_002*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	})
}

// The newest jobs of an owner among 10 000 of others: the worst that a list has to look at.
func BenchmarkList_rareOwner(b *testing.B) {
	j := open(b, memory(), Options{})
	for range 10_000 {
		create(b, j, New{Owner: "others"})
	}
	owner := "none"
	for b.Loop() {
		if _, _, err := j.List(b.Context(), Query{Owner: &owner}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeter(b *testing.B) {
	m := NewMeter(nil)
	for b.Loop() {
		m.Note(1)
		m.Progress(Progress{Queued: 1})
	}
}
