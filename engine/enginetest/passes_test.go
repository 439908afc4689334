package enginetest_test

import (
	"os"
	"testing"
)

// passes runs a test for an example. What it prints under -v is no output of the example.
func passes(test func(t testing.TB)) bool {
	stdout := os.Stdout
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	os.Stdout = nowhere
	defer func() { os.Stdout = stdout; nowhere.Close() }()
	return testing.RunTests(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestTheCounter", F: func(t *testing.T) { test(t) }}})
}
