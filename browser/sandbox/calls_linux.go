//go:build amd64 || arm64

package sandbox

import "golang.org/x/sys/unix"

// refusal is system calls that no program inside needs, the reason, and the error that they end with. Their arguments don't matter.
// The guide on sessions has them as a table.
type refusal struct {
	why   string
	errno unix.Errno // 0: the call does nothing and seems to succeed
	calls map[string]uint32
}

// refusals are what the filter refuses to every program inside. Calls whose arguments decide are in the filter itself.
var refusals = append([]refusal{
	{"they make a program root of namespaces and mounts of its own, in front of kernel code that was written for root", unix.EPERM, map[string]uint32{
		"setns": unix.SYS_SETNS, "mount": unix.SYS_MOUNT, "umount2": unix.SYS_UMOUNT2, "pivot_root": unix.SYS_PIVOT_ROOT,
		"open_tree": unix.SYS_OPEN_TREE, "open_tree_attr": unix.SYS_OPEN_TREE_ATTR, "move_mount": unix.SYS_MOVE_MOUNT, "fsopen": unix.SYS_FSOPEN,
		"fsconfig": unix.SYS_FSCONFIG, "fsmount": unix.SYS_FSMOUNT, "fspick": unix.SYS_FSPICK, "mount_setattr": unix.SYS_MOUNT_SETATTR,
	}},
	{"its arguments lie in memory, where a filter doesn't see new namespaces; libraries use clone instead", unix.ENOSYS, map[string]uint32{
		"clone3": unix.SYS_CLONE3,
	}},
	{"keys belong to a user of the whole machine: they have no namespaces", unix.EPERM, map[string]uint32{
		"add_key": unix.SYS_ADD_KEY, "request_key": unix.SYS_REQUEST_KEY, "keyctl": unix.SYS_KEYCTL,
	}},
	{"programs in the kernel, and a view of what other processes do to the processor", unix.EPERM, map[string]uint32{
		"bpf": unix.SYS_BPF, "perf_event_open": unix.SYS_PERF_EVENT_OPEN,
	}},
	{"they read, change or take over other processes, and compare addresses of the kernel", unix.EPERM, map[string]uint32{
		"ptrace": unix.SYS_PTRACE, "process_vm_readv": unix.SYS_PROCESS_VM_READV, "process_vm_writev": unix.SYS_PROCESS_VM_WRITEV,
		"pidfd_getfd": unix.SYS_PIDFD_GETFD, "process_madvise": unix.SYS_PROCESS_MADVISE, "kcmp": unix.SYS_KCMP,
	}},
	{"calls made through a ring pass no filter", unix.ENOSYS, map[string]uint32{
		"io_uring_setup": unix.SYS_IO_URING_SETUP, "io_uring_enter": unix.SYS_IO_URING_ENTER, "io_uring_register": unix.SYS_IO_URING_REGISTER,
	}},
	{"a program that stops the kernel in the middle of a copy wins races there", unix.EPERM, map[string]uint32{
		"userfaultfd": unix.SYS_USERFAULTFD,
	}},
	{"what they hold can't be counted: it lies in no process and no folder", unix.EPERM, map[string]uint32{
		"shmget": unix.SYS_SHMGET, "shmat": unix.SYS_SHMAT, "shmctl": unix.SYS_SHMCTL, "msgget": unix.SYS_MSGGET, "msgsnd": unix.SYS_MSGSND,
		"semget": unix.SYS_SEMGET, "mq_open": unix.SYS_MQ_OPEN, "memfd_secret": unix.SYS_MEMFD_SECRET,
	}},
	{"they would take a larger share of the processor", unix.EPERM, map[string]uint32{
		"setpriority": unix.SYS_SETPRIORITY, "ioprio_set": unix.SYS_IOPRIO_SET, "sched_setscheduler": unix.SYS_SCHED_SETSCHEDULER,
		"sched_setparam": unix.SYS_SCHED_SETPARAM, "sched_setattr": unix.SYS_SCHED_SETATTR,
	}},
	{"each session of processes gets the same share of the processor as the whole sandbox; programs that make one only want to outlive a " +
		"terminal, and there is none", 0, map[string]uint32{
		"setsid": unix.SYS_SETSID,
	}},
	{"where memory lies is the machine's affair", unix.EPERM, map[string]uint32{
		"mbind": unix.SYS_MBIND, "set_mempolicy": unix.SYS_SET_MEMPOLICY, "set_mempolicy_home_node": unix.SYS_SET_MEMPOLICY_HOME_NODE,
		"migrate_pages": unix.SYS_MIGRATE_PAGES, "move_pages": unix.SYS_MOVE_PAGES,
	}},
	{"they administer the machine; without the rights for it they are only code of the kernel to attack", unix.EPERM, map[string]uint32{
		"acct": unix.SYS_ACCT, "adjtimex": unix.SYS_ADJTIMEX, "clock_adjtime": unix.SYS_CLOCK_ADJTIME, "clock_settime": unix.SYS_CLOCK_SETTIME,
		"delete_module": unix.SYS_DELETE_MODULE, "fanotify_init": unix.SYS_FANOTIFY_INIT, "finit_module": unix.SYS_FINIT_MODULE,
		"init_module": unix.SYS_INIT_MODULE, "kexec_file_load": unix.SYS_KEXEC_FILE_LOAD, "kexec_load": unix.SYS_KEXEC_LOAD,
		"lookup_dcookie": unix.SYS_LOOKUP_DCOOKIE, "nfsservctl": unix.SYS_NFSSERVCTL, "open_by_handle_at": unix.SYS_OPEN_BY_HANDLE_AT,
		"personality": unix.SYS_PERSONALITY, "quotactl": unix.SYS_QUOTACTL, "quotactl_fd": unix.SYS_QUOTACTL_FD, "reboot": unix.SYS_REBOOT,
		"setdomainname": unix.SYS_SETDOMAINNAME, "sethostname": unix.SYS_SETHOSTNAME, "settimeofday": unix.SYS_SETTIMEOFDAY,
		"swapoff": unix.SYS_SWAPOFF, "swapon": unix.SYS_SWAPON, "syslog": unix.SYS_SYSLOG, "vhangup": unix.SYS_VHANGUP,
	}},
}, olderRefusals...)

// namespaceRefusals are refused to all programs but those that confine their own children: see Spec.OwnSandbox.
var namespaceRefusals = []refusal{
	{"new namespaces make a program root in them", unix.EPERM, map[string]uint32{
		"unshare": unix.SYS_UNSHARE, "chroot": unix.SYS_CHROOT,
	}},
}
