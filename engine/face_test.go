//go:build !race

package engine

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The face is what other programs build on: the packages that are promised, and those whose types they name. Its golden
// files are the output of go doc -all, so that a change of it is a reviewed change of a file. To rewrite them:
//
//	go test ./engine -run Face -update
var updateFace = flag.Bool("update", false, "rewrite the golden files of the face")

// promised are the packages that programs import to work with the engine.
var promised = []string{"engine", "engine/httpapi", "engine/enginetest", "engine/search", "llm", "actions"}

// mayChange is what the first sentences of every other package's comment say.
const mayChange = "It may change without notice."

const faceFolder = "testdata/api"

// faceFile is the golden file of a package of the face.
func faceFile(pkg string) string { return strings.ReplaceAll(pkg, "/", ".") + ".txt" }

func TestFace_changesOnlyWithItsGoldenFiles(t *testing.T) {
	pkgs := faceOf(t, declarations(t))
	texts := make([]string, len(pkgs))
	var wait sync.WaitGroup
	for i, pkg := range pkgs {
		wait.Go(func() { texts[i] = goDoc(t, pkg) })
	}
	wait.Wait()
	if t.Failed() {
		return
	}
	if *updateFace {
		writeFace(t, pkgs, texts)
	}
	for i, pkg := range pkgs {
		name := filepath.Join(faceFolder, faceFile(pkg))
		want, err := os.ReadFile(name)
		if err != nil || string(want) != texts[i] {
			t.Errorf("the face of %s is not that of %s (%v): %s\nIf the change is meant: go test ./engine -run Face -update",
				pkg, name, err, changedLine(texts[i], string(want)))
		}
	}
}

func TestFace_hasNoOtherGoldenFiles(t *testing.T) {
	var want, got []string
	for _, pkg := range faceOf(t, declarations(t)) {
		want = append(want, faceFile(pkg))
	}
	entries, err := os.ReadDir(faceFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s has %q, want %q; go test ./engine -run Face -update", faceFolder, got, want)
	}
}

// Internal packages can't be imported from elsewhere, and commands can't be imported at all: no one takes them for a promise.
func TestFace_packagesBesideItSayThatTheyMayChange(t *testing.T) {
	packages := declarations(t)
	face := faceOf(t, packages)
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		p := packages[name]
		if p.command || strings.Contains(name+"/", "/internal/") {
			continue
		}
		line, _, _ := strings.Cut(p.comment, "\n")
		if slices.Contains(face, name) == strings.Contains(line, mayChange) {
			t.Errorf("%s: the first line of its package comment is %q; want %q in it: %v", name, line, mayChange, !slices.Contains(face, name))
		}
	}
}

// declaredPackage is what the documentation of a package shows.
type declaredPackage struct {
	comment string
	names   map[string][]named // by exported declaration; what a method names counts for its type
	command bool
}

// named is an exported declaration of a package of this module.
type named struct{ pkg, name string }

// declarations reads every package of the module.
func declarations(t *testing.T) map[string]declaredPackage {
	t.Helper()
	packages := map[string]declaredPackage{}
	forEachFreshFile(t, func(pkg, _ string, file *ast.File) {
		p := packages[pkg]
		if p.names == nil {
			p.names = map[string][]named{}
		}
		p.command = file.Name.Name == "main"
		p.comment += file.Doc.Text()
		p.read(pkg, file, importsOf(t, file))
		packages[pkg] = p
	})
	return packages
}

// read notes what a file's exported declarations name, unexported fields, methods and bodies apart.
func (p declaredPackage) read(pkg string, file *ast.File, imports map[string]string) {
	ast.FileExports(file)
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if of := typeOfMethod(d); ast.IsExported(of) {
				p.names[of] = append(p.names[of], namedIn(d.Type, pkg, imports)...)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				of := declaredBy(spec)
				p.names[of] = append(p.names[of], namedIn(spec, pkg, imports)...)
			}
		}
	}
}

// typeOfMethod returns the name of a method's type, or of a function its own.
func typeOfMethod(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	name := ""
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name // the first: type parameters follow
		}
		return name == ""
	})
	return name
}

// declaredBy returns the name of a type, or the first of some constants or variables.
func declaredBy(spec ast.Spec) string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Name.Name
	case *ast.ValueSpec:
		return spec.Names[0].Name
	}
	return ""
}

// namedIn lists the declarations of this module that a declaration names.
func namedIn(declaration ast.Node, pkg string, imports map[string]string) []named {
	var all []named
	ast.Inspect(declaration, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.Field:
			all = append(all, namedIn(n.Type, pkg, imports)...)
			return false
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && imports[id.Name] != "" {
				all = append(all, named{imports[id.Name], n.Sel.Name})
			}
			return false
		case *ast.Ident:
			all = append(all, named{pkg, n.Name})
		}
		return true
	})
	return all
}

// importsOf returns the packages of this module that a file imports, by the names that they have there. Internal ones are left out: no exported
// declaration may name them.
func importsOf(t *testing.T, file *ast.File) map[string]string {
	t.Helper()
	imports := map[string]string{}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		ours, found := strings.CutPrefix(name, module)
		local := path.Base(name)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if found && !strings.Contains(ours, "internal/") {
			imports[local] = ours
		}
	}
	return imports
}

// faceOf returns the promised packages and those that declare the types which their declarations name, directly or as parts of such types.
func faceOf(t *testing.T, packages map[string]declaredPackage) []string {
	t.Helper()
	var shown []named
	for _, pkg := range promised {
		if len(packages[pkg].names) == 0 {
			t.Fatalf("%s is promised and declares nothing", pkg)
		}
		for name := range packages[pkg].names {
			shown = append(shown, named{pkg, name})
		}
	}
	seen, face := map[named]bool{}, map[string]bool{}
	for len(shown) > 0 {
		at := shown[0]
		shown = shown[1:]
		if names, ok := packages[at.pkg].names[at.name]; ok && !seen[at] {
			seen[at], face[at.pkg] = true, true
			shown = append(shown, names...)
		}
	}
	return slices.Sorted(maps.Keys(face))
}

// goDoc returns what go doc -all prints of a package: on every system that of Linux.
func goDoc(t *testing.T, pkg string) string {
	t.Helper()
	var fault bytes.Buffer
	command := exec.CommandContext(t.Context(), "go", "doc", "-all", ".")
	command.Dir = filepath.Join("..", filepath.FromSlash(pkg))
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOFLAGS=")
	command.Stderr = &fault
	text, err := command.Output()
	if err != nil {
		t.Errorf("go doc -all ./%s: %v: %s", pkg, err, fault.String())
	}
	return string(text)
}

// writeFace writes the golden files, and removes those of packages that are no longer of the face.
func writeFace(t *testing.T, pkgs, texts []string) {
	t.Helper()
	if err := os.RemoveAll(faceFolder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(faceFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, pkg := range pkgs {
		if err := os.WriteFile(filepath.Join(faceFolder, faceFile(pkg)), []byte(texts[i]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// changedLine shows the first line in which two texts differ.
func changedLine(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if a, b := lineAt(g, i), lineAt(w, i); a != b {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, a, b)
		}
	}
	return "the same lines"
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}
