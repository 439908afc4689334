package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// Memory is how many bytes the processes hold together, each shared page counted by share. Asking for shares makes the kernel walk
// all pages, so a cheap upper bound comes first, and is the answer when it is within the limit.
func Memory(pids []int, limit int64) int64 {
	var bound, shares int64
	for _, pid := range pids {
		resident, _ := residentOf(pid)
		bound += resident
	}
	if bound <= limit {
		return bound
	}
	for _, pid := range pids {
		shares += shareOf(pid)
	}
	return shares
}

// residentOf is how many bytes of a process are in memory, and how many of these are shared with others.
func residentOf(pid int) (resident, shared int64) {
	data, err := os.ReadFile(procFile(pid, "statm"))
	if err != nil {
		return 0, 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 3 {
		return 0, 0
	}
	resident, _ = strconv.ParseInt(fields[1], 10, 64)
	shared, _ = strconv.ParseInt(fields[2], 10, 64)
	page := int64(os.Getpagesize())
	return resident * page, shared * page
}

// shareOf is a process's share of memory. A sandboxed process hides it from others; then it is the memory that it shares with no other
// process.
func shareOf(pid int) int64 {
	data, err := os.ReadFile(procFile(pid, "smaps_rollup"))
	if err != nil {
		resident, shared := residentOf(pid)
		return resident - shared
	}
	for line := range bytes.Lines(data) {
		if rest, found := bytes.CutPrefix(line, []byte("Pss:")); found {
			number, _, _ := strings.Cut(strings.TrimSpace(string(rest)), " ")
			kilobytes, _ := strconv.ParseInt(number, 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
