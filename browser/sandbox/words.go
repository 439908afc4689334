package sandbox

import (
	"os"
	"strconv"
	"strings"
)

// System are the arguments with which bubblewrap shows a program the system: programs, libraries, fonts and certificates, read-only,
// in user, process and IPC namespaces of its own, as a user who isn't root. The network is the host's until --unshare-net is added.
// Host files that could hold secrets are left out: for a host that is root they would be readable with its rights.
func System() []string {
	args := []string{
		"--die-with-parent", "--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
		"--unshare-cgroup-try", "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", "--ro-bind", "/usr", "/usr",
	}
	if _, err := os.Stat("/usr/local/etc"); err == nil {
		args = append(args, "--tmpfs", "/usr/local/etc", "--remount-ro", "/usr/local/etc")
	}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", target, dir)
		} else if _, err := os.Stat(dir); err == nil {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	for _, path := range []string{
		"/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
		"/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/localtime", "/etc/nsswitch.conf", "/var/cache/fontconfig",
	} {
		args = append(args, "--ro-bind-try", path, path)
	}
	return args
}

// path is where programs are looked for inside.
const path = "/usr/local/bin:/usr/bin:/bin"

// Words are bubblewrap's arguments for a spec, all but the program. They are meant for a launcher that starts bubblewrap itself:
// away from any terminal, and with an empty environment, since the one that bubblewrap is started with can be read inside. Spec is
// not checked.
func (s Spec) Words() []string {
	l := s.Limits.withDefaults()
	size := strconv.FormatInt(l.Disk, 10)
	args := append(System(), "--unshare-net", "--hostname", "sandbox", "--clearenv",
		"--size", size, "--tmpfs", "/tmp", "--size", size, "--tmpfs", Home, "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
	if !s.OwnSandbox { // which writes there who its children are
		args = append(args, "--remount-ro", "/proc")
	}
	for _, b := range s.ReadOnly {
		args = append(args, "--ro-bind", b.From, b.to())
	}
	for _, b := range s.Writable {
		args = append(args, "--bind", b.From, b.to())
	}
	for _, variable := range append([]string{"HOME=" + Home, "PATH=" + path, "LANG=C.UTF-8"}, s.Env...) {
		name, value, _ := strings.Cut(variable, "=")
		args = append(args, "--setenv", name, value)
	}
	dir := s.Dir
	if dir == "" {
		dir = Home
	}
	return append(args, "--remount-ro", "/", "--chdir", dir)
}

// limitScript sets the limits of shells, and becomes the program. The number of processes can only be limited inside: outside of its user
// namespace a user's processes on the whole machine are counted. A limit that the host has set lower already stays.
const limitScript = `for limit in "-c 0" "-t $1" "-f $2" "-n $3" "-d $4"; do ulimit $limit 2>/dev/null; done
ulimit -u "$5" 2>/dev/null || ulimit -p "$5" 2>/dev/null
shift 5
exec "$@"`

// Program are the words that follow "--": a shell that sets the limits, and Args.
func (s Spec) Program() []string {
	l := s.Limits.withDefaults()
	number := func(n int64) string { return strconv.FormatInt(max(n, 1), 10) }
	return append([]string{
		"/bin/sh", "-c", limitScript, "limits", number(int64(l.CPU.Seconds())), number(l.FileSize / 512), number(int64(l.OpenFiles)),
		number(l.Memory / 1024), number(int64(l.Processes)),
	}, s.Args...)
}
