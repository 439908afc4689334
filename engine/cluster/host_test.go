package cluster

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"
)

// A test may end before the server has made the streams that its members wanted. Those that it made while it ended kept their goroutines.
func TestHost_leavesNothingOfStreamsThatNobodyWaitedFor(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) }) // after the server's end
	c, err := nats.Connect("nats://" + host(t))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for n := range 50 {
		config := fmt.Appendf(nil, `{"name":"s%d","subjects":["s%[1]d"],"storage":"file"}`, n)
		if err := c.PublishRequest(fmt.Sprintf("$JS.API.STREAM.CREATE.s%d", n), c.NewInbox(), config); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
}
