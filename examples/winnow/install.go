package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

func newInstall(p *program) *cobra.Command {
	var system, consent, quiet bool
	c := &cobra.Command{
		Use: "install", Short: "Driver and browser, so that the first page needn't wait for them", Args: cobra.NoArgs,
	}
	c.Flags().BoolVar(&system, "system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	c.Flags().BoolVar(&consent, "consent", false, "install the rules for cookie banners, too (an npm package, MPL-2.0)")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	return p.does(c, func(ctx context.Context, _ []string) error {
		o := browser.InstallOptions{System: system, Progress: terminal.New(p.stderr, quiet).Install}
		found, err := browser.Install(ctx, o)
		if err != nil {
			return err
		}
		if consent {
			if err := browser.InstallConsent(ctx, o); err != nil {
				return fmt.Errorf("rules for cookie banners: %w", err)
			}
		}
		_, err = fmt.Fprintf(p.stdout, "driver   %s\nbrowser  %s %s (%s)\n", found.DriverDir, found.Executable, found.Version, found.Source)
		return err
	})
}
