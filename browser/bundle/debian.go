package bundle

import (
	"bufio"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// debianPackage is an installed package that files of a bundle come from.
type debianPackage struct {
	name, version, architecture string
}

func (d debianPackage) origin() string { return "deb " + d.name + " " + d.version }

// The records of the system's package manager.
const (
	dpkgLists  = "/var/lib/dpkg/info"
	dpkgStatus = "/var/lib/dpkg/status"
)

// owners returns the names of the Debian packages that files are of; of none, and of a package that is not installed properly, "". All that
// are found are noted in p.packages.
func (p *packing) owners(files []string) (map[string]string, error) {
	names := map[string][]string{} // as lists may have them: /lib is a link into /usr
	for _, file := range files {
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			return nil, err
		}
		names[real] = append(names[real], file)
		names[strings.TrimPrefix(real, "/usr")] = append(names[strings.TrimPrefix(real, "/usr")], file)
	}
	owned := map[string]string{}
	lists, _ := filepath.Glob(filepath.Join(dpkgLists, "*.list"))
	for _, list := range lists {
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(list), ".list"), ":")
		err := eachLine(list, func(line string) {
			for _, file := range names[line] {
				owned[file] = name
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return owned, p.notePackages(owned)
}

// notePackages reads the versions of packages, and takes out of owned what has none.
func (p *packing) notePackages(owned map[string]string) error {
	wanted := map[string]bool{}
	for _, name := range owned {
		wanted[name] = true
	}
	var at debianPackage
	end := func() {
		if wanted[at.name] && at.version != "" {
			p.packages[at.name] = at
		}
		at = debianPackage{}
	}
	err := eachLine(dpkgStatus, func(line string) {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "":
			end()
		case "Package":
			at.name = value
		case "Version":
			at.version = value
		case "Architecture":
			at.architecture = value
		}
	})
	end()
	if errors.Is(err, os.ErrNotExist) {
		err = nil // another system: nothing has an owner
	}
	for file, name := range owned {
		if p.packages[name].version == "" {
			delete(owned, file)
		}
	}
	return err
}

// addOwned adds a file of a Debian package, and once for each folder the package's copyright file, which has its license.
func (p *packing) addOwned(at, file, owner string) {
	pkg := p.packages[owner]
	info, err := os.Stat(file)
	p.add(at, pkg.origin(), err == nil && info.Mode()&0o100 != 0, source{file: file})
	folder, _, _ := strings.Cut(at, "/")
	license := path.Join(folder, "licenses", owner)
	if text := "/usr/share/doc/" + owner + "/copyright"; p.sources[license].file == "" && exists(text) {
		p.add(license, pkg.origin(), false, source{file: text})
	}
}

// addDebianPart adds a part whose files are of Debian packages.
func (p *packing) addDebianPart(name string) {
	p.manifest.Parts = append(p.manifest.Parts, Part{Name: name, Folder: folders()[name], Origin: "Debian packages, each file with its own"})
}

// eachLine visits the lines of a file.
func eachLine(file string, visit func(string)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		visit(lines.Text())
	}
	return lines.Err()
}
