package uploads

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// later is a clock that is moved by hand.
type later struct {
	mu sync.Mutex
	at time.Time
}

func (l *later) now() time.Time { l.mu.Lock(); defer l.mu.Unlock(); return l.at }

func (l *later) pass(d time.Duration) { l.mu.Lock(); defer l.mu.Unlock(); l.at = l.at.Add(d) }

func TestStore_boundsAndForgets(t *testing.T) {
	clock := &later{at: time.Now()}
	s := NewStore(t.TempDir(), clock.now)
	give := func(team string, limit int64) *Upload {
		w, _, _, err := s.Issue(Owner{Team: team}, "x", "", limit)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	large, small := give("a", maxBytes), give("a", 10)
	if err := s.Put(small, iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) || s.held != 0 {
		t.Errorf("%v, %d held", err, s.held)
	}
	if err := s.Put(small, bytes.NewReader(make([]byte, 10))); err != nil || s.held != 10 {
		t.Fatalf("after it broke off: %v, %d held", err, s.held)
	}
	if err := s.Put(large, bytes.NewReader(nil)); !errors.Is(err, ErrFull) {
		t.Errorf("beyond all room: %v", err)
	}
	// One whose time runs out while it comes is dropped when it is there; another is only dropped.
	slow := give("b", 5)
	err := s.Put(slow, io.MultiReader(readFunc(func() { clock.pass(Lifetime); s.tidy() }), strings.NewReader("12345")))
	if err != nil || s.held != 0 || len(s.byID) != 0 {
		t.Errorf("%v, %d held, %d references", err, s.held, len(s.byID))
	}
	if _, err := s.Take(slow); !errors.Is(err, ErrExpired) {
		t.Errorf("what is over: %v", err)
	}
	if err := s.Put(slow, strings.NewReader("12345")); !errors.Is(err, ErrExpired) || s.held != 0 {
		t.Errorf("uploading what is over: %v, %d held", err, s.held)
	}
	clock.pass(unparsedWindow)
	if s.tidy(); len(s.unparsed) != 0 {
		t.Errorf("%v", s.unparsed)
	}
}

// readFunc does something and is empty.
type readFunc func()

func (f readFunc) Read([]byte) (int, error) { f(); return 0, io.EOF }

func TestStore_oneOfManyUploadsAndParsesWins(t *testing.T) {
	s := NewStore(t.TempDir(), time.Now)
	w, _, ref, err := s.Issue(Owner{Team: "a"}, "x", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var puts, takes int
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if s.Put(w, strings.NewReader("content")) == nil {
				mu.Lock()
				puts++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for range 8 {
		all.Go(func() {
			found := s.WithRef(ref)
			if found == nil {
				return
			}
			if f, err := s.Take(found); err == nil {
				data, err := io.ReadAll(f.Content())
				f.Discard()
				mu.Lock()
				defer mu.Unlock()
				if takes++; err != nil || string(data) != "content" {
					t.Errorf("%q, %v", data, err)
				}
			}
		})
	}
	all.Wait()
	if puts != 1 || takes != 1 || s.held != 0 {
		t.Errorf("%d uploads, %d takes, %d held", puts, takes, s.held)
	}
}
