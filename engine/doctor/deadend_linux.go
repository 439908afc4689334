package doctor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"
)

// deadEnd is the only way out of a namespace: an interface whose packets come here, and are never answered. It shows more than a namespace
// without routes: who sends has to send, and where to.
type deadEnd struct{ fd int }

const (
	deadEndName = "winnow0"
	// maxPackets is how many are read; the kernel keeps 500.
	maxPackets = 1000
)

// The addresses that the namespace has, for documentation (RFC 5737, RFC 3849).
var ownAddresses = []netip.Addr{netip.MustParseAddr("192.0.2.254"), netip.MustParseAddr("2001:db8::254")}

func newDeadEnd() (*deadEnd, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	request, err := unix.NewIfreq(deadEndName)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err == nil {
		err = leadHere()
	}
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("make an interface: %w", err)
	}
	return &deadEnd{fd}, nil
}

// leadHere makes the interface the way to everywhere. Without IPv6 in the kernel it is that of IPv4 alone.
func leadHere() error {
	if err := linkUp(deadEndName); err != nil {
		return err
	}
	index, err := linkIndex(deadEndName)
	if err != nil {
		return err
	}
	for _, a := range ownAddresses {
		err := errors.Join(addAddress(index, a), addDefaultRoute(index, a.Is6()))
		if err != nil && (a.Is4() || !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.EACCES)) {
			return err
		}
	}
	return nil
}

// count reads the packets that have come, and names where to. Neighbours that IPv6 looks for by itself are left out.
func (d *deadEnd) count() (where []string, how string, err error) {
	defer unix.Close(d.fd)
	packet := make([]byte, 64<<10)
	for range maxPackets {
		n, err := unix.Read(d.fd, packet)
		if errors.Is(err, unix.EAGAIN) {
			break
		}
		if err != nil {
			return nil, "", err
		}
		if to := destination(packet[:n]); to != "" && !slices.Contains(where, to) {
			where = append(where, to)
		}
	}
	return where, "every packet", nil
}

// destination is where a packet goes, "" for the neighbour discovery of IPv6.
func destination(p []byte) string {
	switch {
	case len(p) >= 20 && p[0]>>4 == 4:
		header := int(p[0]&15) * 4
		return named(p[9], netip.AddrFrom4([4]byte(p[16:20])), p[min(header, len(p)):])
	case len(p) >= 40 && p[0]>>4 == 6:
		const hopByHop, icmp = 0, 58
		if p[6] == hopByHop || p[6] == icmp {
			return ""
		}
		return named(p[6], netip.AddrFrom16([16]byte(p[24:40])), p[40:])
	}
	return "a packet of no known kind"
}

func named(protocol byte, to netip.Addr, payload []byte) string {
	names := map[byte]string{unix.IPPROTO_TCP: "tcp", unix.IPPROTO_UDP: "udp"}
	if name, known := names[protocol]; known && len(payload) >= 4 {
		return name + " " + netip.AddrPortFrom(to, binary.BigEndian.Uint16(payload[2:])).String()
	}
	return fmt.Sprintf("protocol %d %s", protocol, to)
}

// linkUp switches an interface on.
func linkUp(name string) error {
	return withSocket(func(fd int) error {
		request, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
	})
}

func linkIndex(name string) (index uint32, err error) {
	err = withSocket(func(fd int) error {
		request, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		err = unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, request)
		index = request.Uint32()
		return err
	})
	return index, err
}

func withSocket(do func(fd int) error) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return do(fd)
}

// family is the kernel's name of a version of IP.
func family(six bool) byte {
	if six {
		return unix.AF_INET6
	}
	return unix.AF_INET
}

// addAddress gives an interface an address, at once usable.
func addAddress(index uint32, a netip.Addr) error {
	body := []byte{family(a.Is6()), byte(a.BitLen()), unix.IFA_F_NODAD, unix.RT_SCOPE_UNIVERSE}
	body = binary.NativeEndian.AppendUint32(body, index)
	body = appendAttribute(body, unix.IFA_LOCAL, a.AsSlice())
	return configure(unix.RTM_NEWADDR, appendAttribute(body, unix.IFA_ADDRESS, a.AsSlice()))
}

func addDefaultRoute(index uint32, six bool) error {
	body := []byte{
		family(six), 0, 0, 0, unix.RT_TABLE_MAIN, unix.RTPROT_STATIC, unix.RT_SCOPE_UNIVERSE, unix.RTN_UNICAST, 0, 0, 0, 0,
	}
	return configure(unix.RTM_NEWROUTE, appendAttribute(body, unix.RTA_OIF, binary.NativeEndian.AppendUint32(nil, index)))
}

// appendAttribute appends a value of a length that is a multiple of four, as all here are.
func appendAttribute(body []byte, kind uint16, value []byte) []byte {
	body = binary.NativeEndian.AppendUint16(body, uint16(4+len(value)))
	body = binary.NativeEndian.AppendUint16(body, kind)
	return append(body, value...)
}

// configure sends the kernel one request (rtnetlink) and waits for its answer.
func configure(kind uint16, body []byte) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	message := binary.NativeEndian.AppendUint32(nil, uint32(unix.SizeofNlMsghdr+len(body)))
	message = binary.NativeEndian.AppendUint16(message, kind)
	message = binary.NativeEndian.AppendUint16(message, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE)
	message = append(append(message, make([]byte, 8)...), body...)
	if err := unix.Sendto(fd, message, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return err
	}
	if n < unix.SizeofNlMsghdr+4 {
		return errors.New("the kernel's answer is too short")
	}
	if code := int32(binary.NativeEndian.Uint32(answer[unix.SizeofNlMsghdr:])); code != 0 {
		return unix.Errno(-code)
	}
	return nil
}
