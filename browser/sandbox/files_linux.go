package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// memoryFiles are files in memory: those without a name (memfd, memory that is shared without a file), all on one device of the
// kernel's own, and those in the sandbox's /dev/shm, which the folder counts.
type memoryFiles struct {
	nameless string           // the device of the first kind, as the tables of mappings write it
	number   uint64           // the same as stat returns it
	folder   string           // the device of the second kind
	inFolder int64            // bytes
	known    map[uint64]int64 // bytes by inode
	atMost   map[uint64]int64 // the same of files that are only mapped
	mapped   map[string]bool  // the processes that map a file of either kind
}

func newMemoryFiles(first int) *memoryFiles {
	f := &memoryFiles{known: map[uint64]int64{}, atMost: map[uint64]int64{}, mapped: map[string]bool{}}
	var stat unix.Stat_t
	if fd, err := unix.MemfdCreate("device", unix.MFD_CLOEXEC); err == nil {
		if unix.Fstat(fd, &stat) == nil {
			f.number, f.nameless = stat.Dev, device(stat.Dev)
		}
		unix.Close(fd)
	}
	var folder unix.Statfs_t
	shm := "/proc/" + strconv.Itoa(first) + "/root/dev/shm"
	if unix.Stat(shm, &stat) == nil && unix.Statfs(shm, &folder) == nil {
		f.folder, f.inFolder = device(stat.Dev), int64(folder.Blocks-folder.Bfree)*int64(folder.Bsize)
	}
	return f
}

// device is a device as the tables of mappings write it.
func device(number uint64) string {
	return fmt.Sprintf("%02x:%02x", unix.Major(number), unix.Minor(number))
}

// holds reports whether the mapped file is one of these.
func (f *memoryFiles) holds(m mapping) bool {
	return m.device == f.nameless || m.device == f.folder
}

// add counts the files that a process has open or mapped.
func (f *memoryFiles) add(m member) {
	for _, fd := range list(filepath.Join(m.path, "fd")) {
		f.stat(filepath.Join(m.path, "fd", fd))
	}
	file, err := os.Open(filepath.Join(m.path, "maps"))
	if err != nil {
		return
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		mapping, ok := parseMapping(lines.Text())
		if !ok || !f.holds(mapping) {
			continue
		}
		f.mapped[m.path] = true
		if mapping.device == f.nameless && !f.stat(filepath.Join(m.path, "map_files", mapping.span)) { // only root may look there
			f.atMost[mapping.inode] = max(f.atMost[mapping.inode], mapping.end)
		}
	}
}

// stat counts an open file if it has no name. It reports whether it could look at it.
func (f *memoryFiles) stat(path string) bool {
	var stat unix.Stat_t
	if unix.Stat(path, &stat) != nil {
		return false
	}
	if stat.Dev == f.number {
		f.known[stat.Ino] = int64(stat.Blocks) * 512
	}
	return true
}

func (f *memoryFiles) total() (bytes int64) {
	bytes = f.inFolder
	for _, size := range f.known {
		bytes += size
	}
	for inode, size := range f.atMost {
		if _, known := f.known[inode]; !known {
			bytes += size
		}
	}
	return bytes
}

// mapping is a line of a process's table of mappings.
type mapping struct {
	span   string // its addresses
	device string
	inode  uint64
	end    int64 // where in the file it ends, in bytes
}

// parseMapping reads "from-to rights offset device inode name". It refuses every other line of the longer table of mappings.
func parseMapping(line string) (m mapping, ok bool) {
	words := strings.Fields(line)
	if len(words) < 5 {
		return m, false
	}
	low, high, ok := strings.Cut(words[0], "-")
	if !ok {
		return m, false
	}
	var numbers [3]uint64
	for i, word := range []string{low, high, words[2]} {
		n, err := strconv.ParseUint(word, 16, 64)
		if err != nil {
			return m, false
		}
		numbers[i] = n
	}
	inode, err := strconv.ParseUint(words[4], 10, 64)
	return mapping{span: words[0], device: words[3], inode: inode, end: int64(numbers[1] - numbers[0] + numbers[2])}, err == nil
}
