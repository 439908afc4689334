package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// sandbox is how a browser is kept from the rest of the machine.
type sandbox string

const (
	// sandboxOwn is Chromium's own, which every user but root can have.
	sandboxOwn sandbox = "chromium"
	// sandboxWrapped is Chromium's own inside a container of bubblewrap, in which root is an ordinary user.
	sandboxWrapped sandbox = "bubblewrap"
	// sandboxNone is --no-sandbox.
	sandboxNone sandbox = "none"
	// sandboxRemote is that of a browser that somebody else started.
	sandboxRemote sandbox = "remote"
)

// wrapperWorks reports whether bubblewrap is there and the system lets it make namespaces.
func wrapperWorks(ctx context.Context) bool {
	if runtime.GOOS != "linux" {
		return false
	}
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return false
	}
	return exec.CommandContext(ctx, path, append(wrapperBase(), "true")...).Run() == nil
}

// wrapperBase is a container that sees programs, libraries and fonts, and may use the network (the proxy is on loopback), but
// sees no other file or process of the machine, and in which the user isn't root.
func wrapperBase() []string {
	args := []string{
		"--die-with-parent", "--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
		"--unshare-cgroup-try", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--ro-bind", "/usr", "/usr",
	}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", target, dir)
		} else if exists(dir) {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	for _, path := range []string{
		"/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/localtime",
		"/etc/nsswitch.conf", "/var/cache/fontconfig",
	} {
		args = append(args, "--ro-bind-try", path, path)
	}
	return args
}

// wrapper returns the shell words that start the browser inside the container. Nothing of the host's environment gets in.
func (f *runFolder) wrapper(inst *Installation) string {
	args := append([]string{"bwrap"}, wrapperBase()...)
	if home, err := os.UserHomeDir(); err == nil {
		for _, fonts := range []string{filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts")} {
			args = append(args, "--ro-bind-try", fonts, fonts)
		}
	}
	for _, dir := range []string{realDir(inst.Executable), filepath.Dir(inst.Executable), inst.LibraryPath, inst.fontConfig} {
		if dir != "" && !strings.HasPrefix(dir+"/", "/usr/") {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	args = append(args, "--bind", f.tmp(), f.tmp(), "--chdir", f.tmp(), "--clearenv")
	for name, value := range map[string]string{
		"HOME": f.tmp(), "TMPDIR": f.tmp(), "PATH": "/usr/bin:/bin", markerVariable: f.marker(), "LANG": os.Getenv("LANG"), "TZ": os.Getenv("TZ"),
		"LD_LIBRARY_PATH": inst.LibraryPath, "FONTCONFIG_PATH": inst.fontConfig,
	} {
		if value != "" {
			args = append(args, "--setenv", name, value)
		}
	}
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = quote(arg)
	}
	return strings.Join(words, " ") + " -- "
}

// realDir is the folder of a program behind all links.
func realDir(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return filepath.Dir(real)
}
