package auth_test

import (
	"testing"

	"go.uber.org/goleak"
)

// A server that closes a connection of which it hasn't read all waits half a second, and goleak for less.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}
