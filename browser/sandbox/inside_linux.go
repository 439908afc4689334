package sandbox

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Inside is a handle on what runs in a sandbox, through the first process of its process namespace: all others die with it, and it
// dies last. Launchers that start bubblewrap themselves need one; a Process has its own. It is safe for concurrent use.
type Inside struct {
	mu  sync.Mutex
	pid int // 0: not known, or gone
	fd  int // a handle, which can't hit another process that got the same id
}

// NewInside makes a handle on nothing yet.
func NewInside() *Inside { return &Inside{fd: -1} }

// Meet reads bubblewrap's report on its child (--info-fd) to the end. It reports whether there was one: bubblewrap writes nothing when it
// fails before. After a successful Meet the handle must be passed to Wait.
func (i *Inside) Meet(info io.Reader) bool {
	data, _ := io.ReadAll(io.LimitReader(info, 1<<16))
	var child struct {
		Pid int `json:"child-pid"`
	}
	if json.Unmarshal(data, &child) != nil || child.Pid <= 1 {
		return false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.fd >= 0 {
		return true
	}
	fd, err := unix.PidfdOpen(child.Pid, 0)
	if err != nil {
		return false
	}
	i.pid, i.fd = child.Pid, fd
	return true
}

// Kill ends every process inside. It doesn't wait.
func (i *Inside) Kill() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.fd >= 0 {
		_ = unix.PidfdSendSignal(i.fd, unix.SIGKILL, nil, 0)
	}
}

// endWait bounds the wait for processes that were killed; one that the kernel holds may take its time.
const endWait = 10 * time.Second

// Wait returns when no process is left inside, at the latest 10 s after the call, and ends the handle.
func (i *Inside) Wait() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.fd < 0 {
		return
	}
	for end := time.Now().Add(endWait); time.Now().Before(end); {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(i.fd), Events: unix.POLLIN}}, int(time.Until(end).Milliseconds())+1)
		if n > 0 || err != nil && err != unix.EINTR {
			break
		}
	}
	unix.Close(i.fd)
	i.pid, i.fd = 0, -1
}

// first is the host's id of the first process inside, 0 where there is none.
func (i *Inside) first() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.pid
}
