package bundle

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/winnow-go/winnow/browser/internal/install"
)

// Manifest says what a bundle holds.
type Manifest struct {
	Format    string    `json:"format"`    // "winnow-bundle/1"
	System    string    `json:"system"`    // that it is for, as runtime.GOOS has it
	Processor string    `json:"processor"` // and runtime.GOARCH
	Parts     []Part    `json:"parts"`
	Missing   []Missing `json:"missing,omitempty"` // what it doesn't hold
	SBOM      Entry     `json:"sbom"`
	Entries   []Entry   `json:"entries"` // in the order of their paths
}

// Part is one thing that a bundle holds, in a folder.
type Part struct {
	Name      string `json:"name"`
	Folder    string `json:"folder"`              // in the cache folder
	Version   string `json:"version,omitempty"`   // "" where its files have several
	Program   string `json:"program,omitempty"`   // the version of the browser itself; "" of other parts
	Origin    string `json:"origin"`              // where it comes from, in words
	Integrity string `json:"integrity,omitempty"` // of the download that it was unpacked from: "sha512-…" as npm has it
	License   string `json:"license,omitempty"`   // an SPDX expression; "" where its files bring theirs
}

// Missing is something that a bundle doesn't hold. It names no path of its maker's.
type Missing struct {
	Name string `json:"name"` // of a part, or a file of it
	Why  string `json:"why"`
}

// Entry is one file.
type Entry struct {
	Path    string `json:"path"` // with slashes; the part's folder first
	Size    int64  `json:"size"` // in bytes
	SHA256  string `json:"sha256"`
	Program bool   `json:"program,omitempty"` // it can be executed
	Origin  string `json:"origin"`
}

// Format is that of the bundles that this program writes and reads.
const Format = "winnow-bundle/1"

// The first two names in the archive.
const (
	manifestName = "manifest.json"
	sbomName     = "sbom.cdx.json"
)

// The bounds of a bundle. Those of its entries are checked before the first is written.
const (
	maxManifest = 32 << 20
	maxEntries  = 50_000
	maxEntry    = 2 << 30
	maxTotal    = 8 << 30
	maxPath     = 1000
	windowSize  = 8 << 20 // of the compression
)

// folders are those that a bundle may fill, by part.
func folders() map[string]string {
	all := map[string]string{
		"fonts": install.FontFolder, "sandbox": "sandbox", "ocr": "ocr", "base": "base", "filters": "filters", "modules": "modules",
	}
	for _, p := range install.Parts() {
		all[p.Name] = p.Folder
	}
	return all
}

// check reports why a manifest can't be installed on this machine: it is for another system or another version of this program, or it
// names something that a bundle never has.
func (m *Manifest) check() error {
	switch {
	case m.Format != Format:
		return fmt.Errorf("the manifest has the format %.40q, want %q", m.Format, Format)
	case m.System != runtime.GOOS || m.Processor != runtime.GOARCH:
		return fmt.Errorf("the bundle is for %.20s on %.20s, this is %s on %s", m.System, m.Processor, runtime.GOOS, runtime.GOARCH)
	case len(m.Entries) > maxEntries:
		return fmt.Errorf("the manifest names %d files, more than %d", len(m.Entries), maxEntries)
	case m.SBOM.Path != sbomName || m.SBOM.check() != nil || m.SBOM.Size > maxManifest:
		return errors.New("the manifest doesn't describe the file " + sbomName)
	}
	known, filled := folders(), map[string]bool{}
	for _, p := range m.Parts {
		if known[p.Name] == "" || known[p.Name] != p.Folder {
			return fmt.Errorf("the part %.40q is in the folder %.80q, this program wants %q: pack it with the same version of the program",
				p.Name, p.Folder, known[p.Name])
		}
		if filled[p.Folder] {
			return fmt.Errorf("the part %s is named twice", p.Name)
		}
		filled[p.Folder] = true
	}
	return m.checkEntries(filled)
}

// checkEntries requires that paths rise, so that none is there twice, and lie in the folders of the parts.
func (m *Manifest) checkEntries(filled map[string]bool) error {
	left, last := int64(maxTotal), ""
	for _, e := range m.Entries {
		folder, _, _ := strings.Cut(e.Path, "/")
		if err := e.check(); err != nil {
			return err
		}
		if !filled[folder] || folder == e.Path {
			return fmt.Errorf("%s lies in no part's folder", e.Path)
		}
		if e.Path <= last {
			return fmt.Errorf("%s is named twice, or out of order", e.Path)
		}
		if left -= e.Size; left < 0 {
			return fmt.Errorf("over %d bytes unpacked, at %s", int64(maxTotal), e.Path)
		}
		last = e.Path
	}
	return nil
}

func (e *Entry) check() error {
	sum, err := hex.DecodeString(e.SHA256)
	switch {
	case !safePath(e.Path):
		return fmt.Errorf("the manifest names an unsafe path: %.100q", e.Path)
	case e.Size < 0 || e.Size > maxEntry:
		return fmt.Errorf("%s has %d bytes, want 0 to %d", e.Path, e.Size, int64(maxEntry))
	case err != nil || len(sum) != 32:
		return fmt.Errorf("%s has no SHA-256", e.Path)
	}
	return nil
}

// safePath accepts relative paths in their shortest form, without anything that a system or a terminal takes for more than a name.
func safePath(p string) bool {
	for _, r := range p {
		if r < ' ' || r == 0x7f || r == '\\' || r == ':' || r == 0xfffd {
			return false
		}
	}
	return p != "" && p != "." && len(p) <= maxPath && path.Clean(p) == p && filepath.IsLocal(filepath.FromSlash(p))
}
