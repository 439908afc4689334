package fetch

import (
	"testing"

	"go.uber.org/goleak"
)

// closing are connections of which a server hasn't read all when it closes them: net/http waits half a second then, and goleak for less.
var closing = goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, closing) }
