// Package sandbox runs programs inside bubblewrap. It may change without notice.
// There a program sees the system's programs read-only, a home and temporary folders of its own that end with it,
// what is bound into it, and nothing else of the machine: no other file, process, socket or environment variable,
// and no network but a loopback of its own. Whatever the program does, it reaches the outside only through files
// and sockets that were bound in.
//
// It holds hostile programs as far as the kernel's namespaces do, and on amd64 and arm64 a filter refuses system calls that no program
// inside needs (the guide on sessions lists them with reasons). It is no virtual machine. Processor time is bounded by Limits.CPU, and
// shared: where the kernel shares it by sessions of processes (autogroup), all of a sandbox together gets about a tenth of a processor that
// one other such session wants, too (measured: 9.8 %); elsewhere its processes are only nice.
// Where a control group (version 2) was delegated to this program, as by systemd's Delegate=yes with DelegateSubgroup=, Start gives each
// sandbox a group in it, with memory.max, pids.max and a cpu.weight of 10: there the kernel itself refuses processes, and ends a sandbox
// that is over in memory. NewGroup makes one for a sandbox with a browser, which others start. This has been tested with imitated
// groups only.
//
// Files in memory count as memory while a process has them open or mapped, but not while they are only under way in a socket, and neither
// does what sockets and pipes hold, nor huge pages that the machine keeps ready (vm.nr_hugepages). Linux only.
//
// Start with Available and Start.
//
//	spec.go             Spec, Bind, Limits: what is run, and what it sees
//	words.go            bubblewrap's arguments
//	available.go        whether the machine supports it, and what is missing
//	relay.go, .js       Relay: from a port inside to a socket that was bound in
//	process.go          Process: its end, and why it ended
//	start_linux.go      the start: limits before the first instruction, a thread that lives as long as the program
//	guard_linux.go      a sandbox that this program has left behind
//	try_linux.go        a run that only finds out what works
//	userns_linux.go     whether bubblewrap can forbid user namespaces
//	inside_linux.go     Inside: all that runs inside, as one
//	watch_linux.go      memory and number of processes, looked at again and again
//	table_linux.go      the process table inside
//	memory_linux.go     what processes hold
//	files_linux.go      files in memory
//	share_linux.go      its share of the processor
//	group_linux.go      a control group (version 2) with the limits, where one was delegated; Group: of a browser's sandbox
//	older_linux.go      control groups of version 1, where this program may make some
//	calls_linux*.go     system calls that are refused inside, with reasons
//	filter_linux.go     the program that refuses them, and rules on arguments
//	filter_other.go     processors without a filter
//	start_other.go      unsupported systems
package sandbox
