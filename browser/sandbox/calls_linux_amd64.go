package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch = unix.AUDIT_ARCH_X86_64
	// secondNumbers is the bit in the numbers of a second table of the same calls, that of x32.
	secondNumbers = 0x40000000
)

// olderRefusals are calls that this processor's kernel has for programs of long ago.
var olderRefusals = []refusal{
	{"only programs of long ago need them", unix.EPERM, map[string]uint32{
		"iopl": unix.SYS_IOPL, "ioperm": unix.SYS_IOPERM, "modify_ldt": unix.SYS_MODIFY_LDT, "uselib": unix.SYS_USELIB, "ustat": unix.SYS_USTAT,
		"sysfs": unix.SYS_SYSFS, "_sysctl": unix.SYS__SYSCTL, "create_module": unix.SYS_CREATE_MODULE,
	}},
}
