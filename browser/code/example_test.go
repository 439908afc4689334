package code_test

import (
	"context"
	"fmt"
	"log"

	"github.com/winnow-go/winnow/browser/code"
)

// The sockets are those of a browser.Session; Node.js and driver are what browser.Install has found.
func Example() {
	ctx := context.Background()
	runner, err := code.Start(ctx, code.Options{
		Node: "/usr/bin/node", DriverPackage: "/var/cache/driver/package",
		Endpoint: "/run/session/endpoint.sock", CDP: "/run/session/cdp.sock",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer runner.Close()
	result, err := runner.Run(ctx, code.Request{Language: code.Python, Code: `page.goto("https://example.com/")` + "\npage.title()"})
	if err != nil {
		log.Fatal(err)
	}
	if result.Result != nil {
		fmt.Println(*result.Result)
	}
	if result.ExitCode != 0 {
		fmt.Println("it failed:", result.Stderr)
	}
}
