package sandbox

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// guard ends a sandbox that this program has left behind. The kernel's death signal does so but for a moment: bubblewrap's child requests
// its own only after bubblewrap has passed it its user, and waits for that without an end, or goes on, where bubblewrap has been killed.
type guard struct {
	command *exec.Cmd
	held    *os.File // ends with this program
}

// guardOf starts a guard of the processes in a group.
func guardOf(group int) (*guard, error) {
	in, held, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	c := exec.Command("/bin/sh", "-c", `read -r end; kill -9 "-$1"`, "guard", strconv.Itoa(group))
	c.Stdin, c.Env, c.Dir = in, []string{}, "/"
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what ends this program's group must not end the guard
	if err := c.Start(); err != nil {
		held.Close()
		return nil, err
	}
	return &guard{c, held}, nil
}

// dismiss ends the guard, once the sandbox has ended; nil has nothing to end.
func (g *guard) dismiss() {
	if g == nil {
		return
	}
	_ = g.command.Process.Kill()
	_ = g.command.Wait()
	_ = g.held.Close()
}
