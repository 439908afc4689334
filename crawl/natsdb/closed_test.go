package natsdb

import (
	"fmt"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// The connection is closed for good while a stream is read: opening fails, and doesn't wait for ever.
func TestOpen_theConnectionIsClosedWhileItReads(t *testing.T) {
	h := newHost(t, 0)
	first, err := Open(t.Context(), Options{JetStream: h.dial(), Name: "s", Local: cache.NewMap(), Wait: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for i := range batch + 10 {
		put(t, first, fmt.Sprint(i), "1")
	}
	js := h.dial()
	second := &store{DB: cache.NewMap()}
	var look func()
	look = func() {
		_ = second.View(func(tx crawl.Tx) error {
			if placeOf(tx).stream != "" { // it gets the first messages, and has others to read
				js.Conn().Close()
			}
			return nil
		})
		second.updated.Store(&look)
	}
	second.updated.Store(&look)
	ended := make(chan error, 1)
	go func() {
		db, err := Open(t.Context(), Options{JetStream: js, Name: "s", Local: second, Wait: time.Second})
		if err == nil {
			_ = db.Close()
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it is open")
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for ever")
	}
}
