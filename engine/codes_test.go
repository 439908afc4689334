package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// The rooms name codes without importing the engine.
func TestCodes_haveTheWordsOfTheEngine(t *testing.T) {
	own := stringConstants(t, "errors.go")
	given := stringConstants(t, "internal/codes/doc.go")
	if len(given) == 0 {
		t.Fatal("internal/codes has no codes")
	}
	for name, word := range given {
		if own["Code"+name] != word {
			t.Errorf("codes.%s is %s, Code%s is %s", name, word, name, own["Code"+name])
		}
	}
}

// stringConstants returns the constants of a file that have a text, by name.
func stringConstants(t *testing.T, file string) map[string]string {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				found[spec.Names[0].Name] = text.Value
			}
		}
		return true
	})
	return found
}
