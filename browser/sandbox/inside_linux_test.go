package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const laterThread = "memory of a later thread"

func init() {
	if os.Getenv(insideVariable) == laterThread {
		runtime.LockOSThread() // what an init locks, main stays on: the first thread
	}
	for name, program := range map[string]func(){
		"memfd":                        func() { hold(func() { memfd() }) },
		"memfd that is only mapped":    func() { hold(mapAndClose) },
		"shared memory given back":     func() { hold(shareAndGiveBack) },
		laterThread:                    func() { leaveTheFirstThread(func() { hold(func() { touch(anonymous(unix.MAP_SHARED)) }) }) },
		"files of /dev/shm":            func() { hold(func() { shared() }) },
		"files of /dev/shm, mapped":    func() { mapShared(); time.Sleep(time.Second); fmt.Println("counted once") },
		"a sparse file":                func() { sparse(); fmt.Println("held nothing") },
		"threads":                      threads,
		"memory that is only reserved": func() { anonymous(unix.MAP_SHARED); time.Sleep(time.Second); fmt.Println("held nothing") },
	} {
		programs[name] = program
	}
}

// program is one of the programs, to be run in a sandbox.
func program(t *testing.T, name string) Spec {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Spec{Args: []string{"/opt/test"}, Env: []string{insideVariable + "=" + name}, ReadOnly: []Bind{{From: path, To: "/opt/test"}}}
}

// chunk is how much memory the programs take at once; three are over the limit of the tests.
const chunk = 64 << 20

// hold takes memory three times, and waits for its end.
func hold(take func()) {
	for range 3 {
		take()
	}
	time.Sleep(time.Hour)
}

// memfd makes a file in memory of a chunk.
func memfd() int { return fill(must(unix.MemfdCreate("test", 0))) }

// fill writes a chunk, by parts: the program may not hold as much itself.
func fill(fd int) int {
	data := make([]byte, 1<<20)
	for range chunk / len(data) {
		must(unix.Write(fd, data))
	}
	return fd
}

// mapAndClose leaves a file in memory to a mapping that is never touched.
func mapAndClose() {
	fd := memfd()
	must(unix.Mmap(fd, 0, chunk, unix.PROT_READ, unix.MAP_SHARED))
	must(0, unix.Close(fd))
}

// shared makes a file of a chunk in the folder of shared memory.
func shared() int { return fill(must(unix.Open("/dev/shm", unix.O_TMPFILE|unix.O_RDWR, 0o600))) }

// mapShared makes such a file, and maps and reads it twice.
func mapShared() {
	fd := shared()
	for range 2 {
		touch(must(unix.Mmap(fd, 0, chunk, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)))
	}
}

// shareAndGiveBack fills memory and forgets its pages, which stay in the file behind it.
func shareAndGiveBack() {
	data := anonymous(unix.MAP_SHARED)
	touch(data)
	must(0, unix.Madvise(data, unix.MADV_DONTNEED))
}

func anonymous(kind int) []byte {
	return must(unix.Mmap(-1, 0, chunk, unix.PROT_READ|unix.PROT_WRITE, kind|unix.MAP_ANONYMOUS))
}

func touch(data []byte) {
	for i := 0; i < len(data); i += 4096 {
		data[i] = 1
	}
}

// leaveTheFirstThread goes on with work on another thread and ends the one that the process began with. What it holds is then in no table
// of the process itself.
func leaveTheFirstThread(work func()) {
	go work()
	_, _, _ = unix.Syscall(unix.SYS_EXIT, 0, 0, 0)
}

func sparse() {
	fd := must(unix.MemfdCreate("test", 0))
	must(0, unix.Ftruncate(fd, 200<<20))
	must(unix.Mmap(fd, 0, 200<<20, unix.PROT_READ, unix.MAP_SHARED))
	time.Sleep(time.Second)
}

// threads starts more threads than the tests allow.
func threads() {
	for range 100 {
		go func() {
			runtime.LockOSThread()
			_ = unix.Nanosleep(&unix.Timespec{Sec: 3600}, nil)
		}()
	}
	time.Sleep(time.Hour)
}

// must returns the value, or ends the program.
func must[T any](value T, err error) T {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return value
}
