package sandbox

import (
	"os"
	"strconv"
	"strings"
)

// groupNiceness makes what runs inside leave the processor to others as a whole. Where the kernel groups the processes of a session
// (autogroup), each group gets the same share, however many and however nice its processes are: this one weighs 110 against 1,024.
const groupNiceness = 10

// holdShare gives the group of a process that share, again if something inside has changed it. It does nothing where the kernel has no
// groups, and where the group is this program's own.
func holdShare(pid int) {
	file := "/proc/" + strconv.Itoa(pid) + "/autogroup"
	group, nice := autogroup(file)
	if own, _ := autogroup("/proc/self/autogroup"); group == "" || group == own || nice >= groupNiceness {
		return
	}
	_ = os.WriteFile(file, []byte(strconv.Itoa(groupNiceness)), 0) // the kernel may be busy with another: the next look tries again
}

// autogroup reads "/autogroup-NUMBER nice NICENESS". The group is empty where there is none.
func autogroup(file string) (group string, nice int) {
	data, _ := os.ReadFile(file)
	words := strings.Fields(string(data))
	if len(words) != 3 {
		return "", 0
	}
	nice, err := strconv.Atoi(words[2])
	if err != nil {
		return "", 0
	}
	return words[0], nice
}
