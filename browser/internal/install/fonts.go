package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// FontFolder is the folder in the cache of the fonts that a bundle has brought, with their configuration.
const FontFolder = "fonts"

// fontPackages draw the scripts that probe checks.
var fontPackages = map[string]string{"Latin": "fonts-dejavu-core", "CJK": "fonts-wqy-microhei"}

// checkFonts installs missing fonts where that is allowed; else it warns and names the command.
func (in *search) checkFonts(ctx context.Context, inst *Installation, missing []string) {
	if len(missing) == 0 {
		return
	}
	var packages []string
	for _, script := range missing {
		packages = append(packages, fontPackages[script])
	}
	_, tried := in.records.get("fonts", inst.Executable)
	if in.mayUseSystem() == nil && !tried {
		still, err := in.installFonts(ctx, inst, packages)
		if err == nil && len(still) == 0 {
			return
		}
		in.log.Debug("install fonts", "still missing", still, "error", err)
		in.records.put("fonts", inst.Executable, record{Why: "tried"})
	}
	in.warning(fmt.Sprintf("no font draws %s: such text appears as boxes in screenshots; to fix: sudo apt-get install -y %s (Debian, Ubuntu), or any such font",
		strings.Join(missing, " and "), strings.Join(packages, " ")))
}

func (in *search) installFonts(ctx context.Context, inst *Installation, packages []string) (missing []string, err error) {
	in.progress("fonts", "apt-get install "+strings.Join(packages, " "), 0, 0)
	if err := in.apt(ctx, "install", packages...); err != nil {
		if err := in.apt(ctx, "update"); err != nil {
			return nil, err
		}
		if err := in.apt(ctx, "install", packages...); err != nil {
			return nil, err
		}
	}
	result, err := in.Probe(ctx, inst)
	if err != nil {
		return nil, err
	}
	in.records.put("browser", inst.Executable, record{OK: true, Text: result.Version, Missing: result.MissingScripts})
	return result.MissingScripts, nil
}

// fontsChanged reports whether fonts have come or gone since a browser was tested.
func fontsChanged(since time.Time) bool {
	roots := []string{"/usr/share/fonts", "/usr/local/share/fonts", "/var/cache/fontconfig"}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts"))
	}
	for _, root := range roots {
		below, _ := filepath.Glob(filepath.Join(root, "*"))
		for _, path := range append(below, root) {
			if info, err := os.Stat(path); err == nil && info.ModTime().After(since) {
				return true
			}
		}
	}
	return false
}
