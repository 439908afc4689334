package serving

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// The OpenAPI document passes the recommended rules of redocly, without errors and warnings.
func TestOpenAPI_passesRedocly(t *testing.T) {
	node := needNode(t)
	home := npmPackages(t, "@redocly/cli@2.77.0")
	program := filepath.Join(home, "node_modules", "@redocly", "cli", "bin", "cli.js")
	if out, err := exec.CommandContext(t.Context(), node, program, "--version").CombinedOutput(); err != nil {
		toolMissing(t, "redocly does not start on this node: ", err, string(out))
	}
	r := started(t, "-demo")
	document := writeFile(t, "openapi.json", r.want(200, "GET", "/openapi.json", "").body)
	cmd := exec.CommandContext(t.Context(), node, program, "lint", document, "--format=json")
	cmd.Env = append(cmd.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	cmd.Dir = t.TempDir() // without settings
	out, err := cmd.Output()
	var found struct {
		Totals struct{ Errors, Warnings int }
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err != nil || found.Totals.Errors+found.Totals.Warnings > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
}
