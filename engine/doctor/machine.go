package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/sandbox"
	"github.com/winnow-go/winnow/formats/document"
)

func hasSandbox(ctx context.Context, _ Options) []Finding {
	f := Finding{Name: "sandbox", State: OK, Text: "bubblewrap, for sessions and their code"}
	err := browser.InstallSandbox(ctx, browser.InstallOptions{Mode: browser.InstallNever})
	if err != nil {
		f.State, f.Text, f.Err = Without, err.Error(), err
		if missing, ok := errors.AsType[*sandbox.UnavailableError](err); ok {
			f.Text, f.Fix = missing.Reason, missing.Fix
		}
	}
	return []Finding{f}
}

func hasOCR(context.Context, Options) []Finding {
	if document.FindTesseract() == nil {
		return []Finding{{
			Name: "ocr", State: Without, Text: "pictures and scanned PDFs give no text", Fix: "apt-get install tesseract-ocr (Debian, Ubuntu)",
			Err: document.ErrNoTesseract,
		}}
	}
	return []Finding{{Name: "ocr", State: OK, Text: "tesseract"}}
}

// The space below which a folder is said to be full: a browser's cache and profile, and one download.
const minSpace = 500 << 20

// cacheDir is where driver and browser are kept.
func cacheDir(o Options) (string, error) {
	if o.Browser.CacheDir != "" {
		return filepath.Abs(o.Browser.CacheDir)
	}
	user, err := os.UserCacheDir()
	return filepath.Join(user, "winnow"), err
}

func cacheFolder(_ context.Context, o Options) []Finding {
	dir, err := cacheDir(o)
	if err != nil {
		return []Finding{{Name: "folder", State: Without, Text: err.Error(), Fix: "set HOME or XDG_CACHE_HOME", Err: err}}
	}
	return []Finding{writable("folder", dir, Without)}
}

func temporaryFolder(context.Context, Options) []Finding {
	return []Finding{writable("temporary", os.TempDir(), Broken)}
}

// writable writes a file into a folder and looks how much space is left; without either the state is bad.
func writable(name, dir string, bad State) Finding {
	f := Finding{Name: name, State: OK, Text: dir}
	file, err := os.CreateTemp(dir, "winnow-check-")
	if err == nil {
		err = errors.Join(file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		f.State, f.Text, f.Err, f.Fix = bad, err.Error(), err, "make "+dir+" writable for this user"
		return f
	}
	free, known := freeSpace(dir)
	if known {
		f.Text = fmt.Sprintf("%s, %d MB free", dir, free>>20)
	}
	if known && free < minSpace {
		f.State, f.Err, f.Fix = Without, errors.New("little space"), fmt.Sprintf("free %d MB", minSpace>>20)
	}
	return f
}

// minMemory is what a driver, a browser and one page take.
const minMemory = 512 << 20

// memory reads what the control group of this process may take.
func memory(context.Context, Options) []Finding {
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		limit, numeric := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil || numeric != nil || limit > 1<<50 {
			continue
		}
		f := Finding{Name: "memory", State: OK, Text: fmt.Sprintf("the control group allows %d MB", limit>>20)}
		if limit < minMemory {
			f.State, f.Err, f.Fix = Without, errors.New("little memory"), fmt.Sprintf("allow %d MB: a browser with one page takes most of it", minMemory>>20)
		}
		return []Finding{f}
	}
	return []Finding{{Name: "memory", State: OK, Text: "no control group bounds it"}}
}
