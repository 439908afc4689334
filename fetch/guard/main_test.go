package guard

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// knockerVariable makes of the test binary a process that connects to leases, see knock.
const knockerVariable = "WINNOW_GUARD_TEST_KNOCKER"

func TestMain(m *testing.M) {
	if os.Getenv(knockerVariable) != "" {
		knock()
		return
	}
	// A server that closes a connection of which it hasn't read all waits half a second, and goleak for less.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// knock connects to each address that it reads, says something that any lease answers with 400, and writes the
// first line of the answer.
func knock() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(knockAt(in.Text()))
	}
}

func knockAt(addr string) string {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n\r\n")
	answer, _ := io.ReadAll(c)
	line, _, _ := strings.Cut(string(answer), "\r\n")
	return line
}
