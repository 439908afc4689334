package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/bundle"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

func newBundle(p *program) *cobra.Command {
	c := &cobra.Command{
		Use: "bundle", Short: "What a machine without a network needs, as one file",
		Long: "pack writes a file with what this machine has installed: driver, node, browser, consent rules, fonts, sandbox, text\n" +
			"recognition, and the libraries and programs that an empty container lacks. install puts it where the engine looks for it.",
		Args: cobra.NoArgs,
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(newPack(p), newUnpack(p))
	return c
}

func newPack(p *program) *cobra.Command {
	var o bundle.PackOptions
	var download, modules bool
	c := &cobra.Command{
		Use: "pack FILE", Short: "Write a bundle of what this machine has, and name what it lacks", Args: cobra.ExactArgs(1),
		Long: "Writes a .tar.zst file with a manifest (size, SHA-256 and origin of each file) and an SBOM (CycloneDX). Two packs of the same\n" +
			"files are the same bytes. Only what has a known origin is packed: npm packages with pinned hashes, files of Debian packages,\n" +
			"Go modules with hashes in go.sum, and the filter lists that you name. The SHA-256 that it prints is for install --sha256.",
	}
	flags := c.Flags()
	flags.BoolVar(&download, "download", false, "first download what is missing of driver, node, browser and consent rules (135 MB)")
	flags.BoolVar(&modules, "modules", false, "pack the Go modules of ./go.sum, from the module cache")
	flags.StringArrayVar(&o.Filters, "filters", nil, "a filter list to pack, in EasyList syntax; can be repeated")
	return p.does(c, func(ctx context.Context, args []string) error {
		if download {
			if err := bundle.Fetch(ctx, o.CacheDir); err != nil {
				return err
			}
		}
		if modules {
			var err error
			if o.GoSum, o.ModuleCache, err = goModules(ctx); err != nil {
				return err
			}
		}
		return pack(ctx, p.stdout, args[0], o)
	})
}

// goModules are the go.sum file of this folder and the module cache.
func goModules(ctx context.Context) (goSum, cache string, err error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return "", "", fmt.Errorf("go env GOMODCACHE: %w", err)
	}
	return "go.sum", strings.TrimSpace(string(out)), nil
}

// pack writes the file whole or not at all.
func pack(ctx context.Context, out io.Writer, file string, o bundle.PackOptions) error {
	part := file + "." + rand.Text()[:8] + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	packed, err := bundle.Pack(ctx, f, o)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	for _, m := range packed.Manifest.Missing {
		fmt.Fprintf(out, "%-8s %-9s %s\n", "without", m.Name, terminal.OneLine(m.Why))
	}
	printParts(out, "packed", packed.Manifest)
	_, err = fmt.Fprintf(out, "%s  %s  %d bytes\n", packed.SHA256, filepath.Base(file), packed.Size)
	return err
}

// printParts prints what a bundle holds.
func printParts(out io.Writer, verb string, m bundle.Manifest) {
	for _, part := range m.Parts {
		files, bytes := 0, int64(0)
		for _, e := range m.Entries {
			if strings.HasPrefix(e.Path, part.Folder+"/") {
				files++
				bytes += e.Size
			}
		}
		fmt.Fprintf(out, "%-8s %-9s %d files, %.1f MB: %s\n", verb, part.Name, files, float64(bytes)/1e6, part.Origin)
	}
}

func newUnpack(p *program) *cobra.Command {
	var o bundle.InstallOptions
	c := &cobra.Command{
		Use: "install FILE", Short: "Put a bundle where the engine looks for it", Args: cobra.ExactArgs(1),
		Long: "Verifies every byte before anything is put into place or executed, then tests the browser. No network is used.\n" +
			"With --system, as root, what an empty container lacks (C library, shell) goes below /, where it is missing.",
	}
	flags := c.Flags()
	flags.StringVar(&o.SHA256, "sha256", "", "refuse the file unless this is its SHA-256, which pack has printed")
	flags.BoolVar(&o.System, "system", false, "put the C library and a shell below / where they are missing (as root)")
	return p.does(c, func(ctx context.Context, args []string) error {
		f, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		done, err := bundle.Install(ctx, f, o)
		if err != nil {
			return err
		}
		printParts(p.stdout, "has", done.Manifest)
		return afterBundle(ctx, p.stdout, done)
	})
}

// afterBundle tests what was installed, and says what is left to the user.
func afterBundle(ctx context.Context, out io.Writer, done *bundle.Installed) error {
	for _, file := range done.System {
		fmt.Fprintln(out, "added    "+file)
	}
	if done.Modules != "" {
		fmt.Fprintln(out, "modules  export GOPROXY=file://"+filepath.ToSlash(done.Modules))
	}
	found, err := browser.Install(ctx, browser.InstallOptions{CacheDir: done.CacheDir, Mode: browser.InstallNever})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "ready    %s at %s\n", found.Version, found.Executable)
	return err
}
