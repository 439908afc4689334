// Command install installs driver and browser, so that the first scrape needn't.
//
//	go run ./examples/install                  # without root rights, system packages untouched
//	go run ./examples/install -system          # as root on Debian or Ubuntu, apt-get may help
//	go run ./examples/install -consent         # the rules for cookie banners too, an npm package
//	go run ./examples/install -accessibility   # the rules for enginetest.Accessible too, an npm package
//
// It prints what was chosen and why; when nothing works, what was tried and what
// would fix it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/winnow-go/winnow/browser"
)

func main() {
	system := flag.Bool("system", false, "allow the system's package manager (root on Debian or Ubuntu)")
	never := flag.Bool("check", false, "only look for installed parts, install nothing")
	consent := flag.Bool("consent", false, "install the rules for cookie banners too (npm package, MPL-2.0)")
	accessibility := flag.Bool("accessibility", false, "install the rules for enginetest.Accessible too (npm package, MPL-2.0)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := install(ctx, *system, *never, *consent, *accessibility)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		os.Exit(1)
	}
}

func install(ctx context.Context, system, never, consent, accessibility bool) error {
	o := browser.InstallOptions{System: system, Progress: newReporter(os.Stderr).report}
	if never {
		o.Mode = browser.InstallNever
	}
	done, err := browser.Install(ctx, o)
	if err != nil {
		return err
	}
	if consent {
		if err := browser.InstallConsent(ctx, o); err != nil {
			return fmt.Errorf("rules for cookie banners: %w", err)
		}
	}
	if accessibility {
		if _, err := browser.InstallAccessibility(ctx, o); err != nil {
			return err
		}
	}
	fmt.Printf("driver   %s\nnode     %s\nbrowser  %s (%s, headless %s, from %s)\n",
		done.DriverDir, done.Node, done.Executable, done.Version, done.Headless, done.Source)
	for _, w := range done.Warnings {
		fmt.Println("warning ", w)
	}
	return nil
}
