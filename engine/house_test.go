package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/winnow-go/winnow/"

// topLevel is all that may lie at the root beside dot-folders.
var topLevel = []string{
	"engine", "fetch", "formats", "crawl", "cache", "actions", "browser", "llm", "examples",
	"go.mod", "go.sum", "README.md", "LICENSE",
}

// edges: which packages of ours each package may import. A package that isn't
// here may not exist. "examples" stands for all below it.
var edges = map[string][]string{
	"actions":                           {},
	"actions/actionstest":               {"actions"},
	"browser":                           {"actions", "browser/sandbox"},
	"browser/code":                      {"browser/sandbox"},
	"browser/profile":                   {},
	"browser/sandbox":                   {},
	"fetch":                             {},
	"fetch/filter":                      {},
	"fetch/fetchtest":                   {},
	"fetch/guard":                       {"fetch"},
	"formats":                           {"formats/brand", "formats/content", "formats/css", "formats/markdown", "formats/menu", "formats/product", "formats/recipe", "formats/structured", "formats/walk", "formats/weburl"},
	"formats/css":                       {"formats/walk"},
	"formats/menu":                      {"formats/money", "formats/structured"},
	"formats/money":                     {},
	"formats/product":                   {"formats/money", "formats/structured", "formats/walk"},
	"formats/recipe":                    {"formats/css", "formats/money", "formats/walk"},
	"formats/structured":                {"formats/walk"},
	"formats/brand":                     {},
	"formats/content":                   {"formats/content/trees", "formats/walk", "formats/weburl"},
	"formats/content/sample":            {},
	"formats/content/train":             {"formats", "formats/content", "formats/content/sample", "formats/content/trees"},
	"formats/content/trees":             {},
	"formats/markdown":                  {"formats/walk", "formats/weburl"},
	"formats/document":                  {"formats/document/feed", "formats/document/office", "formats/document/pdf", "formats/weburl"},
	"formats/document/feed":             {"formats/document/internal/flow", "formats/document/internal/xmltree"},
	"formats/document/internal/flow":    {},
	"formats/document/internal/xmltree": {},
	"formats/document/office":           {"formats/document/internal/flow", "formats/document/internal/xmltree"},
	"formats/document/pdf":              {"formats/weburl"},
	"formats/walk":                      {},
	"formats/weburl":                    {},
	"cache":                             {},
	"cache/cachetest":                   {"cache"},
	"crawl":                             {},
	"crawl/crawltest":                   {"crawl"},
	"crawl/crawltest/trapsite":          {},
	"crawl/robots":                      {"formats/weburl"},
	"crawl/scope":                       {"formats/weburl"},
	"crawl/sitemap":                     {"formats/weburl"},
	"engine/enginetest":                 {"engine"},
	"engine/httpapi":                    {"actions", "engine", "engine/search", "formats"},
	"llm":                               {},
	"llm/induce":                        {"llm"},
	"llm/llmtest":                       {"llm"},
	"llm/read":                          {"llm"},
	"engine/internal/agent":             {"actions", "engine/internal/drive", "engine/internal/toolloop", "llm"},
	"engine/internal/drive":             {"actions", "engine/internal/toolloop", "llm"},
	"engine/internal/drive/drivetest":   {"actions", "engine/internal/drive", "engine/internal/toolloop", "llm", "llm/llmtest"},
	"engine/internal/toolloop":          {"llm"},
	"engine/search":                     {},
	"engine/search/local":               {"engine/search"},
	"engine/search/searchtest":          {"engine/search"},
	"engine/internal/flight":            {},
	"engine/internal/jobs":              {},
	"engine/internal/liveview":          {},
	"engine/internal/lru":               {},
	"engine/internal/relevance":         {},
	"engine/internal/tracking":          {},
	"engine":                            {"engine/internal/liveview", "engine/internal/toolloop", "browser/sandbox", "browser/code", "engine/internal/agent", "engine/internal/drive", "browser/profile", "fetch/filter", "actions", "browser", "fetch", "fetch/guard", "formats", "formats/brand", "formats/document", "formats/menu", "formats/money", "formats/product", "formats/recipe", "formats/weburl", "cache", "crawl", "crawl/robots", "crawl/scope", "crawl/sitemap", "engine/internal/flight", "engine/internal/jobs", "engine/internal/lru", "engine/internal/relevance", "engine/internal/tracking", "engine/search", "llm", "llm/induce", "llm/read"},
	"examples":                          {"actions", "browser", "engine", "engine/httpapi", "engine/search", "engine/search/local", "fetch", "formats", "llm", "llm/llmtest", "examples/server/demo"},
}

// owners: which folder alone may import an outside module.
var owners = map[string][]string{
	"github.com/playwright-community/playwright-go":   {"browser"},
	"github.com/gofrs/flock":                          {"browser"},
	"github.com/andybalholm/brotli":                   {"fetch"},
	"github.com/gogs/chardet":                         {"fetch", "formats/document/office"},
	"github.com/PuerkitoBio/goquery":                  {"formats"},
	"github.com/abadojack/whatlanggo":                 {"formats"},
	"github.com/andybalholm/cascadia":                 {"formats"}, // goquery's selectors
	"github.com/JohannesKaufmann/html-to-markdown/v2": {"formats"},
	"github.com/ledongthuc/pdf":                       {"formats/document/pdf"},
	"github.com/pdfcpu/pdfcpu":                        {"formats/document/pdf"},
	"github.com/xuri/excelize/v2":                     {"formats/document/office"},
	"github.com/richardlehane/mscfb":                  {"formats/document/office"}, // excelize's container format
	"github.com/temoto/robotstxt":                     {"crawl"},
	"go.etcd.io/bbolt":                                {"cache"},
	"github.com/tidwall/btree":                        {"cache"},
	"github.com/sashabaranov/go-openai":               {"llm"},
	"github.com/santhosh-tekuri/jsonschema/v6":        {"llm"},
	"github.com/rogpeppe/go-internal":                 {"engine/internal/tracking"},
	"github.com/blevesearch/bleve/v2":                 {"engine/search/local"},
	"github.com/blevesearch/bleve_index_api":          {"engine/search/local"}, // bleve's own
	"github.com/blevesearch/snowballstem":             {"engine/search/local"}, // bleve's stemmers
	"github.com/coder/websocket":                      {"engine/internal/liveview", "engine/httpapi"},
	"go.opentelemetry.io/otel/attribute":              {"engine/httpapi"}, // of the API alone: go.opentelemetry.io/otel itself is a global
	"go.opentelemetry.io/otel/codes":                  {"engine/httpapi"},
	"go.opentelemetry.io/otel/metric":                 {"engine/httpapi"},
	"go.opentelemetry.io/otel/propagation":            {"engine/httpapi"},
	"go.opentelemetry.io/otel/semconv":                {"engine/httpapi"},
	"go.opentelemetry.io/otel/trace":                  {"engine/httpapi"},
	"github.com/tidwall/gjson":                        {"examples/convert"},
	"github.com/schollz/progressbar/v3":               {"examples/crawl"},
	"github.com/prometheus/client_golang":             {"examples/server"},
	"go.opentelemetry.io/otel/exporters/prometheus":   {"examples/server"},
	"go.opentelemetry.io/otel/sdk":                    {"examples/server"},
	"github.com/swaggest":                             {"engine/httpapi"},
}

// sharedModules may be imported anywhere.
var sharedModules = []string{"golang.org/x/", "github.com/nlnwa/whatwg-url/", "github.com/klauspost/compress/", "github.com/google/uuid"}

func TestHouse_topLevelIsAsDesigned(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(topLevel, e.Name()) {
			t.Errorf("top level has %q, which the design does not allow", e.Name())
		}
	}
}

func TestHouse_importsFollowTheDesign(t *testing.T) {
	forEachFile(t, func(pkg, path string, file *ast.File) {
		allowed, known := edges[house(pkg)]
		if !known {
			t.Errorf("%s: package %s is not in the design", path, pkg)
			return
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			checkImport(t, pkg, path, name, allowed)
		}
	})
}

func checkImport(t *testing.T, pkg, path, name string, allowed []string) {
	t.Helper()
	if own, ok := strings.CutPrefix(name, module); ok {
		if !slices.Contains(allowed, own) {
			t.Errorf("%s: %s may not import %s", path, pkg, own)
		}
		return
	}
	first, _, _ := strings.Cut(name, "/")
	if !strings.Contains(first, ".") { // standard library
		return
	}
	if !slices.ContainsFunc(sharedModules, func(p string) bool { return strings.HasPrefix(name+"/", p) || name == p }) && !owned(pkg, name) {
		t.Errorf("%s: %s does not own %s", path, pkg, name)
	}
}

// owned tells whether pkg lies in a folder that owns the module of name.
func owned(pkg, name string) bool {
	for mod, folders := range owners {
		if name != mod && !strings.HasPrefix(name, mod+"/") {
			continue
		}
		for _, folder := range folders {
			if pkg == folder || strings.HasPrefix(pkg, folder+"/") {
				return true
			}
		}
	}
	return false
}

func TestHouse_everyPackageHasAComment(t *testing.T) {
	commented := map[string]bool{}
	forEachFile(t, func(pkg, _ string, file *ast.File) {
		commented[pkg] = commented[pkg] || file.Doc != nil && strings.TrimSpace(file.Doc.Text()) != ""
	})
	for pkg, ok := range commented {
		if !ok {
			t.Errorf("package %s has no comment", pkg)
		}
	}
}

func TestHouse_everyExportedNameOfAnExportedPackageHasAComment(t *testing.T) {
	forEachFile(t, func(pkg, path string, file *ast.File) {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Doc == nil && fn.Name.IsExported() && exportedReceiver(fn) && !selfEvident(fn) {
				t.Errorf("%s: %s has no comment", path, fn.Name.Name)
			}
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
				checkTypes(t, path, gen)
			}
		}
	})
}

func exportedReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	kind := fn.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	name, ok := kind.(*ast.Ident)
	return !ok || name.IsExported()
}

// selfEvident are the methods of error values, whose comments could only repeat their names.
func selfEvident(fn *ast.FuncDecl) bool {
	return fn.Recv != nil && (fn.Name.Name == "Error" || fn.Name.Name == "Unwrap")
}

func checkTypes(t *testing.T, path string, gen *ast.GenDecl) {
	t.Helper()
	for _, spec := range gen.Specs {
		if ts := spec.(*ast.TypeSpec); ts.Name.IsExported() && ts.Doc == nil && gen.Doc == nil {
			t.Errorf("%s: type %s has no comment", path, ts.Name.Name)
		}
	}
}

// house folds all examples into one row of the table.
func house(pkg string) string {
	if pkg == "examples" || strings.HasPrefix(pkg, "examples/") {
		return "examples"
	}
	return pkg
}

// forEachFile parses every non-test file of the module.
func forEachFile(t *testing.T, visit func(pkg, path string, file *ast.File)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		rel, _ := filepath.Rel("..", filepath.Dir(path))
		visit(filepath.ToSlash(rel), filepath.ToSlash(path), file)
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("walk: %d files, %v", files, err)
	}
}
