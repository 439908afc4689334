package guard

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// socketTries is how often a table of sockets is read when the socket isn't there: it isn't read at one moment,
// so that one that moves within the table can be missed.
const socketTries = 3

var errNoSocket = errors.New("no such socket")

// socket is the far end of a connection within this machine.
type socket struct {
	inode uint64
	uid   int // of the user that made it
}

// findSocket finds the far end of a connection. errNoSocket: it is closed already.
func findSocket(c net.Conn) (socket, error) {
	far, err1 := netip.ParseAddrPort(c.RemoteAddr().String())
	near, err2 := netip.ParseAddrPort(c.LocalAddr().String())
	if err := errors.Join(err1, err2); err != nil {
		return socket{}, err
	}
	s, err := diagnose(far, near)
	if err == nil || errors.Is(err, errNoSocket) {
		return s, err
	}
	return lookUp(far, near)
}

// lookUp reads the system's tables of all sockets, for kernels that don't support a query for one.
func lookUp(far, near netip.AddrPort) (socket, error) {
	for range socketTries {
		s, err := readSockets("/proc/net/tcp", entry4(far), entry4(near))
		if err == nil || !errors.Is(err, errNoSocket) {
			return s, err
		}
		// Without IPv6 the table doesn't exist and holds no socket.
		if s, err = readSockets("/proc/net/tcp6", entry6(far), entry6(near)); err == nil {
			return s, nil
		}
	}
	return socket{}, errNoSocket
}

// entry4 is how /proc/net/tcp writes an address: words in the machine's byte order.
func entry4(ap netip.AddrPort) string {
	b := ap.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(b[:]), ap.Port())
}

// entry6 is the same for /proc/net/tcp6, where IPv4 addresses are v4-mapped.
func entry6(ap netip.AddrPort) string {
	b := ap.Addr().As16()
	var s strings.Builder
	for i := 0; i < len(b); i += 4 {
		fmt.Fprintf(&s, "%08X", binary.NativeEndian.Uint32(b[i:i+4]))
	}
	return fmt.Sprintf("%s:%04X", s.String(), ap.Port())
}

// readSockets looks for the entry of a connection in one table.
func readSockets(file, local, remote string) (socket, error) {
	f, err := os.Open(file)
	if err != nil {
		return socket{}, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if s, ok := parseSocket(lines.Text(), local, remote); ok {
			return s, nil
		}
	}
	if err := lines.Err(); err != nil {
		return socket{}, err
	}
	return socket{}, errNoSocket
}

// parseSocket reads a line of a table: number, local and remote address, state, queues, timer, retransmissions,
// user, timeout, inode. A closed socket that still lingers has the inode 0.
func parseSocket(line, local, remote string) (socket, bool) {
	if !strings.Contains(line, local) { // quickly, for there may be thousands
		return socket{}, false
	}
	f := strings.Fields(line)
	if len(f) < 10 || f[1] != local || f[2] != remote {
		return socket{}, false
	}
	uid, err1 := strconv.Atoi(f[7])
	inode, err2 := strconv.ParseUint(f[9], 10, 64)
	return socket{inode, uid}, err1 == nil && err2 == nil && inode != 0
}
