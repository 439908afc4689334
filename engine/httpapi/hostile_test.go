package httpapi

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// wire is a handler behind a real server on the loopback interface.
type wire struct {
	t      testing.TB
	addr   string
	faults *lockedBuffer // what the server says of panics
	log    *lockedBuffer // of the handler
}

// patience is how long a test waits for what must come; it is no measure of anything.
const patience = 3 * time.Minute

// newWire serves a real engine; change may shorten times of the server.
func newWire(t testing.TB, change func(*http.Server), options ...func(*engine.Options, *Options)) *wire {
	t.Helper()
	w := &wire{t: t, faults: &lockedBuffer{}, log: &lockedBuffer{}}
	logged := func(_ *engine.Options, o *Options) { o.Logger = w.log.logger() }
	w.listen(newService(t, append(options, logged)...), change)
	return w
}

func (w *wire) listen(h http.Handler, change func(*http.Server)) {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	server := NewServer(h)
	server.ErrorLog = log.New(w.faults, "", 0)
	if change != nil {
		change(server)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(NewListener(l)) }()
	w.addr = l.Addr().String()
	w.t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			w.t.Error(err)
		}
		if logged := w.faults.String() + w.log.String(); strings.Contains(logged, "panic") || strings.Contains(logged, "internal error") {
			w.t.Errorf("the log has a fault: %.2000s", logged)
		}
	})
}

// dial opens a connection that the test's end closes.
func (w *wire) dial() *net.TCPConn {
	w.t.Helper()
	c, err := net.Dial("tcp", w.addr)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return c.(*net.TCPConn)
}

// head is a request's line and header, ready for its body; "\n" in lines are ends of lines.
func head(lines string) string {
	return strings.ReplaceAll(lines, "\n", "\r\n") + "\r\nAuthorization: Bearer " + redSecret + "\r\n\r\n"
}

// send gives the status of the answer to raw bytes; 0: the connection was closed without one.
func (w *wire) send(raw string) int {
	w.t.Helper()
	c := w.dial()
	defer c.Close()
	go func() { _, _ = io.WriteString(c, raw) }() // the answer may come before all is sent
	method, _, _ := strings.Cut(raw, " ")
	return statusOf(w.t, bufio.NewReader(c), method)
}

func statusOf(t testing.TB, r *bufio.Reader, method string) int {
	t.Helper()
	res, err := http.ReadResponse(r, &http.Request{Method: method})
	if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() {
		t.Error("no answer came, and the connection stays open")
	}
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

// serves fails when an honest request has no answer.
func (w *wire) serves() {
	w.t.Helper()
	if status := w.send(head("GET /v2/team/credit-usage HTTP/1.1\nHost: x")); status != 200 {
		w.t.Errorf("an honest request gets %d", status)
	}
}

const lampBody = `{"url":"lamp.example"}`

// posted is a scrape with those further lines of its header.
func posted(lines, body string) string {
	return head("POST /v2/scrape HTTP/1.1\nHost: x\nContent-Type: application/json"+lines) + body
}

func TestServer_answersMalformedRequestsAndGoesOn(t *testing.T) {
	w := newWire(t, nil)
	activity := "GET /v2/team/activity HTTP/1.1\nHost: x"
	for name, c := range map[string]struct {
		raw  string
		want []int
	}{
		"no Host":              {head("GET /v2/team/activity HTTP/1.1"), []int{400}},
		"two Hosts":            {head(activity + "\nHost: y"), []int{400}},
		"a Host with blanks":   {head("GET /v2/team/activity HTTP/1.1\nHost: a b/c"), []int{400}},
		"garbage":              {"\x00\x01\x02\x03\xff\r\n\r\n", []int{400}},
		"a TLS hello":          {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", []int{400}},
		"HTTP/0.9":             {"GET /v2/team/activity\r\n\r\n", []int{400}},
		"HTTP/2 without TLS":   {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{400, 401, 404, 505}},
		"HTTP/9.9":             {head("GET / HTTP/9.9\nHost: x"), []int{505}},
		"absolute form":        {head("GET http://other.example/v2/team/activity HTTP/1.1\nHost: x"), []int{200}},
		"absolute, no path":    {head("GET http://other.example HTTP/1.1\nHost: x"), []int{404}},
		"OPTIONS *":            {head("OPTIONS * HTTP/1.1\nHost: x"), []int{404}},
		"GET *":                {head("GET * HTTP/1.1\nHost: x"), []int{404}},
		"CONNECT":              {head("CONNECT other.example:443 HTTP/1.1\nHost: other.example:443"), []int{404}},
		"TRACE":                {head("TRACE /v2/scrape HTTP/1.1\nHost: x"), []int{404, 405}},
		"a method of its own":  {head("DANCE /v2/scrape HTTP/1.1\nHost: x"), []int{404, 405}},
		"a method with a NUL":  {head("G\x00T /v2/scrape HTTP/1.1\nHost: x"), []int{400}},
		"HEAD":                 {head("HEAD /v2/nothing HTTP/1.1\nHost: x"), []int{404}},
		"a header with a NUL":  {head(activity + "\nX-A: a\x00b"), []int{400}},
		"a header's name":      {head(activity + "\nX A: b"), []int{400}},
		"a header of 100 KB":   {head(activity + "\nX-A: " + strings.Repeat("a", 100_000)), []int{431}},
		"many headers":         {head(activity + strings.Repeat("\nX-A: b", 7000)), []int{200}},
		"a target of 60 KB":    {head("GET /v2/team/activity?cursor=" + strings.Repeat("a", 60_000) + " HTTP/1.1\nHost: x"), []int{200, 400}},
		"a target of 100 KB":   {head("GET /v2/" + strings.Repeat("a/", 50_000) + " HTTP/1.1\nHost: x"), []int{414, 431}},
		"a broken query":       {head("GET /v2/team/activity?limit=%zz;a=b&cursor=%00 HTTP/1.1\nHost: x"), []int{400}},
		"a broken escape":      {head("GET /v2/team/%zz HTTP/1.1\nHost: x"), []int{400}},
		"two lengths":          {posted("\nContent-Length: 5\nContent-Length: 6", "{}"), []int{400}},
		"a negative length":    {posted("\nContent-Length: -5", "{}"), []int{400}},
		"a length beyond all":  {posted("\nContent-Length: 99999999999999999999", "{}"), []int{400}},
		"a length of 1 TB":     {posted("\nContent-Length: 1099511627776", "{}"), []int{413}},
		"chunks":               {posted("\nTransfer-Encoding: chunked", "16\r\n"+lampBody+"\r\n0\r\n\r\n"), []int{200}},
		"chunks, bad size":     {posted("\nTransfer-Encoding: chunked", "zz\r\n"+lampBody+"\r\n0\r\n\r\n"), []int{400}},
		"chunks, size beyond":  {posted("\nTransfer-Encoding: chunked", "fffffffffffffffff\r\n"+lampBody), []int{400}},
		"chunks, shorter":      {posted("\nTransfer-Encoding: chunked", "5\r\n"+lampBody+"\r\n0\r\n\r\n"), []int{400}},
		"chunks, extensions":   {posted("\nTransfer-Encoding: chunked", strings.Repeat("1;"+strings.Repeat("x", 4000)+"\r\n \r\n", 100)), []int{400}},
		"chunks and a length":  {posted("\nTransfer-Encoding: chunked\nContent-Length: 3", "16\r\n"+lampBody+"\r\n0\r\n\r\n"), []int{400}},
		"a length and chunks":  {posted("\nContent-Length: 3\nTransfer-Encoding: chunked", "16\r\n"+lampBody+"\r\n0\r\n\r\n"), []int{400}},
		"chunks and length 0":  {posted("\nTransfer-encoding: chunked\ncontent-length:0", "16\r\n"+lampBody+"\r\n0\r\n\r\n"), []int{400}},
		"chunks in HTTP/1.0":   {strings.Replace(posted("\nTransfer-Encoding: chunked", "0\r\n\r\n"), "/1.1", "/1.0", 1), []int{400}},
		"a continued length":   {posted("\nContent-Length:\n 22", lampBody), []int{400}},
		"an unknown coding":    {posted("\nTransfer-Encoding: gzip", lampBody), []int{400, 501}},
		"a coded body":         {posted("\nContent-Encoding: gzip\nContent-Length: 3", "\x1f\x8b\x08"), []int{415}},
		"Expect of 100":        {posted("\nExpect: 100-continue\nContent-Length: 22", lampBody), []int{100}},
		"Expect without a key": {"POST /v2/scrape HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n", []int{401}},
		"Expect of others":     {posted("\nExpect: a-pony\nContent-Length: 22", lampBody), []int{417}},
		"an upgrade, posted":   {posted("\nConnection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\nContent-Length: 22", lampBody), []int{200}},
		"an upgrade, got":      {head(activity + "\nConnection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="), []int{200}},
		"an upgrade to h2c":    {head(activity + "\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__"), []int{200}},
		"a body where none is": {head(activity+"\nContent-Length: 4") + "{}{}", []int{200}},
	} {
		if got := w.send(c.raw); !slices.Contains(c.want, got) {
			t.Errorf("%s: %d, want %v", name, got, c.want)
		}
	}
	w.serves()
}

// A server in front that goes by the length would take the rest for another client's request.
func TestServer_twoLengthsEndTheConnection(t *testing.T) {
	w := newWire(t, nil)
	hidden := head("GET /v2/team/activity HTTP/1.1\nHost: x")
	both := posted("\nTransfer-Encoding: chunked\nContent-Length: 5", "0\r\n\r\n")
	first := posted("\nTransfer-Encoding: chunked", "16\r\n"+lampBody+"\r\n0\r\nX-T: 1\r\n\r\n")
	for name, raw := range map[string]string{"alone": both, "after a request in chunks": first + both} {
		c := w.dial()
		go func() { _, _ = io.WriteString(c, raw+hidden) }()
		r := bufio.NewReader(c)
		if raw != both {
			if got := statusOf(t, r, "POST"); got != 200 {
				t.Errorf("%s: the request before: %d", name, got)
			}
		}
		if got, after := statusOf(t, r, "POST"), statusOf(t, r, "GET"); got != 400 || after != 0 {
			t.Errorf("%s: %d, and %d after it; want 400 and nothing", name, got, after)
		}
	}
	w.serves()
}

// Where the connection isn't watched, two lengths can't be seen: nothing may follow a request in chunks.
func TestServer_nothingFollowsChunksWhereTwoLengthsCannotBeSeen(t *testing.T) {
	server := httptest.NewServer(newService(t).bare())
	t.Cleanup(server.Close)
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	both := posted("\nTransfer-Encoding: chunked\nContent-Length: 5", "0\r\n\r\n")
	go func() { _, _ = io.WriteString(c, both+head("GET /v2/team/activity HTTP/1.1\nHost: x")) }()
	r := bufio.NewReader(c)
	if got, after := statusOf(t, r, "POST"), statusOf(t, r, "GET"); got != 400 || after != 0 {
		t.Errorf("%d, and %d after it; want 400 (an empty body) and nothing", got, after)
	}
}

// Most clients send all of a body before they look for an answer: they must be able to.
func TestServer_aTooLargeBodyCanBeSentToItsEnd(t *testing.T) {
	w := newWire(t, nil, func(_ *engine.Options, o *Options) { o.MaxBody, o.MaxFile = 1000, 1000 })
	const size = 16 << 20
	body := strings.Repeat("x", size)
	for name, raw := range map[string]string{
		"of known length": posted(fmt.Sprintf("\nContent-Length: %d", size), body),
		"in chunks":       posted("\nTransfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", size, body)),
		"a form":          head(fmt.Sprintf("POST /v2/parse HTTP/1.1\nHost: x\nContent-Type: multipart/form-data; boundary=x\nContent-Length: %d", size)) + body,
	} {
		c := w.dial()
		if _, err := io.WriteString(c, raw); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := statusOf(t, bufio.NewReader(c), "POST"); got != 413 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

func TestServer_answersPipelinedRequestsInOrder(t *testing.T) {
	w := newWire(t, nil)
	c := w.dial()
	length := fmt.Sprintf("\nContent-Length: %d", len(lampBody))
	go func() {
		for range 20 {
			_, _ = io.WriteString(c, posted(length, lampBody)+head("GET /v2/nothing HTTP/1.1\nHost: x")+posted("\nContent-Length: 2", "[]"))
		}
	}()
	r := bufio.NewReader(c)
	for i := range 60 {
		if got, want := statusOf(t, r, ""), []int{200, 404, 400}[i%3]; got != want {
			t.Fatalf("answer %d: %d, want %d", i, got, want)
		}
	}
}

func TestServer_aSlowHeadIsCutOff(t *testing.T) {
	w := newWire(t, func(s *http.Server) { s.ReadHeaderTimeout = 2 * time.Second }) // which the honest request meets on a busy machine
	var slow []*net.TCPConn
	for i := range 50 {
		c := w.dial()
		_, _ = io.WriteString(c, []string{"", "G", "GET /v2/team/activity HTTP/1.1\r\nHost: x\r\nX-A: "}[i%3])
		slow = append(slow, c)
	}
	w.serves()
	for i, c := range slow {
		if _, err := io.Copy(io.Discard, c); err != nil && !isReset(err) {
			t.Errorf("connection %d is still open: %v", i, err)
		}
	}
}

// isReset reports whether the other side has closed a connection during a write.
func isReset(err error) bool {
	ne := net.Error(nil)
	return err != nil && !(errors.As(err, &ne) && ne.Timeout())
}

func TestServer_aSlowBodyGets408OnEveryRoute(t *testing.T) {
	w := newWire(t, nil, func(_ *engine.Options, o *Options) { o.BodyTimeout = 300 * time.Millisecond })
	type waiting struct {
		pattern string
		conn    net.Conn
	}
	var all []waiting
	for _, r := range table() {
		if method, target := example(r.pattern); method != "GET" {
			kind := "application/json"
			if target == parsePath {
				kind = "multipart/form-data; boundary=x"
			}
			c := w.dial()
			_, _ = io.WriteString(c, head(method+" "+target+" HTTP/1.1\nHost: x\nContent-Type: "+kind+"\nContent-Length: 1000")+`{"url":`)
			all = append(all, waiting{r.pattern, c})
		}
	}
	w.serves()
	for _, one := range all {
		status := statusOf(t, bufio.NewReader(one.conn), "")
		// What needs no body, or has no such upload waiting, says so before the body has come.
		early := (strings.HasPrefix(one.pattern, "DELETE") || strings.Contains(one.pattern, uploadPath)) && strings.Contains(one.pattern, "{id}")
		if status != 408 && !(early && status == 404) {
			t.Errorf("%s: %d", one.pattern, status)
		}
	}
}

func TestServer_aSlowBodyWithoutAKeyHoldsNothing(t *testing.T) {
	w := newWire(t, nil, func(_ *engine.Options, o *Options) { o.BodyTimeout = 300 * time.Millisecond })
	c := w.dial()
	_, _ = io.WriteString(c, "POST /v2/scrape HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
	all, err := io.ReadAll(c)
	if err != nil || !bytes.HasPrefix(all, []byte("HTTP/1.1 401 ")) {
		t.Errorf("%v: %.200q", err, all)
	}
}

// The deadline of a body must not end the work that follows it, nor the connection's next request.
func TestServer_workMayTakeLongerThanABody(t *testing.T) {
	w := newWire(t, nil, func(_ *engine.Options, o *Options) { o.BodyTimeout = 200 * time.Millisecond })
	c := w.dial()
	r := bufio.NewReader(c)
	slow := `{"url":"lamp.example/slow","timeout":1000}`
	for range 2 {
		_, _ = io.WriteString(c, posted(fmt.Sprintf("\nContent-Length: %d", len(slow)), slow))
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		if res.StatusCode != 408 || !bytes.Contains(body, []byte(engine.CodeTimeout)) {
			t.Errorf("%d %s", res.StatusCode, body)
		}
	}
}

func TestServer_halfClosedConnectionsAreAnsweredOrClosed(t *testing.T) {
	w := newWire(t, nil)
	for name, raw := range map[string]string{
		"after a request": head("GET /v2/team/activity HTTP/1.1\nHost: x"),
		"within a head":   "GET /v2/team/activity HTTP/1.1\r\nHos",
		"within a body":   posted("\nContent-Length: 1000", `{"url":`),
		"within a chunk":  posted("\nTransfer-Encoding: chunked", "ff\r\n{"),
		"before anything": "",
	} {
		c := w.dial()
		_, _ = io.WriteString(c, raw)
		_ = c.CloseWrite()
		if _, err := io.Copy(io.Discard, c); err != nil && !isReset(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range 50 { // gone at once, with the answer on its way
		c := w.dial()
		_, _ = io.WriteString(c, posted(fmt.Sprintf("\nContent-Length: %d", len(lampBody)), lampBody))
		_ = c.SetLinger(0)
		c.Close()
	}
	w.serves()
}

func TestServer_whoReadsNothingIsCutOff(t *testing.T) {
	s := newService(t)
	a := &api{engine: s.engine, options: Options{Keys: []Key{key(t, redSecret, "red")}, WriteTimeout: 300 * time.Millisecond}.resolve(), limits: quota.NewRates(), teams: quota.NewTeams(), credits: quota.NewCredits(account{s.engine})}
	sent := make(chan error, 1)
	large := make([]byte, 3<<20)
	endless := route{pattern: "GET /", endpoint: EndpointStatus, do: func(c *call) error {
		for {
			if _, err := c.w.Write(large); err != nil { // all of this machine's buffers are full
				sent <- err
				return nil
			}
		}
	}}
	w := &wire{t: t, faults: &lockedBuffer{}, log: &lockedBuffer{}}
	w.listen(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { a.serve(rw, r, endless) }), nil)
	c := w.dial()
	_, _ = io.WriteString(c, head("GET / HTTP/1.1\nHost: x"))
	select {
	case <-sent:
	case <-time.After(patience):
		t.Error("the handler still writes")
	}
}

// forms are bodies of POST /v2/parse that are no honest forms; the boundary is x.
func forms() map[string]string {
	part := func(header, body string) string { return "--x\r\n" + header + "\r\n\r\n" + body + "\r\n" }
	file := "Content-Disposition: form-data; name=\"file\"; filename=\"a.html\"\r\nContent-Type: text/html"
	options := "Content-Disposition: form-data; name=\"options\""
	return map[string]string{
		"empty":            "",
		"no end":           part(file, "<p>a"),
		"no parts":         "--x--\r\n",
		"many parts":       strings.Repeat(part("Content-Disposition: form-data; name=\"a\"", "b"), 10_000) + "--x--\r\n",
		"many files":       strings.Repeat(part(file, "b"), 10_000) + "--x--\r\n",
		"an endless head":  "--x\r\n" + strings.Repeat("X-A: b\r\n", 200_000),
		"a long head":      "--x\r\nX-A: " + strings.Repeat("b", 1<<20) + "\r\n\r\n",
		"no names":         strings.Repeat(part("X-A: b", "c"), 10) + "--x--\r\n",
		"options nested":   part(file, "<p>a") + part(options, strings.Repeat("[", 100_000)) + "--x--\r\n",
		"options of 2 MB":  part(file, "<p>a") + part(options, `{"formats":["`+strings.Repeat("a", 2<<20)+`"]}`) + "--x--\r\n",
		"a nested form":    part("Content-Disposition: form-data; name=\"file\"\r\nContent-Type: multipart/mixed; boundary=x", "--x\r\n\r\na\r\n--x--") + "--x--\r\n",
		"an odd encoding":  part(file+"\r\nContent-Transfer-Encoding: base64", "!!!!") + "--x--\r\n",
		"an odd name":      part("Content-Disposition: form-data; name=\"file\"; filename=\"../../\x01\\\".html\"", "<p>a") + "--x--\r\n",
		"an odd type":      part("Content-Disposition: form-data; name=\"file\"\r\nContent-Type: "+strings.Repeat("a/", 1000), "<p>a") + "--x--\r\n",
		"a bad header":     part("Content-Disposition: form-data; name=\"fi", "a") + "--x--\r\n",
		"a file of zeros":  part("Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"", strings.Repeat("\x00", 1<<16)) + "--x--\r\n",
		"only a preamble":  strings.Repeat("a\r\n", 100_000),
		"broken delimiter": "--x\n" + file + "\n\n--x-",
	}
}

func TestParse_hostileFormsAreRefusedOrRead(t *testing.T) {
	w := newWire(t, nil)
	for name, form := range forms() {
		raw := head(fmt.Sprintf("POST /v2/parse HTTP/1.1\nHost: x\nContent-Type: multipart/form-data; boundary=x\nContent-Length: %d", len(form))) + form
		if got := w.send(raw); got != 400 && got != 413 && !(got == 200 && strings.HasPrefix(name, "an odd")) && !(got == 500 && name == "a file of zeros") {
			t.Errorf("%s: %d", name, got)
		}
	}
	for _, kind := range []string{"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + strings.Repeat("x", 1000), "multipart/mixed; boundary=x", "text/html", "multipart/form-data; boundary=\"", "application/json"} {
		if got := w.send(head("POST /v2/parse HTTP/1.1\nHost: x\nContent-Type: "+kind+"\nContent-Length: 5") + "--x--"); got != 400 {
			t.Errorf("%.50s: %d", kind, got)
		}
	}
	w.serves()
}

// hostileValues are JSON values that no field takes, or must take without harm.
func hostileValues() map[string]string {
	return map[string]string{
		"nested lists":   strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		"nested too far": strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
		"nested objects": strings.Repeat(`{"a":`, 500) + "1" + strings.Repeat("}", 500),
		"a huge number":  "1e999999",
		"a long number":  "-" + strings.Repeat("9", 1000) + ".5",
		"a small number": "1e-999999",
		"a long string":  `"` + strings.Repeat("a", 20_000) + `"`,
		"NUL":            `"\u0000"`,
		"half a pair":    `"\ud800"`,
		"turned around":  `"\u202e\u2066http://lamp.example"`,
		"many nothings":  "[" + strings.Repeat("null,", 2000) + "null]",
		"many keys":      `{"a":1` + strings.Repeat(`,"b":1`, 1000) + "}",
		"null":           "null",
		"a flag":         "true",
		"prototypes":     `{"__proto__":{"admin":true},"constructor":{"prototype":{}}}`,
	}
}

// Such values give a 400, or have no effect; they are never an internal error.
func TestBody_hostileValuesOnEveryRoute(t *testing.T) {
	log := &lockedBuffer{}
	s := newService(t, func(_ *engine.Options, o *Options) { o.Logger = log.logger() })
	for _, r := range table() {
		method, target := example(r.pattern)
		if bodies[r.pattern] == "" {
			continue
		}
		for name, value := range hostileValues() {
			for _, body := range []string{value, fmt.Sprintf(`{"url":%[1]s,"urls":%[1]s,"query":%[1]s,"prompt":%[1]s,"code":%[1]s,"id":%[1]s}`, value)} {
				a := s.red(method, target, body)
				if a.status != 400 && a.status != 404 && a.status != 413 {
					t.Errorf("%s, %s: %d %.300s", r.pattern, name, a.status, a.raw)
				}
				if len(a.raw) > 64<<10 {
					t.Errorf("%s, %s: an answer of %d bytes", r.pattern, name, len(a.raw))
				}
			}
		}
	}
	if logged := log.String(); strings.Contains(logged, "internal error") {
		t.Errorf("%.2000s", logged)
	}
}

func TestBody_hostileValuesInEveryField(t *testing.T) {
	all := allFields()
	for field := range all {
		for name, value := range hostileValues() {
			err := decode.Object(fmt.Appendf(nil, "{%q:%s}", field, value), all)
			if p := bodyProblem(err); err != nil && (p == nil || p.status != 400) {
				t.Errorf("%s, %s: %v", field, name, err)
			}
		}
	}
}
