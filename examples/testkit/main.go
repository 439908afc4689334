// Command testkit is a small web app, a bakery whose page its script makes. It is here for its test, which has an example of each part of
// package engine/enginetest: a live page, its requests and its console, a clock, a golden picture, rules of accessibility, and a recording
// of another site.
//
//		go test ./examples/testkit                   # runs the test; -update writes its picture, -record its recording
//		go run ./examples/testkit                    # serves the app on http://127.0.0.1:8080/
//		go run ./examples/testkit -addr 127.0.0.1:0  # on another address
//
//	  - main.go — the program
//	  - app.go — the app
//	  - flour.go — what it reads from the site of a mill
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to serve on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := serve(ctx, *addr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testkit:", err)
		os.Exit(1)
	}
}

// serve serves the app until ctx ends.
func serve(ctx context.Context, addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", l.Addr())
	s := &http.Server{Handler: newBakery(), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	if err := s.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}
