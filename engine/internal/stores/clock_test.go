package stores

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/internal/records"
)

// A folder that is opened with the system's clock a year ahead loses nothing by that; a caller's clock is what it says.
func TestOpen_aYearThatHasPassedExpiresNothingAtOnce(t *testing.T) {
	for want, ages := range map[error]func() time.Time{nil: nil, records.ErrNotFound: time.Now} {
		dir, ago := t.TempDir(), time.Now().Add(-365*24*time.Hour)
		before := func() time.Time { return ago }
		s, err := Open(Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: before, Ages: before})
		if err != nil {
			t.Fatal(err)
		}
		put := s.Records.Put(t.Context(), records.Record{ID: "1", Page: page, CreatedAt: ago}, "x")
		if err := errors.Join(put, s.Close()); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: time.Now, Ages: ages}); err != nil {
			t.Fatal(err)
		}
		if err := s.prune(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := s.Records.Head(t.Context(), "1"); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
