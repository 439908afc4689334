package auth

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
)

// maxLook is how many bytes of a page signs are looked for in.
const maxLook = 64 << 10

// session is what a recipe has begun. The gate lets one goroutine log in at a time.
type session struct {
	gate chan struct{}

	mu     sync.Mutex
	number int // of logins so far
	ended  bool
	jar    *cookiejar.Jar  // nil: there is no session
	names  map[string]bool // of its cookies
}

// doInSession sends a request within the session, and once more in a new one if its answer says that it has ended.
func (l *Login) doInSession(ctx context.Context, r Request, send Sender) (*http.Response, error) {
	number, err := l.logIn(ctx, r, 0)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		resp, err := send(l.inSession(r), false)
		if err != nil {
			return nil, err
		}
		l.keep(resp, r)
		if !l.hasEnded(resp) {
			return resp, nil
		}
		if r.Once {
			l.expire(number)
			return resp, nil
		}
		if err := drain(resp); err != nil || try > 0 {
			l.pause.refused()
			return nil, l.failed("the session has ended as soon as it had begun", err)
		}
		if number, err = l.logIn(ctx, r, number); err != nil {
			return nil, err
		}
	}
}

// expire has the next request log in, if the session is still that one.
func (l *Login) expire(number int) {
	l.session.mu.Lock()
	defer l.session.mu.Unlock()
	if l.session.number == number {
		l.session.ended = true
	}
}

// logIn makes sure that there is a session other than the one that has ended, 0 for none, and returns its number.
func (l *Login) logIn(ctx context.Context, r Request, ended int) (int, error) {
	s := &l.session
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	s.mu.Lock()
	number, usable := s.number, s.jar != nil && !s.ended && s.number != ended
	s.mu.Unlock()
	if usable {
		return number, nil
	}
	if l.pause.on() {
		return 0, l.failed("it was refused before, and is not tried again for "+pauseTime.String(), nil)
	}
	w := &walk{login: l, request: r, names: map[string]bool{}}
	if err := w.follow(ctx); err != nil {
		return 0, err
	}
	l.pause.accepted()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number, s.ended, s.jar, s.names = s.number+1, false, w.jar, w.names
	return s.number, nil
}

// inSession are the headers of a request within the session.
func (l *Login) inSession(r Request) http.Header {
	s := &l.session
	s.mu.Lock()
	defer s.mu.Unlock()
	var parts []string
	for c := range strings.SplitSeq(r.Cookie, ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(c), "=")
		if c = strings.TrimSpace(c); c != "" && !s.names[name] {
			parts = append(parts, c)
		}
	}
	for _, c := range s.jar.Cookies(l.address(r.Target)) {
		parts = append(parts, c.Name+"="+c.Value)
	}
	more := http.Header{}
	if len(parts) > 0 {
		more.Set("Cookie", strings.Join(parts, "; "))
	}
	if l.with.Form.readsText() {
		more.Set("Accept-Encoding", "identity")
	}
	return more
}

// address is the URL of a target, as far as cookies go by it.
func (l *Login) address(target string) *url.URL {
	path, _, _ := strings.Cut(target, "?")
	return &url.URL{Scheme: l.origin.Scheme, Host: strings.TrimPrefix(l.origin.String(), l.origin.Scheme+"://"), Path: path}
}

// keep takes the session's own cookies from an answer, which the site may renew.
func (l *Login) keep(resp *http.Response, r Request) {
	s := &l.session
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := resp.Header["Set-Cookie"]
	resp.Header.Del("Set-Cookie")
	for _, line := range lines {
		c, err := http.ParseSetCookie(line)
		if err != nil || !s.names[c.Name] {
			resp.Header.Add("Set-Cookie", line)
			continue
		}
		s.jar.SetCookies(l.address(r.Target), []*http.Cookie{c})
	}
}

// hasEnded reports whether an answer says that the session is over.
func (l *Login) hasEnded(resp *http.Response) bool {
	recipe := l.with.Form
	if l.leadsTo(resp, recipe.Steps[0].Path) {
		return true
	}
	for _, sign := range recipe.Ended {
		if l.shows(resp, sign, "") {
			return true
		}
	}
	return false
}

// shows reports whether an answer, of a page with a path or with the one that it leads to, has all of a sign.
func (l *Login) shows(resp *http.Response, sign Sign, path string) bool {
	return (sign.Status == 0 || sign.Status == resp.StatusCode) &&
		(sign.Path == "" || below(path, sign.Path) || l.leadsTo(resp, sign.Path)) &&
		(sign.Text == "" || bytes.Contains(look(resp), []byte(sign.Text)))
}

// leadsTo reports a redirect to a path of the origin.
func (l *Login) leadsTo(resp *http.Response, path string) bool {
	if resp.StatusCode/100 != 3 {
		return false
	}
	to, err := l.address("/").Parse(resp.Header.Get("Location"))
	return err == nil && resp.Header.Get("Location") != "" && OriginOf(to.String()) == l.origin && below(to.Path, path)
}

func below(path, root string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(root, "/"))
}

// look is the beginning of an HTML page, which can still be read from the answer.
func look(resp *http.Response) []byte {
	if already, ok := resp.Body.(*looked); ok {
		return already.beginning
	}
	if !strings.Contains(resp.Header.Get("Content-Type"), "html") {
		return nil
	}
	beginning, err := io.ReadAll(io.LimitReader(resp.Body, maxLook))
	rest := io.Reader(resp.Body)
	if err != nil {
		rest = failing{err}
	}
	resp.Body = &looked{Reader: io.MultiReader(bytes.NewReader(beginning), rest), Closer: resp.Body, beginning: beginning}
	return beginning
}

// looked is a body whose beginning has been read.
type looked struct {
	io.Reader
	io.Closer
	beginning []byte
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// readsText reports whether a sign is looked for in pages.
func (r *Recipe) readsText() bool {
	for _, s := range r.Ended {
		if s.Text != "" {
			return true
		}
	}
	return false
}
