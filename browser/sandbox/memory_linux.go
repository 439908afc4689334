package sandbox

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// memory is how many bytes the processes hold: what they have mapped, and files in memory, which need not be mapped at all. To look at
// all files, and to count shared pages by share, makes the kernel walk long tables, so upper bounds come first, and are the answer when
// they are within the limit.
func memory(first int, all []member, limit int64) (held int64) {
	for _, m := range all {
		held += m.resident()
	}
	if shared := hostShared(); held <= limit && shared <= limit-held {
		return held
	}
	files := newMemoryFiles(first)
	for _, m := range all {
		files.add(m)
	}
	total := files.total()
	if held+total <= limit {
		return held + total
	}
	held = total
	for _, m := range all {
		held += m.share(files)
	}
	return held
}

// resident is how many bytes of the process are in memory.
func (m member) resident() int64 {
	data, err := os.ReadFile(filepath.Join(m.path, "statm"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// hostShared is at least how many bytes the files in memory of the whole machine hold, swapped out or not.
func hostShared() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return math.MaxInt64
	}
	return kilobytes(data, "\nShmem:") + kilobytes(data, "\nSwapTotal:") - kilobytes(data, "\nSwapFree:")
}

// share is how many bytes the process holds, shared pages by share, without the files.
func (m member) share(files *memoryFiles) (held int64) {
	if !files.mapped[m.path] {
		data, _ := os.ReadFile(filepath.Join(m.path, "smaps_rollup"))
		return kilobytes(data, "\nPss:")
	}
	file, err := os.Open(filepath.Join(m.path, "smaps"))
	if err != nil {
		return 0
	}
	defer file.Close()
	counted := false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if pss, found := bytes.CutPrefix(lines.Bytes(), []byte("Pss:")); found && counted {
			held += kilobytes(pss, "")
		} else if mapping, ok := parseMapping(lines.Text()); ok {
			counted = !files.holds(mapping)
		}
	}
	return held
}

// kilobytes is the number that follows the name in a table of the kernel's, in bytes.
func kilobytes(table []byte, name string) int64 {
	_, after, _ := bytes.Cut(table, []byte(name))
	fields := strings.Fields(string(after[:min(len(after), 100)]))
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(fields[0], 10, 64)
	return n << 10
}
