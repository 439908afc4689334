package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch = unix.AUDIT_ARCH_AARCH64
	// secondNumbers is the bit in the numbers of a second table of the same calls; this processor's kernel has none, and no call has it.
	secondNumbers = 0x40000000
)

// olderRefusals are calls that other processors' kernels have for programs of long ago.
var olderRefusals []refusal
