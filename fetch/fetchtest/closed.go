package fetchtest

import (
	"net"
	"testing"
)

// ClosedPort is an address of loopback where nothing listens. No other program of the machine can listen there before the test ends:
// the near end of a connection has it.
func ClosedPort(t testing.TB) string {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	conn, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.LocalAddr().String()
}
