package cache

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// The test binary runs itself as another process where one has to be killed, limited or without rights. The variable says as what.
const helperEnv = "WINNOW_CACHE_HELPER"

// helpers by name; each gets the arguments after the program's name and returns the exit code.
var helpers = map[string]func(args []string) int{"hold": holdFile}

func runHelper(name string) int {
	f := helpers[name]
	if f == nil {
		fmt.Fprintln(os.Stderr, "no helper", name)
		return 2
	}
	return f(os.Args[1:])
}

func helperCommand(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	return helperCommandContext(context.Background(), t, name, args...)
}

func helperCommandContext(ctx context.Context, t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), helperEnv+"="+name, "GORACE=atexit_sleep_ms=0") // the race detector's second at each end
	cmd.Stderr = os.Stderr
	return cmd
}

// holdFile opens the file, says so, and holds it until its input ends.
func holdFile(args []string) int {
	f, err := OpenFile(args[0], FileOptions{Kind: "test"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("open")
	_, _ = os.Stdin.Read(make([]byte, 1))
	_ = f.Close()
	return 0
}
