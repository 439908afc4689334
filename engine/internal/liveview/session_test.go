package liveview

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
)

// sessionScreen is a browser's session as a screen, in the way that an engine joins the two.
type sessionScreen struct{ session *browser.Session }

func (s sessionScreen) Watch(ctx context.Context, show func(Frame)) error {
	err := s.session.Screencast(ctx, browser.ScreencastOptions{}, func(f browser.Frame) { show(Frame(f)) })
	if s.session.Err() != nil {
		return fmt.Errorf("%w: %w", ErrEnded, err)
	}
	return err
}

func (s sessionScreen) page(ctx context.Context) (*browser.Page, error) {
	making, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
	defer cancel()
	return s.session.Page(making)
}

func (s sessionScreen) Input(ctx context.Context, in Input) error {
	page, err := s.page(ctx)
	if err != nil {
		return err
	}
	return page.Remote().Input(ctx, browser.Input{
		Kind: browser.InputKind(in.Kind), X: in.X, Y: in.Y, Button: in.Button, Buttons: in.Buttons, Clicks: in.Clicks, DeltaX: in.DeltaX, DeltaY: in.DeltaY,
		Key: in.Key, Code: in.Code, Text: in.Text, Repeat: in.Repeat, Modifiers: in.Modifiers,
	})
}

func (s sessionScreen) State(ctx context.Context) (State, error) {
	page := s.session.Shown()
	if page == nil {
		return State{}, nil
	}
	title, err := page.Remote().Title(ctx)
	return State{URL: page.URL(), Title: title}, err
}

func (s sessionScreen) Goto(ctx context.Context, address string) error {
	page, err := s.page(ctx)
	if err != nil {
		return err
	}
	return page.Remote().Steer(ctx, address)
}

func (s sessionScreen) Travel(ctx context.Context, steps int) error {
	page, err := s.page(ctx)
	if err != nil {
		return err
	}
	return page.Remote().Travel(ctx, steps)
}

// openProxy forwards to wherever it is asked.
func openProxy(t testing.TB) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			carry(w, r)
			return
		}
		r.RequestURI = ""
		resp, err := client.Transport.RoundTrip(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		for name, values := range resp.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// carry joins two connections until one ends.
func carry(w http.ResponseWriter, r *http.Request) {
	there, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer there.Close()
	w.WriteHeader(http.StatusOK)
	here, rest, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(there, rest)
		_ = there.Close()
	}()
	_, _ = io.Copy(here, there)
	_ = here.Close()
	<-done
}
