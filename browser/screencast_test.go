package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// screen keeps what a screencast shows.
type screen struct {
	mu     sync.Mutex
	frames []Frame
	newest int // the frame whose color was looked at
	known  string
	stop   context.CancelFunc
	done   chan error
}

func watch(t testing.TB, cast func(context.Context, ScreencastOptions, func(Frame)) error, o ScreencastOptions) *screen {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &screen{stop: cancel, done: make(chan error, 1)}
	go func() { s.done <- cast(ctx, o, s.add) }()
	t.Cleanup(cancel)
	return s
}

func (s *screen) add(f Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, f)
}

func (s *screen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.frames)
}

// color is that of the newest frame's middle: "red", "green", "blue", "white", "" when there is no frame.
func (s *screen) color() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.frames) > s.newest { // a picture takes long to decode, and most looks find the one before
		s.newest, s.known = len(s.frames), colorOf(s.frames[len(s.frames)-1])
	}
	return s.known
}

func colorOf(f Frame) string {
	picture, err := jpeg.Decode(bytes.NewReader(f.Data))
	if err != nil {
		return err.Error()
	}
	middle := picture.Bounds().Max.Div(2)
	r, g, b, _ := picture.At(middle.X, middle.Y).RGBA()
	for name, want := range map[string][3]bool{"red": {true, false, false}, "green": {false, true, false}, "blue": {false, false, true}, "white": {true, true, true}} {
		if want == [3]bool{r > 0x9000, g > 0x6000, b > 0x9000} {
			return name
		}
	}
	return fmt.Sprintf("%x %x %x", r>>8, g>>8, b>>8)
}

func (s *screen) shows(t *testing.T, color string) {
	t.Helper()
	eventually(t, "the screen is "+color, func() bool { return s.color() == color })
}

// ends waits for the screencast's end.
func (s *screen) ends(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(5 * time.Minute):
		t.Fatal("the screencast doesn't end")
		return nil
	}
}

const red, green, blue = "data:text/html,<body style='background:red'>", "data:text/html,<body style='background:green'>", "data:text/html,<body style='background:blue'>"

func TestScreencast_showsThePageAndItsChanges(t *testing.T) {
	p := open(t, PageOptions{Viewport: Viewport{Width: 600, Height: 400}})
	visit(t, p, red)
	s := watch(t, p.Remote().Screencast, ScreencastOptions{MaxWidth: 300})
	s.shows(t, "red")
	if f := s.frames[0]; f.Width != 600 || f.Height != 400 {
		t.Errorf("got a viewport of %dx%d, want 600x400", f.Width, f.Height)
	}
	if c, err := jpeg.DecodeConfig(bytes.NewReader(s.frames[0].Data)); err != nil || c.Width != 300 || c.Height != 200 {
		t.Errorf("got a picture of %dx%d (%v), want 300x200", c.Width, c.Height, err)
	}
	if _, err := p.Evaluate(testContext(t), "document.body.style.background = 'green'"); err != nil {
		t.Fatal(err)
	}
	s.shows(t, "green")
	visit(t, p, blue)
	s.shows(t, "blue")
	s.stop()
	if err := s.ends(t); err != nil {
		t.Error("a screencast that is stopped:", err)
	}
	again := watch(t, p.Remote().Screencast, ScreencastOptions{})
	again.shows(t, "blue")
}

func TestScreencast_slowReceiverGetsTheNewest(t *testing.T) {
	p := open(t, PageOptions{})
	visit(t, p, red)
	s := &screen{done: make(chan error, 1)}
	hold, arrived := make(chan struct{}), make(chan struct{}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		s.done <- p.Remote().Screencast(ctx, ScreencastOptions{}, func(f Frame) {
			arrived <- struct{}{}
			<-hold
			s.add(f)
		})
	}()
	<-arrived
	visit(t, p, blue)
	for range 20 {
		if _, err := p.Evaluate(testContext(t), "new Promise((r) => { document.body.style.background = document.body.style.background === 'red' ? 'green' : 'red'; requestAnimationFrame(() => requestAnimationFrame(r)) })"); err != nil {
			t.Fatal(err)
		}
	}
	visit(t, p, green)
	close(hold)
	s.shows(t, "green")
	if n := s.count(); n > 6 {
		t.Errorf("a receiver that held the first frame got %d, want the newest alone", n)
	}
	cancel()
	s.ends(t)
}

func TestScreencast_endsWithThePage(t *testing.T) {
	pool := ownPool(t, Options{MaxPages: 4})
	for _, c := range []struct {
		name string
		end  func(*Page)
		want error
	}{
		{"closed", func(p *Page) { _ = p.Close() }, ErrClosed},
		{"tab closed", func(p *Page) { _ = p.tab.Page.Close() }, ErrCrashed},
		{"tab crashed", func(p *Page) { tab.Start(p.tab, func() (any, error) { return p.tab.CDP.Send("Page.crash", nil) }) }, ErrCrashed},
		{"browser killed", func(p *Page) { p.gen.Folder.KillBrowser() }, ErrCrashed},
	} {
		p := openFrom(t, pool, PageOptions{})
		visit(t, p, red)
		s := watch(t, p.Remote().Screencast, ScreencastOptions{})
		s.shows(t, "red")
		c.end(p)
		if err := s.ends(t); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

// A page that stands still gives one frame, and where that is lost none.
func TestScreencast_asksAgainForALostFrame(t *testing.T) {
	p := open(t, PageOptions{})
	visit(t, p, red)
	params, err := ScreencastOptions{}.params()
	if err != nil {
		t.Fatal(err)
	}
	c := newCast(p.tab, params)
	defer c.close()
	if err := c.open(); err != nil {
		t.Fatal(err)
	}
	lose := time.After(3 * time.Second)
	for lost := false; !lost; {
		select {
		case <-c.fresh:
			c.take()
		case <-lose:
			lost = true
		}
	}
	s := watch(t, func(ctx context.Context, _ ScreencastOptions, show func(Frame)) error { return c.run(ctx, show) }, ScreencastOptions{})
	s.shows(t, "red")
}

// On a slow machine a screencast is to begin again before the browser has begun it, or when it is over.
func TestScreencast_isNotBegunAgainBeforeItHasBegun(t *testing.T) {
	newCast(&tab.Tab{}, nil).again() // which needs no session, and has none
}

// Watchers come and go without harm to what they watch, also when they go before the screencast has begun.
func TestScreencast_watchersThatGoLeaveThePage(t *testing.T) {
	p := open(t, PageOptions{})
	visit(t, p, red)
	for i := range 10 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*2*time.Millisecond)
		if err := p.Remote().Screencast(ctx, ScreencastOptions{}, func(Frame) {}); err != nil {
			t.Error(err)
		}
		cancel()
	}
	visit(t, p, green)
	s := watch(t, p.Remote().Screencast, ScreencastOptions{})
	s.shows(t, "green")
}

func TestScreencast_optionsThatCannotBeHonoured(t *testing.T) {
	for _, o := range []ScreencastOptions{{MaxWidth: -1}, {MaxHeight: maxCastSide + 1}, {Quality: 101}, {EveryNth: -1}} {
		var bad *OptionError
		if err := new(Remote).Screencast(t.Context(), o, nil); !errors.As(err, &bad) {
			t.Errorf("%+v: got %v", o, err)
		}
	}
}

func TestSessionScreencast_followsTheSessionsPage(t *testing.T) {
	s := newSession(t, SessionOptions{Egress: egressTo(t, "127.0.0.1:1")})
	p := pageOf(t, s)
	visit(t, p, red)
	screen := watch(t, s.Screencast, ScreencastOptions{})
	screen.shows(t, "red")
	if s.Shown() != p {
		t.Error("Shown is another page")
	}
	_ = p.tab.Page.Close()
	if s.Shown() != nil {
		t.Error("Shown is a page that is gone")
	}
	screen.shows(t, "white") // a new tab
	p = pageOf(t, s)
	visit(t, p, blue)
	screen.shows(t, "blue")
	if _, err := p.Evaluate(sessionContext(t), "window.open('about:blank').document.body.style.background = 'green'"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "there is a popup", func() bool { return len(s.Tabs()) == 2 })
	if _, err := s.Fold(sessionContext(t)); err != nil {
		t.Fatal(err)
	}
	screen.shows(t, "green")
	_ = s.Close()
	if s.Shown() != nil {
		t.Error("a closed session shows a page")
	}
	if err := screen.ends(t); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}
