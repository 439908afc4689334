//go:build !race

// The rules of the house are read from source, by one goroutine each: the race detector finds nothing in them,
// and makes them take most of a minute.

package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/winnow-go/winnow/"

// topLevel is all that may lie at the root beside dot-folders.
var topLevel = []string{
	"engine", "fetch", "formats", "crawl", "cache", "actions", "browser", "llm", "examples",
	"go.mod", "go.sum", "README.md", "LICENSE",
}

// edges: which packages of this module each package may import. A package that isn't
// here may not exist. "examples" stands for all below it.
var edges = map[string][]string{
	"actions":             {},
	"actions/actionstest": {"actions"},

	"browser": {
		"actions", "browser/internal/charset", "browser/internal/download", "browser/internal/elements", "browser/internal/install",
		"browser/internal/instance", "browser/internal/keys", "browser/internal/launch", "browser/internal/process",
		"browser/internal/reading", "browser/internal/tab", "browser/sandbox",
	},
	"browser/bundle": {"browser/internal/install"},
	"browser/code":   {"browser/sandbox"},

	"browser/internal/charset":  {"browser/internal/tab"},
	"browser/internal/download": {"actions", "browser/internal/tab"},
	"browser/internal/elements": {"actions", "browser/internal/tab"},
	"browser/internal/install":  {"browser/internal/process", "browser/sandbox"},
	"browser/internal/instance": {"browser/internal/install", "browser/internal/launch", "browser/internal/process", "browser/sandbox"},
	"browser/internal/keys":     {},
	"browser/internal/launch":   {"browser/internal/install", "browser/internal/process", "browser/sandbox"},
	"browser/internal/process":  {},
	"browser/internal/reading":  {"actions", "browser/internal/tab"},
	"browser/internal/tab":      {"browser/internal/instance"},

	"browser/profile": {},
	"browser/sandbox": {},

	"cache":           {},
	"cache/cachetest": {"cache"},

	"crawl":                     {},
	"crawl/crawltest":           {"crawl"},
	"crawl/folding":             {"crawl", "fetch/weburl"},
	"crawl/crawltest/mixedsite": {},
	"crawl/crawltest/trapsite":  {},
	"crawl/natsdb":              {"crawl"},
	"crawl/robots":              {},
	"crawl/scope":               {},
	"crawl/sitemap":             {},
	"crawl/since":               {"crawl", "fetch/weburl"},
	"crawl/traps":               {},

	"engine": {
		"actions", "browser", "browser/code", "browser/profile", "cache", "crawl", "crawl/robots", "crawl/scope", "crawl/since", "crawl/sitemap",
		"engine/internal/agent", "engine/internal/auditing", "engine/internal/batching", "engine/internal/clip", "engine/internal/codes",
		"engine/internal/crawling", "engine/internal/crawlplan", "engine/internal/deadline", "engine/internal/drive",
		"engine/internal/drivepage", "engine/internal/enrich", "engine/internal/extracting", "engine/internal/jobs",
		"engine/internal/judge", "engine/internal/learnt", "engine/internal/ledger", "engine/internal/locale",
		"engine/internal/mapping", "engine/internal/monitoring", "engine/internal/monitoring/carrying", "engine/internal/openjson", "engine/internal/option", "engine/internal/packed",
		"engine/internal/page", "engine/internal/pagestore", "engine/internal/portion", "engine/internal/prices", "engine/internal/probe",
		"engine/internal/proxies", "engine/internal/queue", "engine/internal/records", "engine/internal/render",
		"engine/internal/robotstxt", "engine/internal/scraping", "engine/internal/searchindex", "engine/internal/searching",
		"engine/internal/sessions", "engine/internal/sitemaps", "engine/internal/spread", "engine/internal/spreading", "engine/internal/stores", "engine/internal/taping", "engine/internal/toolloop",
		"engine/internal/warm", "engine/internal/work", "engine/monitor", "engine/search", "fetch", "fetch/archive/recording", "fetch/auth", "fetch/guard", "formats",
		"formats/document", "formats/menu", "formats/passages", "formats/product", "formats/window", "llm", "llm/read",
	},
	"engine/archives": {
		"engine", "engine/internal/page", "engine/internal/pagestore", "engine/internal/stores", "fetch/archive", "fetch/archive/recording",
		"fetch/archive/replay",
	},
	"engine/cluster": {
		"crawl", "crawl/natsdb", "engine/cluster/internal/jet", "engine/cluster/internal/lease", "engine/cluster/internal/links",
		"engine/cluster/internal/node", "engine/internal/spread",
	},
	"engine/cluster/internal/ending": {},
	"engine/cluster/internal/jet":    {"engine/cluster/internal/lease", "engine/cluster/internal/links", "engine/cluster/internal/node"},
	"engine/cluster/internal/lease":  {},
	"engine/cluster/internal/limits": {"crawl"},
	"engine/cluster/internal/links":  {"crawl"},
	"engine/cluster/internal/node": {
		"crawl", "engine/cluster/internal/ending", "engine/cluster/internal/lease", "engine/cluster/internal/limits",
		"engine/cluster/internal/links", "engine/cluster/internal/outbox", "engine/cluster/internal/shards",
	},
	"engine/cluster/internal/outbox": {"crawl"},
	"engine/cluster/internal/shards": {"crawl"},

	"engine/cluster/internal/lease/leasetest": {"engine/cluster/internal/lease"},
	"engine/cluster/internal/links/linkstest": {"engine/cluster/internal/links"},

	"engine/doctor":     {"browser", "browser/sandbox", "engine", "fetch/archive/recording", "formats/document"},
	"engine/enginetest": {"actions", "browser", "engine", "fetch", "fetch/archive", "fetch/archive/recording"},
	"engine/httpapi": {
		"actions", "engine", "engine/httpapi/internal/framing", "engine/httpapi/internal/monitors",
		"engine/httpapi/internal/openapi", "engine/httpapi/internal/page", "engine/httpapi/internal/quota",
		"engine/httpapi/internal/uploads", "engine/internal/decode", "engine/monitor", "engine/search", "formats", "formats/window",
	},

	"engine/httpapi/openwebui": {"engine/httpapi", "engine/httpapi/internal/inner"},
	"engine/httpapi/reader":    {"engine/httpapi", "engine/httpapi/internal/inner"},

	"engine/httpapi/internal/inner":    {},
	"engine/httpapi/internal/framing":  {},
	"engine/httpapi/internal/openapi":  {"engine", "engine/internal/decode", "formats"},
	"engine/httpapi/internal/monitors": {"engine", "engine/monitor"},
	"engine/httpapi/internal/page":     {},
	"engine/httpapi/internal/quota":    {},
	"engine/httpapi/internal/uploads":  {},
	"engine/internal/agent": {
		"engine/internal/deadline", "engine/internal/drive", "engine/internal/jobs", "engine/internal/toolloop",
		"engine/internal/work", "llm",
	},
	"engine/internal/auditing": {
		"crawl", "engine/internal/clip", "engine/internal/jobs", "engine/internal/learnt", "engine/internal/page", "engine/internal/work",
	},
	"engine/internal/learnt":   {"cache", "engine/internal/judge", "fetch/weburl"},
	"engine/internal/prices":   {"engine/internal/enrich", "engine/internal/render", "engine/internal/scraping", "formats", "formats/document"},
	"engine/internal/batching": {"crawl", "engine/internal/jobs", "engine/internal/option", "engine/internal/work"},
	"engine/internal/clip":     {},
	"engine/internal/codes": {
		"actions", "browser", "browser/profile", "crawl/scope", "engine/internal/agent", "engine/internal/enrich",
		"engine/internal/extracting", "engine/internal/monitoring", "engine/internal/option", "engine/internal/page", "engine/internal/records", "engine/internal/robotstxt",
		"engine/internal/scraping", "engine/internal/sessions", "engine/internal/work", "fetch", "fetch/auth", "formats", "formats/document", "llm",
		"llm/read",
	},
	"engine/internal/crawling": {
		"crawl", "crawl/folding", "crawl/robots", "crawl/scope", "crawl/since", "crawl/sitemap", "crawl/traps", "engine/internal/jobs",
		"engine/internal/noise", "engine/internal/packed", "engine/internal/tracking", "engine/internal/work",
	},
	"engine/internal/decode":          {"actions", "engine", "engine/monitor", "engine/search", "formats", "formats/passages", "formats/window"},
	"engine/internal/crawlplan":       {"engine/internal/clip", "llm"},
	"engine/internal/deadline":        {},
	"engine/internal/drive":           {"actions", "engine/internal/toolloop", "engine/internal/viewdiff", "llm"},
	"engine/internal/drive/drivetest": {"actions", "engine/internal/drive", "engine/internal/toolloop", "llm", "llm/llmtest"},
	"engine/internal/drivepage":       {"actions", "browser", "engine/internal/drive", "formats", "llm"},
	"engine/internal/enrich": {
		"cache", "engine/internal/flight", "engine/internal/option", "engine/internal/page", "engine/internal/render", "formats",
		"formats/document",
		"formats/menu", "formats/money", "formats/product", "formats/recipe", "llm", "llm/induce", "llm/read",
	},
	"engine/internal/extracting": {
		"crawl", "engine/internal/clip", "engine/internal/deadline", "engine/internal/jobs", "engine/internal/work", "llm", "llm/read",
	},
	"engine/internal/flight":          {},
	"engine/internal/judge/judgetest": {},
	"engine/internal/judge":           {"engine/internal/clip", "engine/internal/lru", "fetch/weburl", "formats", "formats/script"},
	"engine/internal/jobs":            {"engine/internal/clip"},
	"engine/internal/ledger":          {"cache", "engine/internal/option", "llm"},
	"engine/internal/liveview":        {},
	"engine/internal/locale":          {"engine/internal/option"},
	"engine/internal/lru":             {},
	"engine/internal/monitoring": {
		"engine/internal/clip", "engine/internal/jobs", "engine/internal/monitoring/schedule", "engine/internal/option",
		"engine/internal/packed", "engine/internal/tracking", "engine/monitor", "formats",
	},
	"engine/internal/monitoring/carrying": {
		"crawl", "crawl/folding", "engine/internal/jobs", "engine/internal/monitoring", "engine/internal/monitoring/hearing",
		"engine/internal/monitoring/judging", "engine/internal/packed", "engine/internal/prices", "engine/internal/work",
		"engine/monitor", "fetch/weburl", "llm",
	},
	"engine/internal/monitoring/hearing":  {"engine/internal/monitoring", "engine/internal/noise", "engine/monitor"},
	"engine/internal/monitoring/judging":  {"engine/internal/clip", "engine/monitor", "llm"},
	"engine/internal/monitoring/schedule": {"engine/internal/option", "engine/monitor"},
	"engine/monitor":                      {},
	"engine/mcp": {
		"engine", "engine/internal/clip", "engine/internal/decode", "engine/internal/portion", "engine/internal/relevance",
		"engine/internal/viewdiff", "engine/monitor", "formats", "formats/tokens", "formats/window", "llm",
	},
	"engine/internal/mapping": {
		"crawl/robots", "crawl/scope", "crawl/sitemap", "engine/internal/deadline", "engine/internal/relevance",
		"engine/internal/sitemaps",
	},
	"engine/internal/noise":    {"crawl/folding", "engine/internal/tracking"},
	"engine/internal/openjson": {},
	"engine/internal/option":   {},
	"engine/internal/packed":   {},
	"engine/internal/page": {
		"actions", "browser", "browser/profile", "engine/internal/clip", "engine/internal/deadline", "engine/internal/judge",
		"engine/internal/learnt", "engine/internal/locale", "engine/internal/option", "engine/internal/robotstxt", "engine/internal/warm",
		"fetch", "fetch/auth", "fetch/filter", "fetch/guard", "formats", "formats/brand", "formats/document",
	},
	"engine/internal/portion": {
		"engine/internal/option", "engine/internal/relevance", "formats", "formats/passages", "formats/window",
	},
	"engine/internal/pagestore": {"cache", "engine/internal/option", "engine/internal/page"},
	"engine/internal/probe":     {},
	"engine/internal/proxies":   {"engine/internal/locale", "engine/internal/option", "fetch"},
	"engine/internal/queue":     {},
	"engine/internal/records":   {"actions", "cache"},
	"engine/internal/relevance": {"engine/internal/clip"},
	"engine/internal/render": {
		"crawl/traps", "engine/internal/flight", "engine/internal/lru", "engine/internal/page", "formats", "formats/document", "formats/menu",
		"formats/product",
	},
	"engine/internal/robotstxt": {"crawl/robots", "engine/internal/flight", "engine/internal/lru", "fetch"},
	"engine/internal/scraping": {
		"actions", "browser", "cache", "engine/internal/deadline", "engine/internal/enrich", "engine/internal/flight",
		"engine/internal/learnt", "engine/internal/option", "engine/internal/page", "engine/internal/pagestore",
		"engine/internal/queue", "engine/internal/render", "engine/internal/robotstxt", "engine/internal/tracking",
		"engine/internal/warm", "fetch", "formats",
		"formats/document", "llm", "llm/read",
	},
	"engine/internal/searchindex": {
		"cache", "engine/internal/option", "engine/internal/page", "engine/internal/pagestore", "engine/search", "formats",
		"formats/document", "formats/passages",
	},
	"engine/internal/searching": {"engine/internal/deadline", "engine/internal/option", "engine/search"},
	"engine/internal/sessions": {
		"actions", "browser", "browser/code", "browser/profile", "browser/sandbox", "cache", "engine/internal/deadline",
		"engine/internal/drive", "engine/internal/drivepage", "engine/internal/flight", "engine/internal/liveview",
		"engine/internal/option", "engine/internal/page", "engine/internal/toolloop", "fetch/archive/recording", "fetch/guard", "llm",
	},
	"engine/internal/sitemaps": {"crawl/robots", "crawl/sitemap"},
	"engine/internal/steady":   {},
	"engine/internal/stores": {
		"cache", "engine/internal/crawling", "engine/internal/enrich", "engine/internal/learnt", "engine/internal/ledger",
		"engine/internal/option", "engine/internal/records", "engine/internal/steady",
	},
	"engine/internal/taping": {
		"engine/internal/option", "fetch", "fetch/archive/recording", "fetch/archive/replay", "fetch/auth", "fetch/guard",
	},
	"engine/internal/toolloop": {"actions", "llm"},
	"engine/internal/tracking": {},
	"engine/internal/sites":    {},
	"engine/internal/viewdiff": {},
	"engine/internal/warm":     {"browser", "fetch"},
	"engine/internal/entries":  {"crawl", "llm"},
	"engine/internal/spreading": {"crawl", "engine/internal/entries", "engine/internal/jobs", "engine/internal/option", "engine/internal/spread",
		"engine/internal/work", "formats", "llm",
	},
	"engine/internal/work": {
		"crawl", "engine/internal/deadline", "engine/internal/entries", "engine/internal/jobs", "engine/internal/packed", "engine/internal/spread", "llm",
	},
	"engine/internal/work/worktest": {"cache", "engine/internal/jobs", "engine/internal/work", "llm"},

	"engine/internal/spread":   {"crawl"},
	"engine/search":            {},
	"engine/search/local":      {"engine/search", "engine/search/local/internal/vectors", "llm"},
	"engine/search/searchtest": {"engine/search"},

	"engine/search/local/internal/vectors": {},

	"examples": {
		"actions", "browser", "browser/bundle", "cache", "engine", "engine/archives", "engine/cluster", "engine/doctor", "engine/httpapi", "engine/httpapi/openwebui", "engine/httpapi/reader", "engine/mcp", "engine/monitor", "engine/search", "engine/search/local", "examples/internal/pagefile",
		"examples/internal/terminal", "examples/server/demo", "examples/server/serving", "fetch/archive/recording", "formats", "llm", "llm/llmtest",
	},

	"fetch":                   {"fetch/archive", "fetch/archive/replay", "fetch/auth", "fetch/internal/guess"},
	"fetch/auth":              {},
	"fetch/auth/authtest":     {},
	"fetch/internal/guess":    {},
	"fetch/archive":           {},
	"fetch/archive/recording": {"fetch/archive"},
	"fetch/archive/replay":    {"fetch/archive"},
	"fetch/fetchtest":         {},
	"fetch/filter":            {},
	"fetch/guard":             {"fetch", "fetch/archive", "fetch/auth"},
	"fetch/weburl":            {},

	"formats": {
		"fetch/weburl", "formats/brand", "formats/internal/content", "formats/internal/css", "formats/internal/dates",
		"formats/internal/hidden", "formats/internal/lang", "formats/internal/markdown", "formats/internal/menus",
		"formats/internal/nodes", "formats/internal/pagedata", "formats/internal/parse", "formats/internal/products",
		"formats/internal/srcset", "formats/internal/walk", "formats/menu", "formats/passages", "formats/product", "formats/recipe", "formats/script",
	},
	"formats/brand": {},
	"formats/document": {
		"formats/document/internal/archive", "formats/document/internal/compound", "formats/document/internal/feed",
		"formats/document/internal/flow", "formats/document/internal/office", "formats/document/internal/pdf", "formats/document/internal/pictures",
	},

	"formats/document/documenttest": {},
	"formats/document/pageimage":    {"formats/document"},

	"formats/document/internal/archive":               {},
	"formats/document/internal/codepage":              {},
	"formats/document/internal/compound":              {"formats/document/internal/codepage"},
	"formats/document/internal/compound/outlook":      {"formats/document/internal/codepage", "formats/document/internal/compound"},
	"formats/document/internal/compound/slides":       {"formats/document/internal/codepage", "formats/document/internal/compound"},
	"formats/document/internal/compound/word":         {"formats/document/internal/compound"},
	"formats/document/internal/compound/compoundtest": {},
	"formats/document/internal/compound/biff":         {"formats/document/internal/codepage", "formats/document/internal/compound"},
	"formats/document/internal/feed":                  {"formats/document/internal/flow", "formats/document/internal/xmltree"},
	"formats/document/internal/flow":                  {},
	"formats/document/internal/office": {
		"formats/document/internal/codepage", "formats/document/internal/compound", "formats/document/internal/compound/biff",
		"formats/document/internal/compound/outlook", "formats/document/internal/compound/slides", "formats/document/internal/compound/word",
		"formats/document/internal/flow", "formats/document/internal/office/charsets", "formats/document/internal/office/drawing",
		"formats/document/internal/pictures", "formats/document/internal/xmltree",
	},
	"formats/document/internal/office/charsets":     {},
	"formats/document/internal/office/drawing":      {"formats/document/internal/xmltree"},
	"formats/document/internal/pdf":                 {"formats/document/internal/pdf/reader", "formats/document/internal/pictures"},
	"formats/document/internal/pdf/cidmap":          {},
	"formats/document/internal/pdf/cidmap/generate": {"formats/document/internal/pdf/cidmap"},
	"formats/document/internal/pdf/pdftest":         {},
	"formats/document/internal/pdf/reader":          {"formats/document/internal/pdf/cidmap"},
	"formats/document/internal/pictures":            {},
	"formats/document/internal/xmltree":             {},
	"formats/internal/content":                      {"formats/internal/content/trees", "formats/internal/nodes", "formats/internal/walk"},
	"formats/internal/content/sample":               {},
	"formats/internal/content/train": {
		"formats/internal/content", "formats/internal/content/sample", "formats/internal/content/trees", "formats/internal/nodes",
		"formats/internal/parse", "formats/internal/walk",
	},
	"formats/internal/content/trees": {},
	"formats/internal/css":           {"formats/internal/walk"},
	"formats/internal/dates":         {},
	"formats/internal/fasttree":      {"formats/internal/nodes"},
	"formats/internal/hidden":        {"formats/internal/content", "formats/internal/css", "formats/internal/nodes", "formats/internal/walk"},
	"formats/internal/lang":          {"formats/internal/content", "formats/internal/nodes", "formats/internal/walk"},
	"formats/internal/markdown":      {"formats/internal/walk"},
	"formats/internal/menus":         {"formats/internal/structured", "formats/menu", "formats/money"},
	"formats/internal/nodes":         {"formats/internal/walk"},
	"formats/internal/pagedata": {
		"formats/internal/content", "formats/internal/nodes", "formats/internal/structured", "formats/internal/walk",
	},
	"formats/internal/parse": {
		"formats/internal/content", "formats/internal/fasttree", "formats/internal/nodes", "formats/internal/srcset", "formats/internal/walk",
	},
	"formats/internal/products":   {"formats/internal/structured", "formats/internal/walk", "formats/money", "formats/product"},
	"formats/internal/srcset":     {"formats/internal/nodes"},
	"formats/internal/structured": {"formats/internal/nodes", "formats/internal/walk"},
	"formats/internal/walk":       {},

	"formats/menu":     {"formats/money"},
	"formats/money":    {},
	"formats/passages": {"formats/tokens"},
	"formats/product":  {"formats/money"},
	"formats/tokens":   {},
	"formats/window":   {"formats/passages", "formats/tokens"},
	"formats/script":   {},
	"formats/recipe":   {"formats/internal/css", "formats/internal/nodes", "formats/internal/walk", "formats/money"},

	"llm":         {},
	"llm/induce":  {"llm"},
	"llm/llmtest": {"llm"},
	"llm/read":    {"llm"},
}

// owners: which folder alone may import an outside module.
var owners = map[string][]string{
	"github.com/playwright-community/playwright-go":   {"browser"},
	"github.com/gofrs/flock":                          {"browser"},
	"github.com/andybalholm/brotli":                   {"fetch"},
	"github.com/Azure/go-ntlmssp":                     {"fetch/auth"},
	"github.com/tdewolff/parse/v2":                    {"formats/script"},
	"github.com/gogs/chardet":                         {"formats/document/internal/office/charsets"},
	"github.com/PuerkitoBio/goquery":                  {"formats"},
	"github.com/abadojack/whatlanggo":                 {"formats"},
	"github.com/andybalholm/cascadia":                 {"formats"}, // goquery's selectors
	"github.com/JohannesKaufmann/html-to-markdown/v2": {"formats"},
	"github.com/ledongthuc/pdf":                       {"formats/document/internal/pdf"},
	"github.com/pdfcpu/pdfcpu":                        {"formats/document/internal/pdf"},
	"github.com/xuri/excelize/v2":                     {"formats/document/internal/office"},
	"github.com/richardlehane/mscfb":                  {"formats/document/internal/office"}, // excelize's container format
	"github.com/klippa-app/go-pdfium":                 {"formats/document/pageimage"},
	"github.com/tetratelabs/wazero":                   {"formats/document/pageimage"}, // which go-pdfium runs on
	"github.com/adhocore/gronx":                       {"engine/internal/monitoring"},
	"github.com/temoto/robotstxt":                     {"crawl"},
	"go.etcd.io/bbolt":                                {"cache"},
	"github.com/tidwall/btree":                        {"cache"},
	"github.com/nats-io/nats.go":                      {"crawl/natsdb", "engine/cluster", "examples/cluster"},
	"github.com/nats-io/nats-server/v2":               {"crawl/natsdb", "engine/cluster", "examples/cluster"}, // of their tests, and the example's
	"github.com/sashabaranov/go-openai":               {"llm"},
	"github.com/santhosh-tekuri/jsonschema/v6":        {"llm"},
	"github.com/rogpeppe/go-internal":                 {"engine/internal/tracking"},
	"github.com/blevesearch/bleve/v2":                 {"engine/search/local"},
	"github.com/blevesearch/bleve_index_api":          {"engine/search/local"}, // bleve's own
	"github.com/blevesearch/snowballstem":             {"engine/search/local"}, // bleve's stemmers
	"github.com/blevesearch/mmap-go":                  {"engine/search/local"}, // bleve's too
	"github.com/coder/websocket":                      {"engine/internal/liveview", "engine/httpapi", "fetch/archive/replay"},
	"go.opentelemetry.io/otel/attribute":              {"engine/httpapi"}, // of the API alone: go.opentelemetry.io/otel itself is a global
	"go.opentelemetry.io/otel/codes":                  {"engine/httpapi"},
	"go.opentelemetry.io/otel/metric":                 {"engine/httpapi"},
	"go.opentelemetry.io/otel/propagation":            {"engine/httpapi"},
	"go.opentelemetry.io/otel/semconv":                {"engine/httpapi"},
	"go.opentelemetry.io/otel/trace":                  {"engine/httpapi"},
	"github.com/tidwall/gjson":                        {"examples/convert"},
	"github.com/schollz/progressbar/v3":               {"examples/internal/terminal"},
	"github.com/spf13/cobra":                          {"examples/winnow"},
	"github.com/spf13/pflag":                          {"examples/winnow"}, // cobra's
	"github.com/prometheus/client_golang":             {"examples/server"},
	"go.opentelemetry.io/otel/exporters/prometheus":   {"examples/server"},
	"go.opentelemetry.io/otel/sdk":                    {"examples/server"},
	"github.com/swaggest":                             {"engine/httpapi"},
	"github.com/modelcontextprotocol/go-sdk":          {"engine/mcp"},
}

// commonLeaf is the one package of this module that may be imported anywhere.
const commonLeaf = "fetch/weburl"

// sharedModules may be imported anywhere.
var sharedModules = []string{"golang.org/x/", "github.com/nlnwa/whatwg-url/", "github.com/klauspost/compress/", "github.com/google/uuid"}

func TestHouse_topLevelIsAsDesigned(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
		if own != commonLeaf && !slices.Contains(allowed, own) {
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

// owned reports whether pkg lies in a folder that owns the module of name.
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
	t.Parallel()
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
	t.Parallel()
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

// A reader of go doc sees every field of what is exported: no exported name shows a type of an internal package.
func TestHouse_noExportedNameShowsAnInternalType(t *testing.T) {
	t.Parallel()
	forEachFile(t, func(pkg, path string, file *ast.File) {
		if isInternal(pkg) || file.Name.Name == "main" {
			return
		}
		hidden := map[string]bool{} // names of packages
		for _, spec := range file.Imports {
			if name, _ := strconv.Unquote(spec.Path.Value); isInternal(name) {
				hidden[importName(spec, name)] = true
			}
		}
		for _, decl := range file.Decls {
			eachExported(decl, func(name string, what ast.Node) {
				eachShown(what, func(from, of string) {
					if hidden[from] {
						t.Errorf("%s: %s shows %s.%s, which lies in an internal package", path, name, from, of)
					}
				})
			})
		}
	})
}

func isInternal(pkg string) bool { return strings.Contains("/"+pkg+"/", "/internal/") }

func importName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// eachExported visits the signatures and types that a declaration exports.
func eachExported(decl ast.Decl, visit func(name string, what ast.Node)) {
	if fn, ok := decl.(*ast.FuncDecl); ok && fn.Name.IsExported() && exportedReceiver(fn) {
		visit(fn.Name.Name, fn.Type)
	}
	gen, ok := decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range gen.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				visit(spec.Name.Name, spec.Type)
			}
		case *ast.ValueSpec:
			if spec.Type != nil && spec.Names[0].IsExported() {
				visit(spec.Names[0].Name, spec.Type)
			}
		}
	}
}

// eachShown visits the names of other packages in a type, unexported fields aside.
func eachShown(what ast.Node, visit func(from, of string)) {
	ast.Inspect(what, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, f := range n.Fields.List {
				if len(f.Names) == 0 || slices.ContainsFunc(f.Names, (*ast.Ident).IsExported) {
					eachShown(f.Type, visit)
				}
			}
			return false
		case *ast.SelectorExpr:
			if from, ok := n.X.(*ast.Ident); ok {
				visit(from.Name, n.Sel.Name)
			}
		}
		return true
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

// bannedPhrases may not stand in messages and documentation: native readers stumble on them.
var bannedPhrases = regexp.MustCompile(`(?i)\b(tells?|told|telling|anew|whoever|whom|mend(s|ed|ing)?|in vain|(stands?|places?) in line` +
	`|inner fault|nobody|somebody|everybody|(can't|cannot) be had|(is|are|was|were) had|what of|at work|by what|lends?|lent` +
	`|is asked|are asked|asks? a model|of ours|half lives?)\b`)

// bannedNames may not be identifiers: words of the first list, and old names of things that have a standard name.
var bannedNames = regexp.MustCompile(`^(most|longest|least|fewest)[A-Z0-9]` +
	`|^(tells?|told|telling|anew|whoever|whom|mend(s|ed)?|lend|lent|life|duty|onDuty|bury|newWay)([A-Z0-9]|$)` +
	`|^(purse|shelf|courier|hub|asking|hushed|lasting|afford|promised)([A-Z0-9]|$)|^([aA]lso|Post|Lost|Afford)$` +
	`|(Longest|Fewest)$|(Tells?|Told|Anew|Whoever|Mend(s|ed)?|Lend|Lent|Duty|Purse)([A-Z0-9]|$)|sortOf`)

// excusedWords are the places that keep a banned word, by folder or file and word, each with the reason.
var excusedWords = []struct{ path, word, reason string }{
	{"examples/server/demo", "", "texts of the built-in sites, which are content"},
	{"examples/search/site.go", "Nobody", "text of the built-in site"},
	{"examples/crawl/site.go", "Nobody", "text of the built-in site"},
	{"examples/session/main.go", "Nobody", "text of the built-in site"},
	{"engine/internal/agent/prompts.go", "can't be had", "a prompt: models were measured with these words"},
	{"engine/internal/toolloop/read.go", "is asked", "a prompt: models were measured with these words"},
	{"llm/fence.go", "whoever", "a prompt: models were measured with these words"},
}

func TestHouse_bannedWordsAreNotUsed(t *testing.T) {
	t.Parallel()
	used := map[int]bool{}
	forEachFile(t, func(_, path string, file *ast.File) {
		path = strings.TrimPrefix(path, "../")
		for _, text := range wordsOf(file) {
			word := text.banned()
			if word != "" && !excused(path, word, used) {
				t.Errorf("%s: %s has the banned word %q: %.100s", path, text.what, word, text.text)
			}
		}
	})
	for i, e := range excusedWords {
		if !used[i] {
			t.Errorf("%s needs no excuse for %q any more: remove it", e.path, e.word)
		}
	}
}

// wording is a text of a file that users or readers of the documentation see, or a name.
type wording struct{ what, text string }

func (w wording) banned() string {
	return map[bool]*regexp.Regexp{true: bannedNames, false: bannedPhrases}[w.what == "a name"].FindString(w.text)
}

// wordsOf returns the package comment, the comments of declarations (exported ones are the documentation), the string
// literals of several words, and the names that a file declares.
func wordsOf(file *ast.File) []wording {
	words := []wording{{"the package comment", file.Doc.Text()}}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && strings.Contains(text, " ") {
				words = append(words, wording{"a text", text})
			}
		case *ast.FuncDecl:
			words = append(words, declared(n.Doc, nil, n.Name)...)
		case *ast.GenDecl:
			words = append(words, declared(n.Doc, nil)...)
		case *ast.TypeSpec:
			words = append(words, declared(n.Doc, n.Comment, n.Name)...)
		case *ast.ValueSpec:
			words = append(words, declared(n.Doc, n.Comment, n.Names...)...)
		case *ast.Field:
			words = append(words, declared(n.Doc, n.Comment, n.Names...)...)
		case *ast.AssignStmt:
			words = append(words, assigned(n.Tok, n.Lhs...)...)
		case *ast.RangeStmt:
			words = append(words, assigned(n.Tok, n.Key, n.Value)...)
		}
		return true
	})
	return words
}

// declared returns the names of a declaration and its comments.
func declared(doc, comment *ast.CommentGroup, names ...*ast.Ident) []wording {
	words := []wording{{"documentation", doc.Text() + comment.Text()}}
	for _, name := range names {
		words = append(words, wording{"a name", name.Name})
	}
	return words
}

// assigned returns the variables that a short declaration makes.
func assigned(tok token.Token, left ...ast.Expr) []wording {
	var words []wording
	for _, expr := range left {
		if name, ok := expr.(*ast.Ident); ok && tok == token.DEFINE {
			words = append(words, wording{"a name", name.Name})
		}
	}
	return words
}

// excused reports whether a place may keep a word, and notes that its excuse is needed.
func excused(path, word string, used map[int]bool) bool {
	for i, e := range excusedWords {
		if liesIn(path, []string{e.path}) && (e.word == "" || strings.EqualFold(e.word, word)) {
			used[i] = true
			return true
		}
	}
	return false
}

// liesIn reports whether a file is one of the paths or below one.
func liesIn(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") })
}

// house folds all examples into one row of the table.
func house(pkg string) string {
	if pkg == "examples" || strings.HasPrefix(pkg, "examples/") {
		return "examples"
	}
	return pkg
}

// sourceFile is a parsed file of the module that is no test.
type sourceFile struct {
	pkg, path string
	syntax    *ast.File
}

// forEachFile visits every non-test file of the module. They are parsed once for all tests, which must not change them.
func forEachFile(t *testing.T, visit func(pkg, path string, file *ast.File)) {
	t.Helper()
	files, err := parsedOnce()
	visitAll(t, files, err, visit)
}

// forEachFreshFile is forEachFile for tests that change the trees, as package go/doc does.
func forEachFreshFile(t *testing.T, visit func(pkg, path string, file *ast.File)) {
	t.Helper()
	files, err := parseFiles()
	visitAll(t, files, err, visit)
}

func visitAll(t *testing.T, files []sourceFile, err error, visit func(pkg, path string, file *ast.File)) {
	t.Helper()
	if err != nil || len(files) == 0 {
		t.Fatalf("walk: %d files, %v", len(files), err)
	}
	for _, f := range files {
		visit(f.pkg, f.path, f.syntax)
	}
}

var parsedOnce = sync.OnceValues(parseFiles)

func parseFiles() (files []sourceFile, err error) {
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel("..", filepath.Dir(path))
		files = append(files, sourceFile{filepath.ToSlash(rel), filepath.ToSlash(path), syntax})
		return nil
	})
	return files, err
}
