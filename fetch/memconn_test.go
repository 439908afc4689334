package fetch

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"

	"golang.org/x/net/nettest"
)

func TestMemPipe_isAConnection(t *testing.T) {
	nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
		near, far := memPipe("a.test:80")
		return near, far, func() { near.Close(); far.Close() }, nil
	})
}

func TestMemPipe_holdsABoundedNumberOfBytes(t *testing.T) {
	near, far := memPipe("a.test:80")
	done := make(chan error)
	go func() {
		_, err := near.Write(make([]byte, 3*maxFlow))
		done <- err
	}()
	buf := make([]byte, 1000)
	for read := 0; read < 3*maxFlow; {
		n, err := far.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		read += n
		near.out.mu.Lock()
		if len(near.out.queue) > maxFlow {
			t.Errorf("%d bytes are under way", len(near.out.queue))
		}
		near.out.mu.Unlock()
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestMemPipe_endsOneDirectionOrBoth(t *testing.T) {
	near, far := memPipe("a.test:80")
	_, _ = io.WriteString(near, "last words")
	_ = near.CloseWrite()
	if _, err := near.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write after CloseWrite: %v", err)
	}
	if got, err := io.ReadAll(far); string(got) != "last words" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := io.WriteString(far, "and back"); err != nil {
		t.Errorf("the other direction: %v", err)
	}
	near.Close()
	if _, err := far.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("write to nobody: %v", err)
	}
	if _, err := near.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read after Close: %v", err)
	}
}

// Whoever answers the end of a closed connection, at either side, is not heard: else a request that was cut off would end well.
func TestMemPipe_closesBothDirectionsAtOnce(t *testing.T) {
	for range 100_000 {
		near, far := memPipe("a.test:80")
		heard := make(chan int, 2)
		for _, c := range []*memConn{near, far} {
			go func() {
				n, _ := c.Read(make([]byte, 4))
				_, _ = io.WriteString(c, "late")
				m, _ := c.Read(make([]byte, 4))
				heard <- n + m
			}()
		}
		near.Close()
		if n := <-heard + <-heard; n > 0 {
			t.Fatalf("%d bytes were heard after the end", n)
		}
		far.Close()
	}
}
