//go:build !race

package engine

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// skipsByDesign are what the reason of a skip may begin with. A tool that is missing is none of them: in CI, which sets
// WINNOW_REQUIRE_TOOLS, it fails the test.
var skipsByDesign = []string{"-short: ", "-race: ", "WINNOW_SOAK=1 ", "WINNOW_CORPUS is not set", "WINNOW_STRUCTURE is not set", "fuzzed input: ", "this system: ", "the parser refuses this page"}

func TestHouse_aSkipIsByDesignOrFailsInCI(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			found += checkSkips(t, files, decl)
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Fatalf("%d skips, %v", found, err)
	}
}

// checkSkips counts the skips of a declaration. One that asks for WINNOW_REQUIRE_TOOLS may skip for any reason.
func checkSkips(t *testing.T, files *token.FileSet, decl ast.Decl) (found int) {
	t.Helper()
	var source bytes.Buffer
	if err := printer.Fprint(&source, files, decl); err != nil {
		t.Fatal(err)
	}
	asks := strings.Contains(source.String(), `os.Getenv("WINNOW_REQUIRE_TOOLS")`)
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !skips(call) {
			return true
		}
		found++
		if !asks && !byDesign(call) {
			t.Errorf("%s: a skip that is neither by design nor a failure in CI; want a reason that begins with one of %q", files.Position(call.Pos()), skipsByDesign)
		}
		return true
	})
	return found
}

func skips(call *ast.CallExpr) bool {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, method.Sel.Name) {
		return false
	}
	name := ""
	switch of := method.X.(type) {
	case *ast.Ident:
		name = of.Name
	case *ast.SelectorExpr: // s.t
		name = of.Sel.Name
	}
	return slices.Contains([]string{"t", "tb", "b", "f"}, name)
}

func byDesign(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	reason, ok := call.Args[0].(*ast.BasicLit)
	return ok && slices.ContainsFunc(skipsByDesign, func(begin string) bool { return strings.HasPrefix(strings.Trim(reason.Value, "\"`"), begin) })
}
