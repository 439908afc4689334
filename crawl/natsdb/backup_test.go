package natsdb

import (
	"errors"
	"os"
	"testing"
)

// A copy of the server's folder, made while the server is down, is a backup: all that was there then is there again, and a machine's file
// from after it is refused, not taken for a newer state.
func TestBackup_isTheServersFolder(t *testing.T) {
	h, dir, copied := newHost(t, 0), t.TempDir(), t.TempDir()
	first := h.machine(t, "s", dir)
	put(t, first, "a", "1")
	if err := first.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, first, "b", "2")
	h.stop()
	if err := os.CopyFS(copied, os.DirFS(h.dir)); err != nil {
		t.Fatal(err)
	}
	h.start()
	put(t, first, "c", "3")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	h.stop()
	h.dir = copied
	h.start()
	ahead := local(t, dir)
	t.Cleanup(func() { _ = ahead.Close() })
	if _, err := Open(t.Context(), Options{JetStream: h.dial(), Name: "s", Local: ahead}); !errors.Is(err, ErrDiverged) {
		t.Errorf("a file from after the backup: %v, want ErrDiverged", err)
	}
	restored := h.machine(t, "s", t.TempDir())
	if got := rows(t, restored); got != "a=1 b=2" {
		t.Errorf("got %s", got)
	}
	put(t, restored, "d", "4")
	if got := rows(t, h.machine(t, "s", t.TempDir())); got != "a=1 b=2 d=4" {
		t.Errorf("and then %s", got)
	}
}
