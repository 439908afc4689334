package bundle

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// module is a Go module, or its go.mod file alone, as a line of a go.sum file names it.
type module struct {
	path, version string
	modOnly       bool
	hash          string // "h1:…"
}

// maxModuleFile is the most that a go.mod file may have.
const maxModuleFile = 16 << 20

// addModules adds the modules of a go.sum file as a proxy in a folder (go help goproxy) has them, each checked against the hash there.
func (p *packing) addModules(goSum, cache string) error {
	if goSum == "" {
		p.missing("modules", "no go.sum file is named")
		return nil
	}
	if cache == "" {
		return errors.New("ModuleCache: empty, want the folder that go env GOMODCACHE prints")
	}
	list, err := readGoSum(goSum)
	if err != nil {
		return err
	}
	for _, m := range list {
		if err := p.addModule(m, filepath.Join(cache, "cache", "download")); err != nil {
			return err
		}
	}
	if len(p.modules) > 0 {
		p.manifest.Parts = append(p.manifest.Parts, Part{Name: "modules", Folder: "modules", Origin: "the Go modules of a go.sum file"})
	}
	return nil
}

func readGoSum(file string) (list []module, err error) {
	err = eachLine(file, func(line string) {
		if words := strings.Fields(line); len(words) == 3 && strings.HasPrefix(words[2], "h1:") {
			version, modOnly := strings.CutSuffix(words[1], "/go.mod")
			list = append(list, module{path: words[0], version: version, modOnly: modOnly, hash: words[2]})
		}
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s names no module", file)
	}
	return list, err
}

// addModule adds one file of a module, and with a module's own files what the proxy says of its version.
func (p *packing) addModule(m module, cache string) error {
	kind := "zip"
	if m.modOnly {
		kind = "mod"
	}
	below := path.Join(escaped(m.path), "@v", escaped(m.version))
	file := filepath.Join(cache, filepath.FromSlash(below+"."+kind))
	hash, err := hashOf(file, m.modOnly)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if !m.modOnly { // of most modules that go.sum names only the go.mod file is ever needed
			p.missing("modules", "%s@%s is not in the module cache", m.path, m.version)
		}
		return nil
	case err != nil:
		return fmt.Errorf("read the module %s@%s: %w", m.path, m.version, err)
	case hash != m.hash:
		return fmt.Errorf("the module %s@%s has the hash %s, go.sum wants %s", m.path, m.version, hash, m.hash)
	}
	origin := "go " + m.path + "@" + m.version
	p.add(path.Join("modules", below+"."+kind), origin, false, source{file: file})
	if m.modOnly {
		return nil
	}
	p.modules = append(p.modules, m)
	info := fmt.Sprintf("{\"Version\":%q}", m.version) // the cache's own has times, which differ from machine to machine
	p.add(path.Join("modules", below+".info"), origin, false, source{text: []byte(info)})
	return nil
}

// escaped is a path or version as files of the module cache are named: without capitals, which some systems take for small letters.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// hashOf computes the hash that go.sum has of a module's zip file, or of its go.mod file: that of a list of files and their SHA-256.
func hashOf(file string, modOnly bool) (string, error) {
	if modOnly {
		data, err := readBounded(file, maxModuleFile)
		if err != nil {
			return "", err
		}
		return h1([]string{fmt.Sprintf("%x  go.mod\n", sha256.Sum256(data))}), nil
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		return "", err
	}
	defer z.Close()
	slices.SortFunc(z.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	lines := make([]string, 0, len(z.File))
	for _, f := range z.File {
		line, err := lineOf(f)
		if err != nil {
			return "", err
		}
		lines = append(lines, line)
	}
	return h1(lines), nil
}

func h1(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return "h1:" + base64.StdEncoding.EncodeToString(sum[:])
}

func lineOf(f *zip.File) (string, error) {
	r, err := f.Open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(r, maxEntry)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x  %s\n", hash.Sum(nil), f.Name), nil
}

func readBounded(file string, bound int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, bound+1))
	if err == nil && int64(len(data)) > bound {
		err = fmt.Errorf("%s has over %d bytes", file, bound)
	}
	return data, err
}
