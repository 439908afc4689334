package ledger

import (
	"log/slog"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
)

func opened(db cache.DB) *Ledger {
	return Open(Options{DB: db, KeepFor: 24 * time.Hour, Ages: time.Now, Log: slog.New(slog.DiscardHandler)})
}

func TestUsage_countsTokensBesideCredits(t *testing.T) {
	l := opened(cache.NewMap())
	defer l.Close()
	day := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	l.Tokens("o", day, 7)
	l.Add("o", day.AddDate(0, 0, 1), 3)
	l.Tokens("o", day.AddDate(0, 0, 1), 1)
	l.Tokens("other", day, 9)
	want := Usage{Credits: 3, Tokens: 8, Days: []Day{{Day: "2026-11-21", Tokens: 7}, {Day: "2026-11-22", Credits: 3, Tokens: 1}}}
	if got, err := l.Usage("o"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// heldDB lets its first write begin and holds it.
type heldDB struct {
	cache.DB
	begun, free chan struct{}
	once        sync.Once
}

func (d *heldDB) Update(f func(cache.Tx) error) error {
	d.once.Do(func() {
		close(d.begun)
		<-d.free
	})
	return d.DB.Update(f)
}

// A reader sees all that was counted before, also what is being written at that moment.
func TestUsage_missesNothingThatIsBeingWritten(t *testing.T) {
	db := &heldDB{DB: cache.NewMap(), begun: make(chan struct{}), free: make(chan struct{})}
	l := opened(db)
	l.Add("o", time.Now(), 1)
	<-db.begun
	time.AfterFunc(20*time.Millisecond, func() { close(db.free) })
	if u, err := l.Usage("o"); err != nil || u.Credits != 1 {
		t.Errorf("got %+v, %v", u, err)
	}
	l.Close()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
