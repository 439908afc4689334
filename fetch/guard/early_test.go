package guard

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// hasty is the address of a site that answers as soon as it has read a head, and closes; closed says so.
func hasty(t *testing.T, answer string) (addr string, closed <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		var head []byte
		for one := make([]byte, 1); !strings.HasSuffix(string(head), "\r\n\r\n"); head = append(head, one...) { // a close with something unread is a reset
			if _, err := c.Read(one); err != nil {
				return
			}
		}
		_, _ = io.WriteString(c, answer)
	}()
	return l.Addr().String(), done
}

// A site may answer before it has read a body, and close. The browser gets what it says against the request, as without a guard.
func TestLease_carriesAnswersThatComeBeforeTheBodyIsSent(t *testing.T) {
	t.Parallel()
	const large = "HTTP/1.1 413 Too Large\r\nContent-Length: 8\r\n\r\ntoo long"
	for name, test := range map[string]struct {
		answer    string
		length    int
		status    int
		goesOn    bool // the connection to the guard
		guardSays string
	}{
		"an error":              {large, 200_000, 413, true, ""},
		"an error, a long body": {large, 40 << 20, 413, false, ""},
		"no error":              {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200_000, 502, false, "reset"},
		"nothing":               {"", 200_000, 502, false, "reset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", strings.TrimPrefix(newLeaseOf(t, newGuard(t), LeaseOptions{}).URL(), "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			addr, closed := hasty(t, test.answer)
			fmt.Fprintf(c, "POST http://%s/ HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\nx", addr, addr, test.length)
			<-closed
			_, _ = io.CopyN(c, zeros{}, int64(test.length-1)) // fails where the guard doesn't want it all
			in := bufio.NewReader(c)
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(resp.Body)
			if resp.StatusCode != test.status || resp.Header.Get(Header) != test.guardSays || resp.Close == test.goesOn {
				t.Errorf("%d %v %q %v", resp.StatusCode, resp.Header, text, err)
			}
			if !test.goesOn {
				return
			}
			fmt.Fprintf(c, "GET http://none.example/ HTTP/1.1\r\nHost: none.example\r\n\r\n")
			if resp, err := http.ReadResponse(in, nil); err != nil || resp.Header.Get(Header) != "dns" {
				t.Errorf("the next request: %v %v", resp, err)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }
