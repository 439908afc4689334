//go:build unix

package install

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

func TestAccessibility_keepsScriptAndLicenses(t *testing.T) {
	tarball := gzipped(tarOf(
		file{name: "package/axe.min.js", text: "rules"}, file{name: "package/axe.js", text: "not wanted"},
		file{name: "package/LICENSE", text: "licence"}, file{name: "package/LICENSE-3RD-PARTY.txt", text: "licences"},
	))
	served := 0
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		served++
		_, _ = w.Write(tarball)
	}))
	defer registry.Close()
	request, cache := requestFor(registry.URL), t.TempDir()
	request.seams.accessibility = npmPackage{name: "axe-core", version: "0.0.1", integrity: integrityOf(tarball)}
	for range 2 {
		script, err := Accessibility(testContext(t), request.in(cache))
		if text, err2 := os.ReadFile(script); err != nil || err2 != nil || string(text) != "rules" {
			t.Fatalf("%q, %v, %v", text, err, err2)
		}
		if kept, _ := os.ReadDir(filepath.Dir(script)); len(kept) != 3 || served != 1 {
			t.Errorf("kept %v after %d downloads", kept, served)
		}
	}
	request.seams.accessibility.integrity, cache = integrityOf(nil), t.TempDir()
	if _, err := Accessibility(testContext(t), request.in(cache)); err == nil {
		t.Error("a package of another hash is taken")
	}
	request.Never = true
	if _, err := Accessibility(testContext(t), request.in(cache)); !errors.Is(err, errNever) {
		t.Errorf("never: %v", err)
	}
	noLeftovers(t, cache)
}
