package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// A crawl of the built-in site, stopped at its sixth request and resumed.
func Example() {
	out, err := os.MkdirTemp("", "winnow-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(out)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := program{stdout: os.Stdout, stderr: os.Stderr, site: http.HandlerFunc(interrupted(6, cancel).serve)}
	err = p.run(ctx, []string{"-quiet", "-out", out})
	fmt.Println("exit status", status(err))

	p.stdout = &strings.Builder{} // it prints the folder, which is another one each time
	if err := p.run(context.Background(), []string{"-quiet", "-resume", "-out", out}); err != nil {
		fmt.Println(err)
		return
	}
	index, _ := os.ReadFile(filepath.Join(out, "index.md"))
	fmt.Println(strings.Split(string(index), "\n")[2])
	page, _ := os.ReadFile(filepath.Join(out, "pages", "granary.example_almanac.md"))
	fmt.Println(string(page))
	// Output:
	// exit status 130
	// completed: 9 pages, 1 failed, 2 left out.
	// ---
	// title: "Almanac"
	// url: "https://granary.example/almanac"
	// ---
	//
	// # Almanac
	//
	// Sow rye at the end of September.
}
