package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// fieldSite is a site with a robots.txt that tests change. It counts.
type fieldSite struct {
	robots, pages atomic.Int64
	answer        atomic.Pointer[http.HandlerFunc] // of robots.txt
}

func newFieldSite(robotsTxt string) *fieldSite {
	s := &fieldSite{}
	s.says(robotsTxt)
	return s
}

func (s *fieldSite) answers(h http.HandlerFunc) { s.answer.Store(&h) }

func (s *fieldSite) says(text string) {
	s.answers(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, text) })
}

func (s *fieldSite) fails(status int) {
	s.answers(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "User-agent: *\nDisallow: /", status) })
}

func (s *fieldSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		s.robots.Add(1)
		(*s.answer.Load())(w, r)
		return
	}
	s.pages.Add(1)
	if to := r.URL.Query().Get("to"); to != "" {
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	htmlPage(barley).ServeHTTP(w, r)
}

// fieldEngine knows one site under several names, on a clock that its pauses move.
func fieldEngine(t testing.TB, s http.Handler, c *clock, change ...func(*Options)) *Engine {
	t.Helper()
	e := cachingEngine(t, s, append([]func(*Options){func(o *Options) {
		o.Now = c.now
		o.Hosts["other.example"] = s
		o.AllowZeroDataRetention = true
	}}, change...)...)
	e.robots.Sleep = c.sleep
	return e
}

// sleep passes the time at once.
func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.pass(d)
	return ctx.Err()
}

const field = "https://granary.example/barley"

func TestRobots_isFetchedOncePerOriginAndDay(t *testing.T) {
	s, c := newFieldSite("User-agent: *\nDisallow: /oats"), newClock()
	e := fieldEngine(t, s, c)
	for _, href := range []string{field, "https://granary.example/oats?x", "https://user:pass@granary.example/"} {
		f, err := e.robots.File(t.Context(), href)
		if err != nil || f.Allowed("winnow", "/barley") != true || f.Allowed("winnow", "/oats") {
			t.Errorf("%s: %v", href, err)
		}
	}
	if n := s.robots.Load(); n != 1 {
		t.Errorf("%d fetches of one origin, want 1", n)
	}
	for i, href := range []string{"http://granary.example/", "https://granary.example:8443/", "https://www.granary.example/"} {
		if _, err := e.robots.File(t.Context(), href); err != nil || s.robots.Load() != int64(i)+2 {
			t.Errorf("%s: %v after %d fetches", href, err, s.robots.Load())
		}
	}
	c.pass(24*time.Hour - time.Second)
	if _, err := e.robots.File(t.Context(), field); err != nil || s.robots.Load() != 4 {
		t.Errorf("within the day: %v after %d fetches", err, s.robots.Load())
	}
	c.pass(time.Second)
	s.says("User-agent: *\nDisallow: /barley")
	if f, err := e.robots.File(t.Context(), field); err != nil || s.robots.Load() != 5 || f.Allowed("winnow", "/barley") {
		t.Errorf("after a day: %v after %d fetches", err, s.robots.Load())
	}
	if _, err := e.Forget(t.Context(), field); err != nil {
		t.Fatal(err)
	}
	if e.robots.Count() != 0 {
		t.Error("Forget leaves robots.txt in memory")
	}
}

func TestRobots_callsAtOnceCauseOneFetch(t *testing.T) {
	s := &fieldSite{}
	arrived, open := make(chan struct{}, 100), make(chan struct{})
	s.answers(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-open
	})
	e := fieldEngine(t, s, newClock())
	var work sync.WaitGroup
	for range 20 {
		work.Go(func() {
			if _, err := e.robots.File(t.Context(), field); err != nil {
				t.Error(err)
			}
		})
	}
	<-arrived
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := e.robots.File(gone, field); !errors.Is(err, context.Canceled) {
		t.Errorf("who has left got %v", err)
	}
	close(open)
	work.Wait()
	if n := s.robots.Load(); n != 1 {
		t.Errorf("%d fetches", n)
	}
}

// RFC 9309 §2.3.1: what each kind of answer means.
func TestRobots_answers(t *testing.T) {
	t.Parallel()
	const rules = "User-agent: *\nDisallow: /barley"
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusMovedPermanently) }
	}
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		allowed bool
		again   bool
	}{
		"rules":               {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, rules) }, false, false},
		"empty":               {func(w http.ResponseWriter, r *http.Request) {}, true, false},
		"a page":              {htmlPage("<p>Welcome").ServeHTTP, true, false},
		"none":                {http.NotFound, true, false},
		"gone":                {status(http.StatusGone), true, false},
		"forbidden":           {status(http.StatusForbidden), true, false},
		"unauthorized":        {status(http.StatusUnauthorized), true, false},
		"redirect":            {redirect("https://other.example/rules?to="), true, false}, // a page
		"redirect to itself":  {redirect("/robots.txt"), true, false},
		"redirect to nowhere": {redirect("ftp://x/"), true, false},
		"server error":        {status(http.StatusInternalServerError), false, true},
		"not implemented":     {status(http.StatusNotImplemented), false, true},
		"hangs up":            {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, true},
		"longer than counts": {func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, rules, strings.Repeat("\n# chaff", 200_000))
		}, false, false},
		"longer than is taken": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, rules, strings.Repeat("\n# chaff", 1<<20)) }, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &fieldSite{}
			s.answers(c.answer)
			e := fieldEngine(t, s, newClock())
			f, err := e.robots.File(t.Context(), field)
			if _, again := errors.AsType[*robotstxt.UnreachableError](err); again != c.again {
				t.Fatalf("got %v", err)
			}
			if err == nil && f.Allowed("winnow", field) != c.allowed {
				t.Errorf("allowed %t", !c.allowed)
			}
		})
	}
}

func status(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Error(w, "x", n) }
}

func TestRobots_redirectsAreFollowed(t *testing.T) {
	s := &fieldSite{}
	s.answers(func(w http.ResponseWriter, r *http.Request) {
		var hop int
		fmt.Sscan(r.URL.Query().Get("hop"), &hop)
		if hop < 5 {
			http.Redirect(w, r, fmt.Sprintf("https://other.example/robots.txt?hop=%d", hop+1), http.StatusFound)
			return
		}
		fmt.Fprint(w, "User-agent: *\nDisallow: /barley")
	})
	e := fieldEngine(t, s, newClock())
	f, err := e.robots.File(t.Context(), field)
	if err != nil || f.Allowed("winnow", field) {
		t.Errorf("after five redirects: %v", err)
	}
}

// An unreachable file is tried again after growing pauses, then given up for a while.
func TestRobots_unreachableIsTriedAgain(t *testing.T) {
	s, c := &fieldSite{}, newClock()
	s.fails(http.StatusInternalServerError)
	e := fieldEngine(t, s, c)
	begin := c.now()
	tries := func(want int64, next time.Duration) {
		t.Helper()
		for range 3 { // no one fetches before the time
			_, err := e.robots.File(t.Context(), field)
			unreachable, ok := errors.AsType[*robotstxt.UnreachableError](err)
			if !ok || unreachable.Host != "granary.example" {
				t.Fatalf("got %v", err)
			}
			if want := begin.Add(next); next == 0 && !unreachable.Next.IsZero() || next > 0 && !unreachable.Next.Equal(want) {
				t.Errorf("next try %s, want %s", unreachable.Next, want)
			}
			if n := s.robots.Load(); n != want {
				t.Errorf("%d fetches, want %d", n, want)
			}
		}
	}
	tries(1, 2*time.Second)
	c.pass(2 * time.Second)
	tries(2, 12*time.Second)
	c.pass(10 * time.Second)
	tries(3, 72*time.Second)
	c.pass(time.Minute)
	tries(4, 0)
	c.pass(10*time.Minute - time.Second)
	tries(4, 0)
	c.pass(time.Second)
	tries(5, 11*time.Minute+14*time.Second) // from the beginning
	s.says("")
	c.pass(2 * time.Second)
	if _, err := e.robots.File(t.Context(), field); err != nil {
		t.Errorf("when it is there: %v", err)
	}
	c.pass(24 * time.Hour)
	s.fails(http.StatusInternalServerError)
	begin = c.now()
	tries(7, 2*time.Second)
}

// What can't be contacted at all isn't tried again, and says so.
func TestRobots_noSuchHost(t *testing.T) {
	e := newTestEngine(t, Options{Render: RenderNever, Resolver: missing{new(atomic.Int64)}})
	for _, c := range []struct {
		url  string
		code Code
	}{
		{"http://127.0.0.1:1/x", CodeBlocked},
		{"http://[::1]:1/x", CodeBlocked},
		{"https://nowhere.example/x", CodeDNS},
	} {
		_, err := e.Scrape(t.Context(), c.url, ScrapeOptions{ObeyRobots: true})
		if CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", c.url, err, c.code)
		}
	}
}

// missing knows no name, and counts its queries.
type missing struct{ asked *atomic.Int64 }

func (m missing) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	m.asked.Add(1)
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// A host that nothing could be requested of has the code that its pages would have.
func TestRobots_aDeadServerIsASiteThatCannotBeReached(t *testing.T) {
	t.Parallel()
	dead := "http://" + fetchtest.ClosedPort(t)
	c := newClock()
	e := newTestEngine(t, Options{Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, Now: c.now})
	e.robots.Sleep = c.sleep
	_, err := e.Scrape(t.Context(), dead, ScrapeOptions{ObeyRobots: true, Timeout: 5 * time.Minute})
	if CodeOf(err) != CodeSite || !strings.Contains(err.Error(), "ERR_CONNECTION_REFUSED") {
		t.Errorf("got %v", err)
	}
}

func TestRobots_codeSaysWhatIsWrong(t *testing.T) {
	refused := &fetch.ConnectError{Addr: "x:80", Net: "ERR_CONNECTION_REFUSED", Err: errors.New("refused")}
	for _, c := range []struct {
		err  robotstxt.UnreachableError
		want Code
	}{
		{robotstxt.UnreachableError{Err: refused}, CodeSite},
		{robotstxt.UnreachableError{Err: &fetch.TimeoutError{Phase: "connect"}}, CodeSite},
		{robotstxt.UnreachableError{Err: &fetch.DNSError{Host: "x", Err: errors.New("out of order")}}, CodeDNS},
		{robotstxt.UnreachableError{Err: &fetch.TLSError{Host: "x", Err: errors.New("alert")}}, CodeSSL},
		{robotstxt.UnreachableError{Err: &fetch.ProxyError{Proxy: "p", Err: errors.New("407")}}, CodeProxy},
		{robotstxt.UnreachableError{Err: refused, Elsewhere: true}, CodeRobotsUnreachable},
		{robotstxt.UnreachableError{Err: errors.New("status 503")}, CodeRobotsUnreachable},
		{robotstxt.UnreachableError{Err: &fetch.TimeoutError{Phase: "headers"}}, CodeRobotsUnreachable},
		{robotstxt.UnreachableError{Err: &fetch.ConnectError{Net: "ERR_CONNECTION_RESET", Err: errors.New("reset")}}, CodeRobotsUnreachable},
		{robotstxt.UnreachableError{Err: context.DeadlineExceeded}, CodeRobotsUnreachable},
	} {
		if got := CodeOf(failure(t.Context(), "scrape", "u", &c.err)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.err.Err, got, c.want)
		}
	}
}

// A robots.txt outside can't lead to a virtual host.
func TestRobots_aRedirectDoesNotReachAVirtualHost(t *testing.T) {
	inner := newFieldSite("")
	outside := serveHandler(t, http.RedirectHandler("http://granary.example/robots.txt", http.StatusFound))
	e := newTestEngine(t, Options{Policy: fetch.Policy{AllowPrivate: true}, Hosts: map[string]http.Handler{"granary.example": inner}})
	_, err := e.robots.File(t.Context(), outside.URL)
	if _, ok := errors.AsType[*robotstxt.UnreachableError](err); !ok || inner.robots.Load() != 0 {
		t.Errorf("got %v, %d requests", err, inner.robots.Load())
	}
}

func TestObeyRobots_isOptional(t *testing.T) {
	s := newFieldSite("User-agent: *\nDisallow: /")
	e := fieldEngine(t, s, newClock())
	scrapeOK(t, e, field, ScrapeOptions{})
	if s.robots.Load() != 0 {
		t.Error("robots.txt was asked for")
	}
}

func TestObeyRobots_aForbiddenPageIsNotFetched(t *testing.T) {
	s := newFieldSite("User-agent: *\nDisallow: /barley # not yet\n\nUser-agent: examplebot\nAllow: /\nDisallow: /oats$")
	e := fieldEngine(t, s, newClock())
	_, err := e.Scrape(t.Context(), field, ScrapeOptions{ObeyRobots: true})
	if CodeOf(err) != CodeRobots || !strings.Contains(err.Error(), "Disallow: /barley") || strings.Contains(err.Error(), "not yet") {
		t.Errorf("got %v", err)
	}
	_, err = e.Scrape(t.Context(), "https://granary.example/oats", ScrapeOptions{ObeyRobots: true, RobotsUserAgent: "ExampleBot/2.0 (+https://bot.example)"})
	if CodeOf(err) != CodeRobots || !strings.Contains(err.Error(), "/oats$") {
		t.Errorf("another robot: %v", err)
	}
	if n := s.pages.Load(); n != 0 {
		t.Errorf("%d pages were fetched", n)
	}
	scrapeOK(t, e, field, ScrapeOptions{ObeyRobots: true, RobotsUserAgent: "examplebot"})
	if s.robots.Load() != 1 || s.pages.Load() != 1 {
		t.Errorf("%d and %d requests", s.robots.Load(), s.pages.Load())
	}
	// What is stored is served: nothing is fetched.
	if doc := scrapeOK(t, e, field, ScrapeOptions{ObeyRobots: true}); doc.Metadata.CacheState != "hit" {
		t.Errorf("got %+v", doc.Metadata)
	}
}

// A scrape that doesn't obey shares no fetch, and no refusal, with one that does.
func TestObeyRobots_isNotSharedWithOthers(t *testing.T) {
	s := &fieldSite{}
	arrived, open := make(chan struct{}), make(chan struct{})
	s.answers(func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-open
		fmt.Fprint(w, "User-agent: *\nDisallow: /")
	})
	e := fieldEngine(t, s, newClock())
	obeying := make(chan error)
	go func() {
		_, err := e.Scrape(t.Context(), field, ScrapeOptions{ObeyRobots: true})
		obeying <- err
	}()
	<-arrived
	scrapeOK(t, e, field, ScrapeOptions{StoreInCache: new(true)})
	close(open)
	if err := <-obeying; CodeOf(err) != CodeRobots {
		t.Errorf("got %v", err)
	}
}

func TestObeyRobots_theEndOfARedirectIsAskedAboutToo(t *testing.T) {
	s := newFieldSite("User-agent: *\nDisallow: /oats")
	e := fieldEngine(t, s, newClock())
	_, err := e.Scrape(t.Context(), field+"?to=https://other.example/oats", ScrapeOptions{ObeyRobots: true})
	if CodeOf(err) != CodeRobots {
		t.Errorf("got %v", err)
	}
	if st, err := e.CacheStats(t.Context()); err != nil || st.Versions != 0 {
		t.Errorf("it was kept: %+v, %v", st, err)
	}
	scrapeOK(t, e, field+"?to=https://other.example/rye", ScrapeOptions{ObeyRobots: true})
	if n := s.robots.Load(); n != 2 {
		t.Errorf("%d fetches of robots.txt, want 2", n)
	}
}

// A scrape waits for a site's robots.txt as long as its time allows.
func TestObeyRobots_waitsForAnUnreachableFile(t *testing.T) {
	s, c := &fieldSite{}, newClock()
	s.answers(func(w http.ResponseWriter, r *http.Request) {
		if s.robots.Load() < 4 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	e := fieldEngine(t, s, c)
	begin := c.now()
	scrapeOK(t, e, field, ScrapeOptions{ObeyRobots: true, Timeout: 5 * time.Minute})
	if waited := c.now().Sub(begin); waited != 72*time.Second {
		t.Errorf("waited %s", waited)
	}

	s.fails(http.StatusBadGateway + 9)
	_, err := e.Scrape(t.Context(), "https://other.example/", ScrapeOptions{ObeyRobots: true, Timeout: 5 * time.Minute})
	if CodeOf(err) != CodeRobotsUnreachable {
		t.Errorf("given up: %v", err)
	}
	fetches := s.robots.Load()
	_, err = e.Scrape(t.Context(), "https://other.example/x", ScrapeOptions{ObeyRobots: true})
	if CodeOf(err) != CodeRobotsUnreachable || s.robots.Load() != fetches {
		t.Errorf("asked again: %v, %d fetches", err, s.robots.Load()-fetches)
	}

	// The last pause is longer than this scrape has: it doesn't wait for nothing.
	begin = c.now()
	_, err = e.Scrape(t.Context(), "http://other.example/", ScrapeOptions{ObeyRobots: true, Timeout: 30 * time.Second})
	if CodeOf(err) != CodeRobotsUnreachable || c.now().Sub(begin) != 12*time.Second {
		t.Errorf("short of time: %v after %s", err, c.now().Sub(begin))
	}
	if n := s.pages.Load(); n != 1 {
		t.Errorf("%d pages were fetched", n)
	}
}

func TestObeyRobots_waitingEndsWithTheCaller(t *testing.T) {
	s := &fieldSite{}
	s.fails(http.StatusInternalServerError)
	e := fieldEngine(t, s, newClock())
	e.robots.Sleep = robotstxt.Wait
	ctx, leave := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := e.Scrape(ctx, field, ScrapeOptions{ObeyRobots: true})
		first <- err
	}()
	for s.robots.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	leave()
	if err := <-first; CodeOf(err) != CodeCancelled {
		t.Errorf("got %v", err)
	}
}

func TestObeyRobots_options(t *testing.T) {
	e := newTestEngine(t, Options{})
	for agent, ok := range map[string]bool{
		"":                                       true,
		"examplebot":                             true,
		"Example-Bot_2.0 (+https://bot.example)": true,
		"Mozilla/5.0 (compatible; examplebot/1.0)": true,
		"two words":                  false,
		"(comment)":                  false,
		"/1.0":                       false,
		"bot\r\nX: y":                false,
		"börse":                      false,
		"*":                          false,
		strings.Repeat("x", 256):     true,
		strings.Repeat("x", 257):     false,
		"examplebot/1.0 (line\tfeed": false,
	} {
		p, err := e.resolve("example.com", ScrapeOptions{ObeyRobots: true, RobotsUserAgent: agent})
		option, isOption := errors.AsType[*OptionError](err)
		if ok != (err == nil) || !ok && (!isOption || option.Field != "robotsUserAgent") {
			t.Errorf("%q: %v", agent, err)
		}
		if ok && p.RobotsAgent != cmp.Or(agent, DefaultRobotsAgent) {
			t.Errorf("%q: asks about %q", agent, p.RobotsAgent)
		}
	}
	if _, err := e.resolve("example.com", ScrapeOptions{RobotsUserAgent: "x"}); err == nil {
		t.Error("an agent without ObeyRobots is taken")
	}
}

// Zero data retention: the host's robots.txt isn't remembered, and no error names it.
func TestObeyRobots_zeroDataRetentionRemembersNothing(t *testing.T) {
	s, c := newFieldSite("User-agent: *\nDisallow: /oats"), newClock()
	e := fieldEngine(t, s, c)
	zero := ScrapeOptions{ObeyRobots: true, ZeroDataRetention: true, Timeout: 5 * time.Minute}
	scrapeOK(t, e, field, zero)
	_, err := e.Scrape(t.Context(), "https://granary.example/oats", zero)
	if CodeOf(err) != CodeRobots || strings.Contains(err.Error(), "oats") || strings.Contains(err.Error(), "granary") {
		t.Errorf("got %v", err)
	}
	s.fails(http.StatusInternalServerError)
	_, err = e.Scrape(t.Context(), field, zero)
	if CodeOf(err) != CodeRobotsUnreachable || strings.Contains(err.Error(), "granary") {
		t.Errorf("got %v", err)
	}
	if e.robots.Count() != 0 {
		t.Error("robots.txt was remembered")
	}
	if n := s.robots.Load(); n != 1+1+4 {
		t.Errorf("%d fetches", n)
	}
}
