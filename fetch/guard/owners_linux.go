package guard

import (
	"errors"
	"net"
	"os"
)

// judge finds the process behind the far end of a connection by its socket.
func (o *owners) judge(c net.Conn) verdict {
	s, err := findSocket(c)
	switch {
	case errors.Is(err, errNoSocket):
		return gone
	case err != nil:
		return unclear
	}
	roots := o.roots()
	if last := int(o.last.Load()); last != 0 && descends(last, roots) {
		if holds, err := holdsSocket(last, s.inode); holds && err == nil {
			return member
		}
	}
	return o.search(s, roots)
}

// search looks for the socket in the browsers' processes and then in all others. One that no readable process
// holds may be that of a browser's process that hides its files; another process that hides them runs as another user.
func (o *owners) search(s socket, roots []int) verdict {
	family, others, err := processes(roots)
	if err != nil {
		return unclear
	}
	owner, hidden := findHolder(family, s.inode)
	if owner != 0 {
		o.last.Store(int64(owner))
		return member
	}
	if !hidden || s.uid != os.Geteuid() {
		return foreign
	}
	if owner, _ = findHolder(others, s.inode); owner != 0 {
		return foreign
	}
	return unclear
}

// findHolder returns the process that holds a socket, or 0, and whether there are some that can't be looked into.
func findHolder(pids []int, inode uint64) (owner int, hidden bool) {
	for _, pid := range pids {
		holds, err := holdsSocket(pid, inode)
		if holds {
			return pid, hidden
		}
		hidden = hidden || errors.Is(err, os.ErrPermission)
	}
	return 0, hidden
}
