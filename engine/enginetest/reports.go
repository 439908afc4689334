package enginetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// maxReports is the maximum number of pages whose reports are kept: the last ones.
const maxReports = 5

// reports keeps the reports of the last pages.
type reports struct {
	mu     sync.Mutex
	last   []engine.PageReport
	folder folder // of screenshots
}

func (r *reports) add(p engine.PageReport) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = append(r.last, p)
	if len(r.last) > maxReports {
		r.last = r.last[1:]
	}
}

// attach logs the reports. Screenshots are written to the test's artifact folder with `go test -artifacts`,
// else to a folder of their own among the temporary files, where they stay.
func (r *reports) attach(t testing.TB) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, p := range r.last {
		t.Logf("enginetest: page %d of %d: %s\nconsole:%s\nrequests:%s\nscreenshot: %s",
			i+1, len(r.last), p.URL, lines(p.Console), lines(p.Requests), r.picture(t, i, p.Screenshot))
	}
}

func lines(list []string) string {
	if len(list) == 0 {
		return " none"
	}
	return "\n\t" + strings.Join(list, "\n\t")
}

// picture keeps a screenshot and says where.
func (r *reports) picture(t testing.TB, i int, png []byte) string {
	if len(png) == 0 {
		return "none"
	}
	path, err := r.folder.write(t, fmt.Sprintf("page-%d.png", i+1), png)
	if err != nil {
		return err.Error()
	}
	return path
}

// folder is where files of a test that has failed are written; "" before the first.
type folder string

// write writes a file and returns its path. The folder outlives the test; it is the one of artifacts only if they are kept.
func (f *folder) write(t testing.TB, name string, data []byte) (path string, err error) {
	if kept := flag.Lookup("test.artifacts"); *f == "" && kept != nil && kept.Value.String() == "true" {
		*f = folder(t.ArtifactDir())
	}
	if *f == "" {
		made, err := os.MkdirTemp("", "enginetest-")
		if err != nil {
			return "", err
		}
		*f = folder(made)
	}
	path = filepath.Join(string(*f), name)
	return path, os.WriteFile(path, data, 0o644)
}
