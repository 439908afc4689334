package bundle

import (
	"fmt"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/browser/internal/install"
)

// addPrograms adds the sandbox and the text recognition, each with its libraries and its loader: the other machine's may be older, or not
// there at all.
func (p *packing) addPrograms() error {
	if runtime.GOOS != "linux" {
		p.missing("sandbox", "there is none for %s", runtime.GOOS)
		p.missing("ocr", "on %s only Linux programs could be packed", runtime.GOOS)
		return nil
	}
	if err := p.addProgram("sandbox", "bwrap", ""); err != nil {
		return err
	}
	data := tessdata()
	if len(data) == 0 {
		p.missing("ocr", "tesseract's data are not installed")
		return nil
	}
	if err := p.addProgram("ocr", "tesseract", "TESSDATA_PREFIX=$d/tessdata\nexport TESSDATA_PREFIX\n"); err != nil {
		return err
	}
	if _, there := p.sources["ocr/tesseract"]; !there {
		return nil
	}
	return p.addData(data)
}

// runScript starts a program with the loader and the libraries beside it, without anything in its environment that its own children would
// inherit.
const runScript = `#!/bin/sh
d=${0%%/*}
%sexec "$d/lib/%s" --library-path "$d/lib" "$d/lib/%s" "$@"
`

// addProgram adds a program to the folder of a part, under its name a script that starts it.
func (p *packing) addProgram(part, name, before string) error {
	program, err := exec.LookPath(name)
	if err != nil {
		p.missing(part, "%s is not installed", name)
		return nil
	}
	files, err := libraries(program, "")
	if err != nil || len(files) == 0 || files[0] == "" {
		p.missing(part, "the libraries of %s: %v", program, err)
		return nil
	}
	owned, err := p.owners(append([]string{program}, files...))
	if err != nil {
		return err
	}
	for _, file := range append([]string{program}, files...) {
		if owned[file] == "" {
			p.missing(part, "%s is of no Debian package", file)
			return nil
		}
	}
	for _, file := range append([]string{program}, files...) {
		p.addOwned(path.Join(part, "lib", filepath.Base(file)), file, owned[file])
	}
	script := fmt.Sprintf(runScript, before, filepath.Base(files[0]), filepath.Base(program))
	p.add(path.Join(part, name), ownOrigin, true, source{text: []byte(script)})
	p.addDebianPart(part)
	return nil
}

// tessdata are the languages that tesseract has here, and the settings of the form in which the engine reads its results.
func tessdata() (files []string) {
	dirs := []string{"/usr/share/tesseract-ocr/*/tessdata", "/usr/share/tessdata", "/usr/share/tesseract/tessdata"}
	for _, dir := range dirs {
		languages, _ := filepath.Glob(filepath.Join(dir, "*.traineddata"))
		if len(languages) == 0 {
			continue
		}
		settings, _ := filepath.Glob(filepath.Join(dir, "configs", "tsv"))
		return append(languages, settings...)
	}
	return nil
}

// addData adds tesseract's data: languages of a Debian package, others have no known origin.
func (p *packing) addData(files []string) error {
	owned, err := p.owners(files)
	if err != nil {
		return err
	}
	for _, file := range files {
		at := path.Join("ocr/tessdata", filepath.Base(file))
		if filepath.Base(filepath.Dir(file)) == "configs" {
			at = path.Join("ocr/tessdata/configs", filepath.Base(file))
		}
		if owned[file] == "" {
			p.missing("ocr", "%s is of no Debian package", file)
			continue
		}
		p.addOwned(at, file, owned[file])
	}
	return nil
}

// basePrograms are what the scripts that start driver, browser and sandbox call, and the shell that runs them.
var basePrograms = []string{"sh", "env", "true", "setsid", "setpriv"}

// addBase adds the C library and other libraries of node and browser, and the programs of scripts, as Debian has them below /.
func (p *packing) addBase(cache string) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	at, err := p.baseFiles(cache)
	if err != nil {
		p.missing("base", "%v", err)
		return nil
	}
	files := slices.Sorted(maps.Values(at))
	owned, err := p.owners(files)
	if err != nil {
		return err
	}
	for _, file := range files {
		if owned[file] == "" {
			p.missing("base", "%s is of no Debian package", file)
			return nil
		}
	}
	for place, file := range at {
		p.addOwned(path.Join("base", place), file, owned[file])
	}
	p.addDebianPart("base")
	return nil
}

// baseFiles returns the files of the base by their paths below /.
func (p *packing) baseFiles(cache string) (map[string]string, error) {
	at := map[string]string{}
	add := func(program, own string) error {
		files, err := libraries(program, own)
		for _, file := range files {
			at[strings.TrimPrefix(file, "/")] = file
		}
		return err
	}
	for _, name := range basePrograms {
		program, err := exec.LookPath(name)
		if err != nil {
			return nil, err
		}
		at["bin/"+name] = program
		if err := add(program, ""); err != nil {
			return nil, err
		}
	}
	for _, part := range install.Parts() {
		program := filepath.Join(cache, part.Folder, filepath.FromSlash(part.Proof))
		if !slices.Contains([]string{"node", "browser"}, part.Name) || !exists(program) {
			continue
		}
		if err := add(program, filepath.Join(filepath.Dir(program), "lib")); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// glibc reports files that only work beside the C library that they came with.
func glibc(name string) bool {
	base, _, _ := strings.Cut(filepath.Base(name), ".so")
	return strings.HasPrefix(base, "ld-") || strings.HasPrefix(base, "libnss_") ||
		slices.Contains([]string{"libc", "libm", "libdl", "librt", "libpthread", "libresolv", "libutil", "libmvec", "libanl"}, base)
}
