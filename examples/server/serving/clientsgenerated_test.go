package serving

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// typeScript is what makes a client of an OpenAPI document, and compiles it.
var typeScript = []string{"openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"}

// What makes a client in Go, and what that client needs: go.mod of the test's module.
const (
	goGenerator = "github.com/oapi-codegen/oapi-codegen/v2@v2.8.2"
	goCommand   = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	goModule    = "module generated\n\ngo 1.26\n\nrequire (\n\tgithub.com/google/uuid v1.6.0\n\tgithub.com/oapi-codegen/runtime v1.8.0\n)\n"
)

// A client in Go that is generated from the OpenAPI document compiles, and works against this program: testdata/clients/generated.
func TestClients_generatedGo(t *testing.T) {
	leftToUnraced(t)
	tool, err := exec.LookPath("go")
	if err != nil {
		toolMissing(t, "go is missing: it compiles the client")
	}
	s := startForClients(t)
	dir := generatedIn(t, s, filepath.Join("generated", "main.go"))
	write(t, dir, "go.mod", goModule)
	if err := os.Mkdir(filepath.Join(dir, "api"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := s.step(t, dir, tool, "mod", "download", goGenerator); err != nil {
		toolMissing(t, fmt.Sprintf("the generator is unavailable (no network?): %v\n%s", err, out))
	}
	for _, step := range [][]string{
		{"run", goCommand, "-generate", "types,client", "-package", "api", "-o", filepath.Join("api", "api.go"), "api.json"},
		{"run", "-mod=mod", "."},
	} {
		if out, err := s.step(t, dir, tool, step...); err != nil {
			t.Fatalf("%v: %v\n%s", step, err, out)
		}
	}
	s.stopped(t)
}

// generatedIn makes a folder with a program of testdata/clients, and the OpenAPI document as api.json.
func generatedIn(t *testing.T, s *clientServer, program string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	source, err := os.ReadFile(filepath.Join("testdata", "clients", program))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, filepath.Base(program), string(source))
	write(t, dir, "api.json", s.want(200, "GET", "/openapi.json", "").body)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// step runs a program in a folder, which is told of the server.
func (s *clientServer) step(t *testing.T, dir, program string, args ...string) ([]byte, error) {
	t.Helper()
	cmd := s.command(t, program, args...)
	cmd.Dir, cmd.Env = dir, append(cmd.Env, "API="+s.url, "KEY="+s.key)
	return cmd.CombinedOutput()
}

// A client in TypeScript that is generated from the OpenAPI document compiles, and works against this program: testdata/clients/generated.ts.
func TestClients_generatedTypeScript(t *testing.T) {
	leftToUnraced(t)
	node := needNode(t)
	modules := filepath.Join(npmPackages(t, typeScript...), "node_modules")
	s := startForClients(t)
	dir := generatedIn(t, s, "generated.ts")
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		toolMissing(t, "no symbolic links here: ", err)
	}
	write(t, dir, "package.json", `{"type": "module"}`)
	for _, step := range [][]string{
		{filepath.Join(modules, "openapi-typescript", "bin", "cli.js"), "api.json", "-o", "api.d.ts", "--default-non-nullable=false"},
		{filepath.Join(modules, "typescript", "bin", "tsc"), "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "generated.ts"},
		{"generated.js"},
	} {
		if out, err := s.step(t, dir, node, step...); err != nil {
			t.Fatalf("%s: %v\n%s", filepath.Base(step[0]), err, out)
		}
	}
	s.stopped(t)
}
