package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/examples/server/serving"
)

func newServe(p *program) *cobra.Command {
	c := &cobra.Command{
		Use: "serve [flags]", Short: "The same over HTTP, for existing clients: the program of examples/server, with its flags",
		Example:            "  winnow serve -demo\n  winnow serve -h",
		DisableFlagParsing: true, // they are the server's
	}
	return p.does(c, func(_ context.Context, args []string) error {
		if status := serving.Main("winnow serve", args); status != done {
			return ended(status)
		}
		return nil
	})
}
