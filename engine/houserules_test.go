//go:build !race

package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The bounds of the house. A place that exceeds one stands in the excuses with the reason; an excuse that is no longer
// needed is a failure.
const (
	maxFiles       = 40
	maxLines       = 6000 // of code: comments and blank lines apart
	maxMethods     = 40
	maxMethodFiles = 8
	maxFields      = 20
	maxColumns     = 140
)

// fileExcuses are packages with more files than a package may have. No package is excused from the bound of lines.
var fileExcuses = map[string]string{
	"engine": "each operation, each group of options and each result has a file",
}

// typeExcuses are types with more methods, or in more files, than a type may have.
var typeExcuses = map[string]string{
	"engine.Engine":                       "each operation has a file",
	"crawl.Frontier":                      "each operation has a file",
	"engine/internal/jobs.Jobs":           "each operation has a file",
	"engine/internal/monitoring.Monitors": "each operation has a file",
	"engine/internal/sessions.Session":    "each use of a session has a file",
	"engine/internal/page.Visit":          "each part of a visit has a file",
	"engine/mcp.call":                     "each tool has a file",
	"formats.DOM":                         "each format has a file",
	"formats/brand.judgement":             "each property of a brand has a file",
	"formats/internal/content.page":       "each step of the search has a file",
	"formats/internal/markdown.sheet":     "each kind of block has a file",
	"formats/internal/markdown.work":      "each repair of the tree has a file",
}

// fieldExcuses are structs with more fields than a struct may have, beside options and results.
var fieldExcuses = map[string]string{
	"engine.Engine":                  "it has all rooms",
	"engine/internal/page.Page":      "all that is known of a page",
	"formats/internal/pagedata.Item": "the form of JSON-LD",
	"formats/brand.Look":             "the form in which the script reports an element",
	"formats/brand.Samples":          "the form in which the script reports a page",
}

func TestHouse_packagesAreOfOneSubject(t *testing.T) {
	t.Parallel()
	files, lines := map[string]int{}, map[string]int{}
	forEachFile(t, func(pkg, path string, _ *ast.File) {
		files[pkg]++
		lines[pkg] += codeLines(t, path)
	})
	for pkg := range files {
		if _, excused := fileExcuses[pkg]; (files[pkg] > maxFiles) != excused {
			t.Errorf("%s: %d files (at most %d); excused: %t", pkg, files[pkg], maxFiles, excused)
		}
		if lines[pkg] > maxLines {
			t.Errorf("%s: %d lines of code (at most %d)", pkg, lines[pkg], maxLines)
		}
	}
}

// codeLines counts lines that are neither blank nor a comment.
func codeLines(t *testing.T, path string) (n int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

func TestHouse_typesAreOfOneSubject(t *testing.T) {
	t.Parallel()
	methods, in := map[string]int{}, map[string]map[string]bool{}
	forEachFile(t, func(pkg, path string, file *ast.File) {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			name := pkg + "." + receiverName(fn)
			if methods[name]++; in[name] == nil {
				in[name] = map[string]bool{}
			}
			in[name][path] = true
		}
	})
	for name, n := range methods {
		over := n > maxMethods || len(in[name]) > maxMethodFiles
		if _, excused := typeExcuses[name]; over != excused {
			t.Errorf("%s: %d methods in %d files (at most %d in %d); excused: %t", name, n, len(in[name]), maxMethods, maxMethodFiles, excused)
		}
	}
}

func receiverName(fn *ast.FuncDecl) string {
	kind := fn.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if generic, ok := kind.(*ast.IndexExpr); ok {
		kind = generic.X
	}
	if name, ok := kind.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

func TestHouse_structsAreOfOneSubject(t *testing.T) {
	t.Parallel()
	needed := map[string]bool{}
	forEachFile(t, func(pkg, path string, file *ast.File) {
		for name, s := range structsOf(file) {
			n := 0
			for _, f := range s.Fields.List {
				n += max(1, len(f.Names))
			}
			if n <= maxFields || isDataStruct(name) {
				continue
			}
			needed[pkg+"."+name] = true
			if fieldExcuses[pkg+"."+name] == "" {
				t.Errorf("%s: %s has %d fields, more than %d", path, name, n, maxFields)
			}
		}
	})
	for name := range fieldExcuses {
		if !needed[name] {
			t.Errorf("%s needs no excuse", name)
		}
	}
}

func structsOf(file *ast.File) map[string]*ast.StructType {
	found := map[string]*ast.StructType{}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		for _, spec := range gen.Specs {
			if s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType); ok {
				found[spec.(*ast.TypeSpec).Name.Name] = s
			}
		}
	}
	return found
}

// isDataStruct reports options, requests and results by their names: they have as many fields as there are things to say.
func isDataStruct(name string) bool {
	name = strings.ToLower(name)
	for _, kind := range []string{
		"options", "params", "parameters", "request", "body", "result", "document", "metadata", "acquisition", "record", "output", "facts", "signals", "config", "report", "settings",
		"asker", "plan",
	} {
		if strings.HasSuffix(name, kind) {
			return true
		}
	}
	return false
}

func TestHouse_edgesAreUsed(t *testing.T) {
	t.Parallel()
	used := map[string]map[string]bool{}
	forEachFile(t, func(pkg, _ string, file *ast.File) {
		pkg = house(pkg)
		if used[pkg] == nil {
			used[pkg] = map[string]bool{}
		}
		for _, spec := range file.Imports {
			if own, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module); ok {
				used[pkg][own] = true
			}
		}
	})
	for pkg, allowed := range edges {
		for _, edge := range allowed {
			if !used[pkg][edge] && !usedByTests(t, pkg, edge) {
				t.Errorf("%s does not import %s: the edge can go", pkg, edge)
			}
		}
	}
}

// usedByTests reports an import in a test file: of packages for tests, the tests are the users.
func usedByTests(t *testing.T, pkg, edge string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(path string) bool {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"`+module+edge+`"` })
	})
}

func TestHouse_linesCanBeRead(t *testing.T) {
	t.Parallel()
	forEachFile(t, func(_, path string, file *ast.File) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		literal, n, start := literalLines(file), 0, file.FileStart
		for line := range strings.Lines(string(data)) {
			n++
			if utf8.RuneCountInString(line) > maxColumns+1 && !literal(start, start+token.Pos(len(line))) {
				t.Errorf("%s:%d has more than %d columns", path, n, maxColumns)
			}
			start += token.Pos(len(line))
		}
	})
}

// literalLines returns a function that reports whether a string literal stands in a line, wholly or in part.
func literalLines(file *ast.File) func(start, end token.Pos) bool {
	var literals []*ast.BasicLit
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			literals = append(literals, lit)
		}
		return true
	})
	return func(start, end token.Pos) bool {
		return slices.ContainsFunc(literals, func(lit *ast.BasicLit) bool { return lit.Pos() < end && start < lit.End() })
	}
}

var goFile = regexp.MustCompile(`\b[a-z0-9_*]+\.go\b`)

// A package comment that lists files lists all of them, and none that isn't there.
func TestHouse_floorPlansAreTrue(t *testing.T) {
	t.Parallel()
	plans, files := map[string]string{}, map[string][]string{}
	forEachFile(t, func(pkg, path string, file *ast.File) {
		files[pkg] = append(files[pkg], filepath.Base(path))
		if file.Doc != nil {
			plans[pkg] += file.Doc.Text()
		}
	})
	for pkg, plan := range plans {
		listed := goFile.FindAllString(plan, -1)
		if len(listed) < 3 { // no floor plan
			continue
		}
		for _, name := range listed {
			if !slices.ContainsFunc(files[pkg], func(file string) bool { return globMatches(name, file) }) {
				t.Errorf("%s: its comment lists %s, which is not there", pkg, name)
			}
		}
		for _, name := range files[pkg] {
			known := slices.ContainsFunc(listed, func(pattern string) bool { return globMatches(pattern, name) })
			if !known && name != "doc.go" && !strings.Contains(name, "_") {
				t.Errorf("%s: its comment does not list %s", pkg, name)
			}
		}
	}
}

func globMatches(pattern, file string) bool {
	ok, err := filepath.Match(pattern, file)
	return ok && err == nil
}
