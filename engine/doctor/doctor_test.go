package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// needBrowser skips under -short; it installs nothing.
func needBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
}

func names(list []Finding) (all []string) {
	for _, f := range list {
		all = append(all, f.Name+" "+string(f.State))
	}
	return all
}

func TestExamine_aMachineThatHasABrowser(t *testing.T) {
	needBrowser(t)
	var called []Finding
	found, err := Examine(t.Context(), Options{Found: func(f Finding) { called = append(called, f) }})
	if err != nil {
		t.Fatal(err)
	}
	have := names(found)
	for _, want := range []string{"node ok", "driver ok", "browser ok", "libraries ok", "rendering ok", "folder ok", "temporary ok"} {
		if !slices.Contains(have, want) {
			t.Errorf("no %q in %q", want, found)
		}
	}
	if len(have) != 12 || !slices.Equal(names(called), have) {
		t.Errorf("found %q, called with %q", have, names(called))
	}
}

// What is missing is named with what helps, and what comes before it counts as there.
func TestExamine_withoutABrowser(t *testing.T) {
	t.Parallel()
	list := notInstalled(&browser.InstallError{Missing: "browser", Tried: []browser.Attempt{
		{What: "headless shell at /x", Why: "error while loading shared libraries: libnss3.so"},
	}})
	if got := names(list); !slices.Equal(got, []string{"node ok", "driver ok", "libraries missing", "browser missing"}) {
		t.Errorf("got %q", got)
	}
	for _, f := range list[2:] {
		if !f.Needed() || f.Fix == "" || engine.CodeOf(f.Err) != engine.CodeAllEnginesFailed {
			t.Errorf("got %+v", f)
		}
	}
	if got := names(notInstalled(&browser.InstallError{Missing: "node"})); !slices.Equal(got, []string{"node missing"}) {
		t.Errorf("got %q", got)
	}
	if got := notInstalled(context.DeadlineExceeded); got[0].State != Broken || got[0].Err == nil {
		t.Errorf("got %+v", got)
	}
}

func TestExamine_fontsAreThoseOfTheWarning(t *testing.T) {
	t.Parallel()
	f := fonts([]string{"another", "no font draws CJK: such text appears as boxes; to fix: sudo apt-get install -y x"})
	if f.State != Without || f.Needed() || f.Fix != "sudo apt-get install -y x" || f.Err == nil {
		t.Errorf("got %+v", f)
	}
	if f := fonts([]string{"another"}); f.State != OK {
		t.Errorf("got %+v", f)
	}
}

func TestExamine_aFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if f := writable("temporary", file, Broken); !f.Needed() || f.Err == nil || f.Fix == "" {
		t.Errorf("got %+v", f)
	}
	if f := writable("temporary", t.TempDir(), Broken); f.State != OK {
		t.Errorf("got %+v", f)
	}
}

func TestExamine_endsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := Examine(ctx, Options{}); err == nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// Without a namespace, what the engines dial and look up is counted: the pages of the recording do call elsewhere.
func TestSilence_theRecordedPagesCallElsewhere(t *testing.T) {
	needBrowser(t)
	s := &silence{file: filepath.Join(t.TempDir(), "site.wacz")}
	s.o.Browser.Install = browser.InstallNever
	if err := s.record(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.attempts(); !slices.Contains(got, "the address of elsewhere.example") || len(s.attempts()) > 0 {
		t.Errorf("got %q", got)
	}
}
