package bundle

import (
	"bufio"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLibraries bounds what one program may load.
const maxLibraries = 500

// libraries are the files that a program needs to be loaded: its interpreter first, then its libraries in the order in which they are
// found, but for those in the folder own. They are named as the loader knows them; a name may be a link.
func libraries(program, own string) ([]string, error) {
	var found []string
	interpreter, needed, err := needs(program)
	if err != nil {
		return nil, err
	}
	if interpreter != "" {
		found = append(found, interpreter)
	}
	dirs := libraryDirs()
	for seen := map[string]bool{filepath.Base(interpreter): true}; len(needed) > 0; needed = needed[1:] {
		name := needed[0]
		if seen[name] {
			continue
		}
		if seen[name] = true; len(seen) > maxLibraries {
			return nil, fmt.Errorf("%s loads over %d libraries", program, maxLibraries)
		}
		file := findLibrary(name, slices.Concat([]string{own}, dirs))
		if file == "" {
			return nil, fmt.Errorf("%s needs the library %s, which is not installed", program, name)
		}
		_, more, err := needs(file)
		if err != nil {
			return nil, err
		}
		needed = append(needed, more...)
		if filepath.Dir(file) != own {
			found = append(found, file)
		}
	}
	return found, nil
}

// needs reads what an ELF file says about its loading.
func needs(file string) (interpreter string, names []string, err error) {
	f, err := elf.Open(file)
	if err != nil {
		return "", nil, fmt.Errorf("read %s: %w", file, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP && p.Filesz < 4096 {
			text := make([]byte, p.Filesz)
			if _, err := p.ReadAt(text, 0); err != nil {
				return "", nil, fmt.Errorf("read %s: %w", file, err)
			}
			interpreter = strings.TrimRight(string(text), "\x00")
		}
	}
	names, err = f.ImportedLibraries()
	return interpreter, names, err
}

// findLibrary returns the first file of a name that is an ELF file of this processor.
func findLibrary(name string, dirs []string) string {
	if strings.Contains(name, "/") {
		return ""
	}
	for _, dir := range dirs {
		if file := filepath.Join(dir, name); dir != "" && sameProcessor(file) {
			return file
		}
	}
	return ""
}

func sameProcessor(file string) bool {
	f, err := elf.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	self, err := elf.Open("/proc/self/exe")
	if err != nil {
		return false
	}
	defer self.Close()
	return f.Machine == self.Machine && f.Class == self.Class
}

// libraryDirs are the folders that the system's loader searches.
func libraryDirs() (dirs []string) {
	files, _ := filepath.Glob("/etc/ld.so.conf.d/*.conf")
	for _, file := range append(files, "/etc/ld.so.conf") {
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if line := strings.TrimSpace(lines.Text()); strings.HasPrefix(line, "/") {
				dirs = append(dirs, line)
			}
		}
		f.Close()
	}
	return append(dirs, "/lib64", "/usr/lib64", "/lib", "/usr/lib")
}
