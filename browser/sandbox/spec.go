package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Home is the program's home folder inside, and its working folder unless Spec.Dir names another.
const Home = "/home/user"

// Bind is a file, folder or Unix socket of the machine that is seen inside.
type Bind struct {
	From string // absolute; links in it are followed, so it must not lie where others can write
	To   string // absolute, inside; empty: From
}

// Limits of what runs inside. Zero is the default of each; they can be neither negative nor switched off.
type Limits struct {
	// CPU is the processor time that each process may use. Default: 1 h.
	CPU time.Duration
	// Processes is how many processes and threads may be at once. The kernel refuses more; for a host that is root,
	// and has no control groups to give, the kernel doesn't count, and more than that many end the sandbox within half a second. Default: 512.
	Processes int
	// FileSize is the largest file that may be written, in bytes. Default: 256 MiB.
	FileSize int64
	// OpenFiles is how many files each process may have open. Default: 1024.
	OpenFiles int
	// Memory is how many bytes all processes may hold, shared pages counted by share, and files in memory counted once: those without
	// a name (memfd), and those in /dev/shm. The kernel refuses a process that requests more; processes that hold more together end
	// the sandbox within half a second. Default: 1 GiB.
	Memory int64
	// Disk is the size of each of the folders that can be written, in bytes: /tmp, the home and /dev/shm. They are in memory.
	// Default: 256 MiB.
	Disk int64
}

const (
	defaultCPU       = time.Hour
	defaultProcesses = 512
	defaultFileSize  = 256 << 20
	defaultOpenFiles = 1024
	defaultMemory    = 1 << 30
	defaultDisk      = 256 << 20
)

func (l Limits) withDefaults() Limits {
	set(&l.CPU, defaultCPU)
	set(&l.Processes, defaultProcesses)
	set(&l.FileSize, defaultFileSize)
	set(&l.OpenFiles, defaultOpenFiles)
	set(&l.Memory, defaultMemory)
	set(&l.Disk, defaultDisk)
	return l
}

func set[T int | int64 | time.Duration](value *T, fallback T) {
	if *value == 0 {
		*value = fallback
	}
}

// Spec is one program to run and what it sees.
type Spec struct {
	// Args are the program, an absolute path inside or a name in /usr/local/bin, /usr/bin or /bin, and its arguments. Required.
	Args []string
	// Env are variables, "NAME=value". Nothing of the host's environment gets in; HOME, PATH and LANG are set unless they are named here.
	Env []string
	// ReadOnly and Writable are seen inside beside the system. A socket can be connected to either way.
	ReadOnly, Writable []Bind
	// Dir is the working folder, inside. Empty: Home.
	Dir string
	// Limits of what runs inside.
	Limits Limits
	// OwnSandbox lets the program make user, process and network namespaces and change its root folder, with which it confines its own
	// children, as Chromium does. Without it nothing inside can.
	OwnSandbox bool
	// Stdin, Stdout and Stderr as in os/exec. Nil: nothing is read, and what is written is lost. A writer that isn't a file may be
	// called until Wait returns.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// ExtraFiles are inherited as file descriptors 3, 4, and so on.
	ExtraFiles []*os.File
}

// check reports the first invalid field.
func (s *Spec) check() error {
	if len(s.Args) == 0 || s.Args[0] == "" {
		return errors.New("sandbox: Spec.Args: want a program")
	}
	for _, b := range append(append([]Bind(nil), s.ReadOnly...), s.Writable...) {
		if !filepath.IsAbs(b.From) || !filepath.IsAbs(b.to()) {
			return fmt.Errorf("sandbox: bind %q to %q: want absolute paths", b.From, b.to())
		}
	}
	for _, word := range append(append([]string(nil), s.Args...), s.Env...) {
		if strings.ContainsRune(word, 0) {
			return errors.New("sandbox: Spec.Args or Spec.Env: a zero byte")
		}
	}
	for _, variable := range s.Env {
		if name, _, ok := strings.Cut(variable, "="); !ok || name == "" {
			return fmt.Errorf("sandbox: Spec.Env: %q: want NAME=value", name)
		}
	}
	l := s.Limits
	if l.CPU < 0 || l.Processes < 0 || l.FileSize < 0 || l.OpenFiles < 0 || l.Memory < 0 || l.Disk < 0 {
		return errors.New("sandbox: Spec.Limits: want 0 (the default) or more")
	}
	return nil
}

func (b Bind) to() string {
	if b.To == "" {
		return b.From
	}
	return b.To
}
