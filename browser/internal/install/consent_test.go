package install

import (
	"os"
	"path/filepath"
	"testing"
)

func TestConsentRules_areFoundInNodeModules(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "node_modules", consentPackage.name, consentScript)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("rules"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if got := ConsentRules(t.TempDir()); got != "rules" {
		t.Errorf("got %q", got)
	}
}
