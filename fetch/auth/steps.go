package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

const (
	maxTime = time.Minute // of a login
	maxPage = 1 << 20     // bytes of a page with a form
	maxHops = 10          // redirects of one step
)

// walk is one login in progress.
type walk struct {
	login   *Login
	request Request
	jar     *cookiejar.Jar
	names   map[string]bool
	at      *url.URL // of the last page
	resp    *http.Response
	page    []byte
}

// follow takes the steps of the recipe.
func (w *walk) follow(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	w.jar, _ = cookiejar.New(nil) // nil options can't be refused
	for i, step := range w.login.with.Form.Steps {
		if err := w.step(ctx, step); err != nil {
			return w.login.failed(fmt.Sprintf("step %d of the form", i+1), err)
		}
	}
	if err := w.check(); err != nil {
		w.login.pause.refused()
		return w.login.failed("the form was refused", err)
	}
	return nil
}

func (w *walk) step(ctx context.Context, s Step) error {
	if s.Path != "" {
		at, err := w.login.address("/").Parse(s.Path)
		if err != nil {
			return err
		}
		if err := w.visit(ctx, http.MethodGet, at, nil); err != nil {
			return err
		}
	}
	form := findForm(w.page, s)
	if form == nil {
		return errors.New("no form of the page has all its fields")
	}
	values := form.fill(s, w.login.with)
	action, err := w.at.Parse(form.action)
	if s.Action != "" {
		action, err = w.login.address("/").Parse(s.Action)
	}
	if err != nil {
		return errors.New("the form leads nowhere")
	}
	if form.get {
		action.RawQuery = values.Encode()
		return w.visit(ctx, http.MethodGet, action, nil)
	}
	return w.visit(ctx, http.MethodPost, action, values)
}

// visit requests a page, and those that it redirects to.
func (w *walk) visit(ctx context.Context, method string, at *url.URL, values url.Values) error {
	for range maxHops {
		if OriginOf(at.String()) != w.login.origin {
			return fmt.Errorf("it leads to another origin, %s", at.Host)
		}
		w.at = at
		if err := w.send(ctx, method, values); err != nil {
			return err
		}
		location := w.resp.Header.Get("Location")
		if w.resp.StatusCode/100 != 3 || location == "" {
			return nil
		}
		next, err := at.Parse(location)
		if err != nil {
			return errors.New("it redirects to no address")
		}
		if at = next; w.resp.StatusCode < 307 {
			method, values = http.MethodGet, nil
		}
	}
	return fmt.Errorf("more than %d redirects", maxHops)
}

// send makes one request and reads the page that it gets.
func (w *walk) send(ctx context.Context, method string, values url.Values) error {
	var body io.Reader
	if values != nil {
		body = strings.NewReader(values.Encode())
	}
	r, err := http.NewRequestWithContext(ctx, method, w.at.String(), body)
	if err != nil {
		return errors.New("no address")
	}
	r.Header.Set("User-Agent", w.request.UserAgent)
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if values != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", w.at.Scheme+"://"+w.at.Host)
	}
	for _, c := range w.jar.Cookies(w.at) {
		r.AddCookie(c)
	}
	if w.resp, err = w.request.Through.RoundTrip(r); err != nil {
		return err
	}
	defer w.resp.Body.Close()
	for _, c := range w.resp.Cookies() {
		w.names[c.Name] = true
	}
	w.jar.SetCookies(w.at, w.resp.Cookies())
	w.page, err = io.ReadAll(io.LimitReader(w.resp.Body, maxPage))
	return err
}

// check recognizes a success.
func (w *walk) check() error {
	l, recipe := w.login, w.login.with.Form
	w.resp.Body = &looked{beginning: w.page[:min(len(w.page), maxLook)], Reader: bytes.NewReader(nil), Closer: io.NopCloser(nil)}
	if recipe.Success != (Sign{}) {
		if !l.shows(w.resp, recipe.Success, w.at.Path) {
			return errors.New("the page after it hasn't the sign of success")
		}
		return nil
	}
	if w.resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("status %d", w.resp.StatusCode)
	}
	if l.hasEnded(w.resp) || findForm(w.page, recipe.Steps[len(recipe.Steps)-1]) != nil {
		return errors.New("the page after it has the form again")
	}
	return nil
}
