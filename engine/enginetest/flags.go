package enginetest

import "flag"

// defineFlags defines the flags of this package that the tests have not defined themselves. It comes too late for a package whose tests
// have no [Shared], and too early would be a panic for one that has such flags.
func defineFlags() {
	for name, usage := range map[string]string{
		"update": "rewrite golden files",
		"record": "record cassettes, from the network",
	} {
		if flag.Lookup(name) == nil {
			flag.Bool(name, false, usage)
		}
	}
}

// flagSet reports whether a flag is there and set.
func flagSet(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() == "true"
}

// with is how the tests are run with a flag.
func with(name string) string {
	if flag.Lookup(name) == nil {
		return "run go test with -" + name + ", which a package has whose TestMain uses enginetest.Shared"
	}
	return "run go test with -" + name
}
