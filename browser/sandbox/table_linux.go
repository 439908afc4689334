package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// member is a process inside, as a look at the process table finds it.
type member struct {
	path    string // the folder of its files in the process table
	threads int
}

// look lists the processes inside by the sandbox's own process table, and counts their threads. One listing has all processes, quickly
// enough when thousands compete for the processor; where it has more than most, only these are counted. A sandbox that is still being
// made has the table of the whole machine, which says nothing of it.
func look(first, most int) (all []member, count int) {
	process := filepath.Join("/proc", strconv.Itoa(first))
	table := filepath.Join(process, "root/proc")
	if space := pidSpace(process); space == "" || space != pidSpace(filepath.Join(table, "1")) {
		return nil, 0
	}
	names := list(table)
	if len(names) > most {
		return nil, len(names)
	}
	for _, name := range names {
		m, ok := meet(filepath.Join(table, name))
		if !ok {
			continue // it has ended
		}
		all, count = append(all, m), count+m.threads
	}
	return all, count
}

// pidSpace names the process namespace of a process, "" where it has gone.
func pidSpace(process string) string {
	name, _ := os.Readlink(filepath.Join(process, "ns/pid"))
	return name
}

// list returns the numbers in a folder of the process table; nil where it has gone.
func list(dir string) []string {
	folder, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	return slices.DeleteFunc(names, func(name string) bool { return name[0] < '0' || name[0] > '9' })
}

// meet reads a process. One whose first thread has ended before the others seems to hold nothing, and is looked at through another thread.
func meet(path string) (m member, ok bool) {
	stat := fields(filepath.Join(path, "stat"))
	if len(stat) < 18 {
		return m, false
	}
	m.path = path
	m.threads, _ = strconv.Atoi(stat[17])
	if stat[0] == "Z" && m.threads > 1 {
		for _, thread := range list(filepath.Join(path, "task")) {
			if at := filepath.Join(path, "task", thread); thread != filepath.Base(path) {
				m.path = at
				break
			}
		}
	}
	return m, true
}

// fields are the words of a stat line behind the name, which may hold anything: the state is the first.
func fields(stat string) []string {
	data, err := os.ReadFile(stat)
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
}
