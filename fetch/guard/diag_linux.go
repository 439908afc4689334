package guard

import (
	"encoding/binary"
	"errors"
	"net/netip"

	"golang.org/x/sys/unix"
)

// The kernel's structures of sock_diag (linux/inet_diag.h): sizes and places in bytes.
const (
	diagByFamily  = 20 // SOCK_DIAG_BY_FAMILY
	diagRequest   = 56 // inet_diag_req_v2
	diagMessage   = 72 // inet_diag_msg
	diagRequestID = 8  // inet_diag_sockid in the request: ports, addresses, interface, cookie
	diagMessageID = 4  // and in the message
	diagUID       = 64
	diagInode     = 68
	diagAddr      = 16 // an address, of either family
)

var errNoDiag = errors.New("the kernel doesn't report single sockets")

// diagnose requests from the kernel the one socket with these two addresses. It takes microseconds where reading
// the table of all sockets takes milliseconds. errNoSocket: there is none; other errors: it doesn't answer.
func diagnose(local, remote netip.AddrPort) (socket, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return socket{}, err
	}
	defer unix.Close(fd)
	if err := unix.Sendto(fd, diagQuestion(local, remote), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return socket{}, err
	}
	answer := make([]byte, 4096)
	// The kernel has answered by the time that it has taken the question.
	n, _, err := unix.Recvfrom(fd, answer, unix.MSG_DONTWAIT)
	if err != nil {
		return socket{}, err
	}
	return parseDiag(answer[:n], local, remote)
}

// diagQuestion is a netlink message that requests one socket.
func diagQuestion(local, remote netip.AddrPort) []byte {
	q := make([]byte, unix.NLMSG_HDRLEN+diagRequest)
	binary.NativeEndian.PutUint32(q[0:], uint32(len(q)))
	binary.NativeEndian.PutUint16(q[4:], diagByFamily)
	binary.NativeEndian.PutUint16(q[6:], unix.NLM_F_REQUEST)
	body := q[unix.NLMSG_HDRLEN:]
	body[0], body[1] = unix.AF_INET, unix.IPPROTO_TCP
	binary.NativeEndian.PutUint32(body[4:], ^uint32(0)) // in any state
	id := body[diagRequestID:]
	binary.BigEndian.PutUint16(id[0:], local.Port())
	binary.BigEndian.PutUint16(id[2:], remote.Port())
	from, to := local.Addr().Unmap().As4(), remote.Addr().Unmap().As4()
	copy(id[4:], from[:])
	copy(id[4+diagAddr:], to[:])
	for i := 40; i < 48; i++ { // no cookie
		id[i] = 0xff
	}
	return q
}

// parseDiag reads the answer. Where there is no such connection the kernel reports the listener at local, if
// there is one.
func parseDiag(answer []byte, local, remote netip.AddrPort) (socket, error) {
	if len(answer) < unix.NLMSG_HDRLEN+4 {
		return socket{}, errNoDiag
	}
	body := answer[unix.NLMSG_HDRLEN:]
	switch kind := binary.NativeEndian.Uint16(answer[4:]); {
	case kind == unix.NLMSG_ERROR && unix.Errno(-int32(binary.NativeEndian.Uint32(body))) == unix.ENOENT:
		return socket{}, errNoSocket
	case kind != diagByFamily || len(body) < diagMessage:
		return socket{}, errNoDiag
	}
	id := body[diagMessageID:]
	from, to := diagAddress(body[0], id[4:], id[0:]), diagAddress(body[0], id[4+diagAddr:], id[2:])
	inode := binary.NativeEndian.Uint32(body[diagInode:])
	if from != local || to != remote || inode == 0 {
		return socket{}, errNoSocket
	}
	return socket{uint64(inode), int(binary.NativeEndian.Uint32(body[diagUID:]))}, nil
}

func diagAddress(family byte, addr, port []byte) netip.AddrPort {
	a := netip.AddrFrom4([4]byte(addr))
	if family == unix.AF_INET6 {
		a = netip.AddrFrom16([16]byte(addr)).Unmap()
	}
	return netip.AddrPortFrom(a, binary.BigEndian.Uint16(port))
}
