// Package sites has tests of the engine that take whole sites: recorded ones, intranets, large ones, and ones that open tabs. They use what
// engine exports, and are apart from its own tests so that either are done within the ten minutes that go test gives a package.
package sites
