//go:build !race

package engine

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tooHeavy is what a program that imports the engine alone must not link: packages, modules, or owners of modules,
// with what they cost or who may link them.
var tooHeavy = map[string]string{
	"github.com/mattn/go-runewidth":            "fills tables for every code point before main, by pdfcpu's package form",
	"github.com/clipperhouse/uax29/v2":         "go-runewidth's own",
	"github.com/pdfcpu/pdfcpu/pkg/api":         "imports pdfcpu's package form",
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/form": "imports go-runewidth",
	"github.com/blevesearch":                   "for those who import engine/search/local",
	"github.com/swaggest":                      "for those who import engine/httpapi",
	"go.opentelemetry.io":                      "for those who import engine/httpapi",
	"github.com/modelcontextprotocol":          "for those who import engine/mcp",
	"github.com/prometheus":                    "for the example server",
	"github.com/klippa-app/go-pdfium":          "for those who import formats/document/pageimage",
	"github.com/tetratelabs/wazero":            "go-pdfium's own",
	"github.com/schollz/progressbar/v3":        "for an example",
	"github.com/tidwall/gjson":                 "for an example",
	"github.com/nats-io":                       "for those who import engine/cluster or crawl/natsdb",
	"google.golang.org/protobuf":               "of bleve and prometheus",
}

// heavyStandard are packages of the standard library that make a program larger than themselves: templates call methods
// by name, so that the linker keeps every exported method of every type; the others are for tests and for diagnosis.
var heavyStandard = []string{"text/template", "html/template", "plugin", "testing", "net/http/httptest", "net/http/pprof", "expvar"}

func TestWeight_theEngineDoesNotLinkWhatFewNeed(t *testing.T) {
	linked := depsOf(t, module+"engine")
	if !slices.Contains(linked, module+"formats/document/internal/pdf") {
		t.Fatal("the list is not of the engine")
	}
	for _, pkg := range linked {
		if slices.Contains(heavyStandard, pkg) {
			t.Errorf("links %s", pkg)
		}
		for heavy, why := range tooHeavy {
			if pkg == heavy || strings.HasPrefix(pkg, heavy+"/") {
				t.Errorf("links %s: %s", pkg, why)
			}
		}
	}
}

// PDFium is some 11 MB: a program links it by importing the package itself, and by nothing else.
func TestWeight_pagePicturesAreLinkedByTheirImportersAlone(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		pkg, deps, _ := strings.Cut(strings.TrimSpace(line), " ")
		links := strings.Contains(deps+" ", "github.com/tetratelabs/wazero ")
		if seen[pkg] = true; links != (pkg == module+"formats/document/pageimage") {
			t.Errorf("%s links PDFium: %t", pkg, links)
		}
	}
	for _, pkg := range []string{"engine", "engine/httpapi", "examples/server", "examples/winnow", "formats/document/pageimage"} {
		if !seen[module+pkg] {
			t.Errorf("the list lacks %s", pkg)
		}
	}
}

func depsOf(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pkg).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// A name that is spelled wrong would never be found.
func TestWeight_whatIsTooHeavyIsOfModulesThatAreKnown(t *testing.T) {
	file := moduleFile(t)
	for heavy := range tooHeavy {
		parts := strings.Split(heavy, "/")
		owner := strings.Join(parts[:min(len(parts), 3)], "/")
		if !strings.Contains(file, "\t"+owner+"/") && !strings.Contains(file, "\t"+owner+" ") {
			t.Errorf("go.mod has nothing of %s", owner)
		}
	}
}

func TestHouse_theModuleFileHasTwoBlocks(t *testing.T) {
	blocks := regexp.MustCompile(`(?ms)^require \((.*?)^\)`).FindAllStringSubmatch(moduleFile(t), -1)
	if len(blocks) != 2 || strings.Count(moduleFile(t), "require") != 2 {
		t.Fatalf("%d blocks, want one of what is imported and one of what that needs", len(blocks))
	}
	for i, block := range blocks {
		for line := range strings.Lines(strings.TrimSpace(block[1])) {
			if strings.Contains(line, "// indirect") != (i == 1) {
				t.Errorf("in the wrong block: %s", strings.TrimSpace(line))
			}
		}
	}
}

func moduleFile(t *testing.T) string {
	t.Helper()
	body, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
