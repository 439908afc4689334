package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// accessibilityPackage has rules for the accessibility of pages. It is used unchanged, and read at run time only.
var accessibilityPackage = npmPackage{
	name: "axe-core", version: "4.14.1", size: 708_000,
	integrity: "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
}

// accessibilityScript is the file of the package that is run in a page.
const accessibilityScript = "axe.min.js"

// Accessibility downloads the npm package axe-core into the cache folder, and returns the file of its script. It is quick when it is
// there.
func Accessibility(ctx context.Context, r Request) (string, error) {
	in, err := newInstaller(r)
	if err != nil {
		return "", err
	}
	target := filepath.Join(in.cache, "accessibility-"+in.s.accessibility.version)
	script := filepath.Join(target, accessibilityScript)
	if exists(script) {
		return script, nil
	}
	if r.Never {
		return "", fmt.Errorf("install the rules for accessibility: %s: %w", script, errNever)
	}
	unlock, err := in.lock(ctx)
	if err != nil {
		return "", fmt.Errorf("install the rules for accessibility: %w", err)
	}
	defer unlock()
	if exists(script) { // another process was faster
		return script, nil
	}
	defer in.downloads.close()
	if err := in.downloadAccessibility(ctx, target); err != nil {
		return "", fmt.Errorf("install the rules for accessibility: %w", err)
	}
	return script, nil
}

func (in *installer) downloadAccessibility(ctx context.Context, target string) error {
	keep := func(name string) bool {
		return name == accessibilityScript || name == "LICENSE" || name == "LICENSE-3RD-PARTY.txt"
	}
	return in.downloads.unpackTo(ctx, "accessibility", in.s.accessibility, target, keep, func(dir string) error {
		_, err := os.Stat(filepath.Join(dir, accessibilityScript))
		return err
	})
}
