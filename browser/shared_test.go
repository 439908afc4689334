package browser

import (
	"errors"
	"testing"
)

// sharedBrowsers are closed with the test.
func sharedBrowsers(t *testing.T, o Options) *Shared {
	t.Helper()
	owner, err := NewShared(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = owner.Close() })
	return owner
}

func TestShared_poolsUseOneBrowserAndEndAlone(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	owner := sharedBrowsers(t, Options{})
	one, two := ownPool(t, Options{Shared: owner}), ownPool(t, Options{Shared: owner})
	p, q := openFrom(t, one, PageOptions{}), openFrom(t, two, PageOptions{})
	if p.gen != q.gen {
		t.Fatal("got two browsers, want one")
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	if _, err := one.Open(testContext(t), PageOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed pool: got %v, want ErrClosed", err)
	}
	visit(t, q, "data:text/html,<p>goes on")
	marker := "WINNOW_RUN=" + q.gen.Folder.Marker()
	if err := errors.Join(two.Close(), owner.Close()); err != nil {
		t.Error(err)
	}
	if left := processesWith(marker); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := ownPool(t, Options{Shared: owner}).Open(testContext(t), PageOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("a pool whose browsers are closed: got %v, want ErrClosed", err)
	}
}

func TestShared_aBrowserThatRetiresIsReplacedForAll(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	owner := sharedBrowsers(t, Options{MaxContexts: 2})
	one, two := ownPool(t, Options{Shared: owner}), ownPool(t, Options{Shared: owner})
	first, second := openFrom(t, one, PageOptions{}), openFrom(t, two, PageOptions{})
	third, fourth := openFrom(t, one, PageOptions{}), openFrom(t, two, PageOptions{})
	if first.gen != second.gen || third.gen != fourth.gen || first.gen == third.gen {
		t.Error("want the first two pages on one browser, the next two on another")
	}
	visit(t, second, "data:text/html,<p>still works") // the old one is only closed after its last page
	marker := "WINNOW_RUN=" + first.gen.Folder.Marker()
	_ = first.Close()
	_ = second.Close()
	eventually(t, "the old browser is gone", func() bool { return len(processesWith(marker)) == 0 })
}

func TestShared_refusesWhatItsOwnerDecides(t *testing.T) {
	owner := sharedBrowsers(t, Options{})
	for field, o := range map[string]Options{
		"Install": {Install: InstallOptions{System: true}}, "Headless": {Headless: "new"}, "Args": {Args: []string{"--x"}}, "MaxAge": {MaxAge: 1},
	} {
		o.Shared = owner
		if refused, ok := errors.AsType[*OptionError](o.Validate()); !ok || refused.Field != field {
			t.Errorf("got %v, want %s refused", o.Validate(), field)
		}
	}
	if _, err := NewShared(Options{Shared: owner}); err == nil {
		t.Error("shared browsers that share others: want an error")
	}
}
