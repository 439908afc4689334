package bundle

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/install"
)

// addNpm adds what the cache folder holds of packages with pinned hashes, and names what else is there.
func (p *packing) addNpm(ctx context.Context, cache string) error {
	for _, part := range install.Parts() {
		dir := filepath.Join(cache, part.Folder)
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(part.Proof))); err != nil {
			p.missing(part.Name, "%s is not in the cache folder", part.Folder)
			continue
		}
		if part.Integrity == "" {
			p.missing(part.Name, "the hash of %s@%s is not known for this system", part.Package, part.Version)
			continue
		}
		origin := "npm " + part.Package + "@" + part.Version
		packed := Part{
			Name: part.Name, Folder: part.Folder, Version: part.Version, Origin: origin, Integrity: part.Integrity, License: part.License,
		}
		if part.Name == "browser" {
			packed.Program = browserVersion(ctx, filepath.Join(dir, part.Proof))
		}
		p.manifest.Parts = append(p.manifest.Parts, packed)
		if err := p.addFolder(dir, part.Folder, origin); err != nil {
			return err
		}
	}
	for _, folder := range install.Unpinned {
		if exists(filepath.Join(cache, folder)) {
			p.missing("the driver's own browser", "%s in the cache folder was downloaded without a known hash", folder)
		}
	}
	return nil
}

var versionNumber = regexp.MustCompile(`\d+\.\d+\.\d+\.\d+`)

// browserVersion is what the browser says that it is, "" when it can't be started here.
func browserVersion(ctx context.Context, program string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, "--version")
	c.Env = []string{"LD_LIBRARY_PATH=" + filepath.Join(filepath.Dir(program), "lib")}
	said, _ := c.Output()
	return string(versionNumber.Find(said))
}

// addFolder adds the regular files below a folder. A link counts as the file that it leads to, which must lie in the folder too.
func (p *packing) addFolder(dir, as, origin string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := root.Stat(name)
		if err != nil {
			return fmt.Errorf("%s in %s: %w", name, dir, err)
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s in %s is no regular file", name, dir)
		}
		p.add(path.Join(as, name), origin, info.Mode()&0o100 != 0, source{file: filepath.Join(dir, name)})
		return nil
	})
}

// fontsConf makes the fonts beside it and the system's known to a browser.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
	<dir prefix="relative">.</dir>
	<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

// addFonts adds the fonts of Debian packages. Others may not be passed on, for all that is known.
func (p *packing) addFonts() error {
	files := fontFiles("/usr/share/fonts", "/usr/local/share/fonts")
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, fontFiles(filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts"))...)
	}
	owned, err := p.owners(files)
	if err != nil {
		return err
	}
	n := 0
	for _, file := range files {
		if owned[file] == "" {
			p.missing("fonts", "%s is of no Debian package", filepath.Base(file))
			continue
		}
		n++
		p.addOwned(path.Join(install.FontFolder, owned[file], filepath.Base(file)), file, owned[file])
	}
	if n == 0 {
		p.missing("fonts", "none of a Debian package is installed")
		return nil
	}
	p.add(path.Join(install.FontFolder, "fonts.conf"), ownOrigin, false, source{text: []byte(fontsConf)})
	p.addDebianPart("fonts")
	return nil
}

// ownOrigin is that of files that this package writes itself.
const ownOrigin = "winnow"

// fontFiles are the fonts in some folders, in order.
func fontFiles(dirs ...string) (files []string) {
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains([]string{".ttf", ".otf", ".ttc"}, strings.ToLower(filepath.Ext(file))) {
				files = append(files, file)
			}
			return nil // a folder that can't be read has none
		})
	}
	return files
}

// addFilters adds the filter lists that the caller names.
func (p *packing) addFilters(files []string) error {
	if len(files) == 0 {
		p.missing("filters", "no list is named; the program has a short one of its own")
		return nil
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		at := path.Join("filters", filepath.Base(file))
		if _, twice := p.sources[at]; twice || !info.Mode().IsRegular() {
			return fmt.Errorf("the filter list %s is no file, or another has its name", file)
		}
		p.add(at, "given: "+filepath.Base(file), false, source{file: file})
	}
	p.manifest.Parts = append(p.manifest.Parts, Part{Name: "filters", Folder: "filters", Origin: "given"})
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
