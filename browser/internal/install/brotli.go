package install

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// unpackChromium turns the npm package's packed parts into a program, its libraries and its one font.
func (in *search) unpackChromium(ctx context.Context, node, dir string) error {
	in.progress("browser", "unpacking the headless shell", 0, 0)
	bin := func(name string) string {
		for _, sub := range []string{"bin/x64", "bin"} {
			if path := filepath.Join(dir, sub, name); exists(path) {
				return path
			}
		}
		return filepath.Join(dir, "bin", name)
	}
	err := fromBrotli(ctx, node, bin("chromium.br"), func(r io.Reader) error { return writeFrom(filepath.Join(dir, "headless_shell"), r, 0o755) })
	if err != nil {
		return err
	}
	base := func(name string) string { return filepath.Base(name) }
	for archive, folder := range map[string]string{"al2023.tar.br": "lib", "swiftshader.tar.br": "", "fonts.tar.br": "fonts"} {
		packed := bin(archive)
		if archive != "al2023.tar.br" && !exists(packed) {
			continue
		}
		err := fromBrotli(ctx, node, packed, func(r io.Reader) error { return unpackTar(ctx, r, filepath.Join(dir, folder), base) })
		if err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(dir, "bin"))
}

// brotliScript writes to its output what its input holds packed.
const brotliScript = `require("stream").pipeline(process.stdin, require("zlib").createBrotliDecompress(), process.stdout, (err) => {
	if (err) { console.error(err.message); process.exitCode = 1; }
})`

// fromBrotli lets use read what a file holds packed, at most maxUnpacked bytes. The unpacking is Node.js's, which is there anyway. What use
// leaves is read too, so that a broken end is noticed.
func fromBrotli(ctx context.Context, node, file string, use func(io.Reader) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	command := exec.CommandContext(ctx, node, "-e", brotliScript)
	wrong := &opening{}
	command.Stdin, command.Stderr = f, wrong
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	content := &bounded{out, maxUnpacked}
	failed := use(content)
	if failed == nil {
		_, failed = io.Copy(io.Discard, content)
	}
	if failed != nil {
		cancel()
	}
	ended := command.Wait()
	switch {
	case len(wrong.text) > 0:
		return fmt.Errorf("unpack %s: %s", filepath.Base(file), wrong.text)
	case failed != nil:
		return fmt.Errorf("unpack %s: %w", filepath.Base(file), failed)
	case ended != nil:
		return fmt.Errorf("unpack %s: %w", filepath.Base(file), ended)
	}
	return nil
}

// bounded is a reader that fails when there is more than left bytes.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("over %d bytes unpacked", int64(maxUnpacked))
	}
	return n, err
}

// opening keeps the beginning of what is written to it.
type opening struct{ text []byte }

func (o *opening) Write(p []byte) (int, error) {
	o.text = append(o.text, p[:min(len(p), 500-len(o.text))]...)
	return len(p), nil
}
