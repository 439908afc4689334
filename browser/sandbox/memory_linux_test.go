package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// raced is whether the race detector watches this program, and those inside, which are its copies.
var raced bool

func TestProcess_memoryOfFilesWithoutANameEndsIt(t *testing.T) {
	if raced {
		t.Skip("-race: the race detector holds memory inside of the program that counts")
	}
	for _, name := range []string{"memfd", "memfd that is only mapped", "shared memory given back", "memory of a later thread", "files of /dev/shm"} {
		t.Run(name, func(t *testing.T) {
			s := program(t, name)
			s.Limits = Limits{Memory: 150 << 20}
			var limit *LimitError
			if got := do(t, s); !errors.As(got.end, &limit) || limit.What != "memory" || limit.Used <= 150<<20 || limit.Used > 300<<20 {
				t.Errorf("got %q, code %d, end %v (stderr %.300q)", got.out, got.code, got.end, got.err)
			}
		})
	}
}

func TestProcess_memoryThatIsOnlyReservedIsNotHeld(t *testing.T) {
	if raced {
		t.Skip("-race: the race detector holds more memory inside of the program than it may have")
	}
	names := []string{"a sparse file"}
	if os.Geteuid() == 0 { // who else can't see how much of a mapping is there
		names = append(names, "memory that is only reserved")
	}
	for _, name := range names {
		s := program(t, name)
		s.Limits = Limits{Memory: 150 << 20}
		if got := do(t, s); got.out != "held nothing\n" || got.end != nil {
			t.Errorf("%s: got %q, code %d, end %v (stderr %.300q)", name, got.out, got.code, got.end, got.err)
		}
	}
}

// Two mappings of it are twice its size; it is in memory once.
func TestProcess_sharedMemoryIsCountedOnce(t *testing.T) {
	if raced {
		t.Skip("-race: the race detector holds memory inside of the program that counts")
	}
	s := program(t, "files of /dev/shm, mapped")
	s.Limits = Limits{Memory: 120 << 20}
	if got := do(t, s); got.out != "counted once\n" || got.end != nil {
		t.Errorf("got %q, code %d, end %v (stderr %.300q)", got.out, got.code, got.end, got.err)
	}
}

func TestProcess_threadsAreCounted(t *testing.T) {
	s := program(t, "threads")
	s.Limits = Limits{Processes: 50}
	var limit *LimitError
	if got := do(t, s); got.code == 0 || got.end != nil && (!errors.As(got.end, &limit) || limit.What != "processes") {
		t.Errorf("got %q, code %d, end %v (stderr %.300q)", got.out, got.code, got.end, got.err)
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add("7f0000000000-7f0000001000 rw-s 00001000 00:01 1025 /memfd:a b (deleted)")
	f.Add("Size:                  4 kB")
	f.Add("00400000-00401000 r-xp")
	f.Fuzz(func(t *testing.T, line string) {
		m, ok := parseMapping(line)
		if ok && (m.span == "" || m.device == "") {
			t.Errorf("%q: got %+v", line, m)
		}
	})
}

// A sandbox that is being made still has the machine's table of processes.
func TestLook_countsNothingBeforeTheSandboxHasATableOfItsOwn(t *testing.T) {
	needed(t)
	c := exec.Command("sleep", "3600")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	all, count := look(c.Process.Pid, 1)
	_ = c.Process.Kill()
	_ = c.Wait()
	if len(all) != 0 || count != 0 {
		t.Errorf("got %d of %v", count, all)
	}
}
