//go:build amd64 || arm64

package sandbox

import (
	"encoding/binary"
	"maps"
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Where the kernel's description of a call has its number, its processor, and the lower halves of its first and third argument.
const (
	atNumber = 0
	atArch   = 4
	atFirst  = 16
	atThird  = 32
)

// Kinds of new namespaces that clone and unshare make, but for those of time, which clone can't make.
const (
	ownNamespaces   = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET
	otherNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWCGROUP
)

// Filter is the program for bubblewrap's --seccomp, with which the kernel refuses calls that nothing inside needs. It lists what is
// refused, so what the list leaves out is allowed. It is empty on other processors than amd64 and arm64: there is no filter there.
func (s Spec) Filter() []byte {
	raw, err := bpf.Assemble(s.filter())
	if err != nil {
		panic(err) // it has no input
	}
	var program []byte
	for _, i := range raw {
		program = binary.NativeEndian.AppendUint16(program, i.Op)
		program = append(program, i.Jt, i.Jf)
		program = binary.NativeEndian.AppendUint32(program, i.K)
	}
	return program
}

func (s Spec) filter() []bpf.Instruction {
	program := []bpf.Instruction{
		load(atArch), unless(bpf.JumpEqual, auditArch), refuse(unix.ENOSYS),
		load(atNumber), when(bpf.JumpBitsSet, secondNumbers), refuse(unix.ENOSYS),
	}
	all, namespaces := refusals, uint32(otherNamespaces)
	if !s.OwnSandbox {
		all, namespaces = slices.Concat(refusals, namespaceRefusals), ownNamespaces|otherNamespaces
	}
	for _, r := range all {
		for _, name := range slices.Sorted(maps.Keys(r.calls)) {
			program = append(program, when(bpf.JumpEqual, r.calls[name]), refuse(r.errno))
		}
	}
	program = append(program, onCall(unix.SYS_CLONE, cloneRules(namespaces))...)
	program = append(program, onCall(unix.SYS_UNSHARE, unshareRules())...)
	program = append(program, onCall(unix.SYS_CLOSE_RANGE, closeRules())...)
	program = append(program, onCall(unix.SYS_SOCKET, socketRules())...)
	return append(program, allow)
}

var allow = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}

func load(offset uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: offset, Size: 4} }

func refuse(errno unix.Errno) bpf.Instruction {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

// when runs the next instruction if the test holds, unless if it doesn't; else they pass over it.
func when(test bpf.JumpTest, value uint32) bpf.Instruction {
	return bpf.JumpIf{Cond: test, Val: value, SkipFalse: 1}
}

func unless(test bpf.JumpTest, value uint32) bpf.Instruction {
	return bpf.JumpIf{Cond: test, Val: value, SkipTrue: 1}
}

// onCall runs rules, which come to a decision, for one call.
func onCall(number uint32, rules []bpf.Instruction) []bpf.Instruction {
	return append([]bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: uint8(len(rules))}}, rules...)
}

// cloneRules refuse new namespaces, and threads with open files of their own, which can't be seen from outside.
func cloneRules(namespaces uint32) []bpf.Instruction {
	return []bpf.Instruction{
		load(atFirst), when(bpf.JumpBitsSet, namespaces), refuse(unix.EPERM),
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: unix.CLONE_THREAD | unix.CLONE_FILES},
		when(bpf.JumpEqual, unix.CLONE_THREAD), refuse(unix.EPERM),
		allow,
	}
}

// unshareRules are for a program with a sandbox of its own.
func unshareRules() []bpf.Instruction {
	return []bpf.Instruction{
		load(atFirst), when(bpf.JumpBitsSet, otherNamespaces|unix.CLONE_NEWTIME|unix.CLONE_FILES), refuse(unix.EPERM), allow,
	}
}

// closeRules refuse a thread open files of its own, too.
func closeRules() []bpf.Instruction {
	return []bpf.Instruction{load(atThird), when(bpf.JumpBitsSet, unix.CLOSE_RANGE_UNSHARE), refuse(unix.EPERM), allow}
}

// socketRules allow sockets of the machine's and the network's protocols, and netlink's for addresses and devices. Of the rest some
// have no namespaces, as those that lead to a virtual machine's host, and none is of use without rights.
func socketRules() []bpf.Instruction {
	return []bpf.Instruction{
		load(atFirst),
		when(bpf.JumpEqual, unix.AF_UNIX), allow, when(bpf.JumpEqual, unix.AF_INET), allow, when(bpf.JumpEqual, unix.AF_INET6), allow,
		unless(bpf.JumpEqual, unix.AF_NETLINK), refuse(unix.EAFNOSUPPORT),
		load(atThird),
		when(bpf.JumpEqual, unix.NETLINK_ROUTE), allow, when(bpf.JumpEqual, unix.NETLINK_KOBJECT_UEVENT), allow,
		refuse(unix.EPERM),
	}
}
