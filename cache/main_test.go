package cache

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if helper := os.Getenv(helperEnv); helper != "" {
		os.Exit(runHelper(helper))
	}
	goleak.VerifyTestMain(m)
}

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// at is a time of the tests: second n.
func at(n int) time.Time { return time.Unix(1_700_000_000+int64(n), 0).UTC() }

func filePath(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") }

func mustOpenFile(t *testing.T, path string, o FileOptions) *File {
	t.Helper()
	if o.Kind == "" {
		o.Kind = "test"
	}
	f, err := OpenFile(path, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustClose(t *testing.T, c interface{ Close() error }) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// mustPut puts one pair into bucket "b".
func mustPut(t *testing.T, db DB, key, value string) {
	t.Helper()
	if err := db.Update(func(tx Tx) error { return tx.Put("b", []byte(key), []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

// value reads from bucket "b".
func value(t *testing.T, db DB, key string) (v string) {
	t.Helper()
	err := db.View(func(tx Tx) error {
		v = string(tx.Get("b", []byte(key)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// checkPages lets bbolt check all pages of the file.
func checkPages(t *testing.T, f *File) {
	t.Helper()
	err := f.bolt.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("pages: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// checkTotals counts all again and compares.
func checkTotals(t *testing.T, s *store) {
	t.Helper()
	err := s.db.View(func(tx Tx) error {
		have, err := s.totals(tx)
		want := (&change{store: s, tx: tx}).count()
		want.last, want.lost = have.last, have.lost
		if err != nil || have != want {
			t.Errorf("totals are %+v, %v; counted %+v", have, err, want)
		}
		values := int64(0)
		for range tx.Scan(s.values, nil) {
			values++
		}
		if values != have.versions {
			t.Errorf("%d values, %d versions", values, have.versions)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// logBuffer is a log that can be read while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newLog() (*slog.Logger, *logBuffer) {
	l := &logBuffer{}
	return slog.New(slog.NewTextHandler(l, nil)), l
}

// noiseText is text that can't be compressed much.
func noiseText(seed, n int) string {
	b := make([]byte, n)
	x := uint32(seed)*2654435761 + 1
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return string(b)
}
