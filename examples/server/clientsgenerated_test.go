package main

import (
	"os"
	"path/filepath"
	"testing"
)

// typeScript is what makes a client of an OpenAPI document, and compiles it.
var typeScript = []string{"openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"}

// A client in TypeScript that is generated from the OpenAPI document compiles, and works against this program: testdata/clients/generated.ts.
func TestClients_generatedTypeScript(t *testing.T) {
	node := needNode(t)
	modules := filepath.Join(npmPackages(t, typeScript...), "node_modules")
	s := startForClients(t)
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		toolMissing(t, "no symbolic links here: ", err)
	}
	inDir := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.ReadFile(filepath.Join("testdata", "clients", "generated.ts"))
	if err != nil {
		t.Fatal(err)
	}
	inDir("generated.ts", program)
	inDir("package.json", []byte(`{"type": "module"}`))
	inDir("api.json", []byte(s.want(200, "GET", "/openapi.json", "").body))
	for _, step := range [][]string{
		{filepath.Join(modules, "openapi-typescript", "bin", "cli.js"), "api.json", "-o", "api.d.ts", "--default-non-nullable=false"},
		{filepath.Join(modules, "typescript", "bin", "tsc"), "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "generated.ts"},
		{"generated.js"},
	} {
		cmd := s.command(t, node, step...)
		cmd.Dir, cmd.Env = dir, append(cmd.Env, "API="+s.url, "KEY="+s.key)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", filepath.Base(step[0]), err, out)
		}
	}
	s.stopped(t)
}
